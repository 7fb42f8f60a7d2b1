import Foundation

/// What Linux, with glibc or musl, and macOS do differently. `HouseTests` names the other files that ask for it.
package enum System {
    #if canImport(Glibc)
        // Enumerations there.
        private static let streams = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        private static let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        private static let openFiles = RLIMIT_NOFILE
    #endif
    #if os(Linux)
        #if !canImport(Glibc)
            private static let streams = SOCK_STREAM | SOCK_CLOEXEC
        #endif
        /// What `send` takes so that a connection that has ended raises no signal.
        package static let noSignal = Int32(MSG_NOSIGNAL)
        /// How the names of folders end that users see as one file.
        package static let packages: [String] = []
    #else
        private static let streams = SOCK_STREAM
        static let noSignal: Int32 = 0
        package static let packages = [".photolibrary", ".aplibrary", ".app"]
    #endif

    /// A function that Swift leaves out, as it does those that need `_GNU_SOURCE` or take any number of arguments;
    /// `nil` where the C library has none, and in a static program.
    package static func function<Function>(_ name: String, as type: Function.Type) -> Function? {
        dlsym(nil, name).map { unsafeBitCast($0, to: type) }
    }

    /// Renames a file unless anything has the new name: then it fails with `EEXIST`, and with `ENOSYS` or `EINVAL` where
    /// the system, or the file system, knows no such call.
    static func renameNew(_ name: String, of folder: Int32, to newName: String, in target: Int32) -> Int32 {
        #if os(Linux)
            guard let renameNew else {
                errno = ENOSYS
                return -1
            }
            // RENAME_NOREPLACE
            return renameNew(folder, name, target, newName, 1)
        #else
            return renameatx_np(folder, name, target, newName, UInt32(RENAME_EXCL))
        #endif
    }

    #if os(Linux)
        private typealias Rename =
            @Sendable @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) ->
            Int32
        private typealias ListAttributes = @convention(c) (Int32, UnsafeMutablePointer<UInt8>, Int) -> Int

        private static let renameNew = function("renameat2", as: Rename.self)
    #endif

    /// Clones a file's contents into a new, empty one, so that neither changes the other; false where that cannot be.
    package static func clone(_ file: Int32, to copy: Int32) -> Bool {
        #if os(Linux)
            // FICLONE
            if ioctl(copy, 0x4004_9409, file) == 0 { return true }
        #endif
        return false
    }

    /// Whether an open file has extended attributes of its user's, or an access control list, which another would lack.
    static func hasAttributes(_ file: Int32) -> Bool {
        var names = [UInt8](repeating: 0, count: 65_536)
        #if os(Linux)
            let length = function("flistxattr", as: ListAttributes.self)?(file, &names, names.count) ?? 0
        #else
            let length = names.withUnsafeMutableBytes { flistxattr(file, $0.baseAddress, $0.count, 0) }
        #endif
        // What the system itself gives a file, it gives another one too.
        return names.prefix(max(0, length)).split(separator: 0).contains { name in
            !["security.", "com.apple."].contains { name.starts(with: $0.utf8) }
        }
    }

    /// The path of an open regular file; `nil` if it is not one, or no longer has one.
    package static func path(of file: Int32) -> String? {
        var status = stat()
        guard fstat(file, &status) == 0, status.isRegular else { return nil }
        #if os(Linux)
            guard let path = realpath("/proc/self/fd/\(file)", nil) else { return nil }
            defer { free(path) }
            return String(cString: path)
        #else
            var path = [CChar](repeating: 0, count: Int(MAXPATHLEN))
            return fcntl(file, F_GETPATH, &path) == 0 ? String(cString: path) : nil
        #endif
    }

    /// Two connected sockets, which no program started meanwhile inherits.
    package static func socketPair() -> [Descriptor]? {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, streams, 0, &ends) == 0 else { return nil }
        #if !os(Linux)
            for end in ends {
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                var isOn: Int32 = 1
                setsockopt(end, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
            }
        #endif
        return ends.map { Descriptor($0) }
    }

    package static var openFileLimit: Int {
        var limit = rlimit()
        guard getrlimit(openFiles, &limit) == 0 else { return .max }
        #if !os(Linux)
            // 256 there, of which each request takes its connection and both ends of its worker's socket.
            limit.rlim_cur = max(limit.rlim_cur, min(4096, limit.rlim_max))
            if setrlimit(openFiles, &limit) != 0 { getrlimit(openFiles, &limit) }
        #endif
        return Int(clamping: limit.rlim_cur)
    }

    /// Waits until a file is on the storage device or, with `inOrder`, until nothing written later can precede it.
    static func sync(_ file: Int32, inOrder: Bool) -> Int32 {
        #if !os(Linux)
            // There fsync(2) leaves the bytes to the drive, which keeps them as long as it likes.
            let result = fcntl(file, inOrder ? F_BARRIERFSYNC : F_FULLFSYNC)
            if result == 0 || ![ENOTSUP, EINVAL, ENOTTY].contains(errno) { return result }
        #endif
        return fsync(file)
    }

    /// Whether the resolver knows that a host's name has no address. This blocks.
    package static func isUnknown(_ name: String) -> Bool {
        var found: UnsafeMutablePointer<addrinfo>?
        defer { if let found { freeaddrinfo(found) } }
        return getaddrinfo(name, nil, nil, &found) == EAI_NONAME
    }

    /// An identifier of the session from power on to power off, shared by all processes; empty if there is none.
    package static let bootSession: String = {
        #if os(Linux)
            let file = try? SystemCall.open("/proc/sys/kernel/random/boot_id", O_RDONLY)
            let bytes = file.flatMap { try? SystemCall.read($0, at: 0, count: 36) }
            return String(decoding: bytes ?? [], as: UTF8.self)
        #else
            var length = 64
            var bytes = [UInt8](repeating: 0, count: length)
            guard sysctlbyname("kern.bootsessionuuid", &bytes, &length, nil, 0) == 0 else { return "" }
            return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        #endif
    }()

    /// The running program's folder, links resolved; on macOS also that of this code's bundle, such as one of tests.
    static var programFolders: [URL] {
        #if os(Linux)
            let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            return [URL(filePath: path ?? CommandLine.arguments[0]).deletingLastPathComponent()]
        #else
            final class Anchor {}
            let program = Bundle.main.executableURL?.resolvingSymlinksInPath()
            return [program, Bundle(for: Anchor.self).bundleURL].compactMap {
                $0?.deletingLastPathComponent()
            }
        #endif
    }
}

extension stat {
    /// When the contents were last modified.
    package var modified: timespec {
        #if os(Linux)
            st_mtim
        #else
            st_mtimespec
        #endif
    }

    /// When anything of the file last changed.
    var changed: timespec {
        #if os(Linux)
            st_ctim
        #else
            st_ctimespec
        #endif
    }

    /// ``modified`` and ``changed`` in microseconds since 1970, which every JSON reader takes for what they are.
    package var microseconds: (modified: Int, changed: Int) {
        func count(_ time: timespec) -> Int { Int(time.tv_sec) &* 1_000_000 &+ Int(time.tv_nsec) / 1000 }
        return (count(modified), count(changed))
    }
}
