import Foundation

/// An open file or folder, closed with its last reference.
package final class Descriptor: Sendable {
    package let number: Int32

    package init(_ number: Int32) { self.number = number }

    deinit { close(number) }
}

/// System calls that retry when interrupted and report `errno` as an error: all that the package makes on files.
package enum SystemCall {
    package struct Failure: Error, Hashable {
        /// The value of `errno`.
        package let code: Int32

        package init(code: Int32) { self.code = code }

        /// The system's text, such as `No space left on device`.
        package var reason: String {
            [ELOOP: "It is a symbolic link", EMLINK: "It has other names"][code]
                ?? String(cString: strerror(code))
        }

        /// Whether free disk space, or a larger quota, would resolve it.
        package var isLackOfRoom: Bool { [ENOSPC, EDQUOT, EFBIG].contains(code) }

        /// Whether the file system has no such call, as some over a network have not.
        var isLackOfMeans: Bool { [EINVAL, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(code) }

        /// Whether it is not allowed, on macOS perhaps by its privacy settings.
        package var isRefusal: Bool { [EACCES, EPERM].contains(code) }
    }

    /// The result of `call`, repeated while a signal interrupts it; a negative result is a failure.
    @discardableResult
    package static func check<Number: FixedWidthInteger>(_ call: () -> Number) throws(Failure) -> Number {
        let result = retrying(call)
        guard result >= 0 else { throw Failure(code: errno) }
        return result
    }

    /// The result of `call`, repeated while a signal interrupts it; if it is negative, `errno` says why.
    @discardableResult
    package static func retrying<Number: FixedWidthInteger>(_ call: () -> Number) -> Number {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }

    // MARK: - Opening

    package static func open(_ path: String, _ flags: Int32, mode: mode_t = 0) throws(Failure) -> Descriptor {
        Descriptor(try check { Foundation.open(path, flags | O_CLOEXEC, mode) })
    }

    package static func openFolder(_ path: String) throws(Failure) -> Descriptor {
        try open(path, O_RDONLY | O_DIRECTORY)
    }

    /// Opens `name` in `folder`; never through a link, and never waiting for the other end of a pipe.
    package static func open(
        _ name: String, in folder: Descriptor, _ flags: Int32, mode: mode_t = 0
    ) throws(Failure) -> Descriptor {
        let flags = flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        return Descriptor(try check { openat(folder.number, name, flags, mode) })
    }

    // MARK: - Names

    /// The status of `name` in `folder`, links not followed; `nil` if there is no such name.
    package static func status(of name: String, in folder: Descriptor) throws(Failure) -> stat? {
        var result = stat()
        do {
            try check { fstatat(folder.number, name, &result, AT_SYMLINK_NOFOLLOW) }
            return result
        } catch  where error.code == ENOENT {
            return nil
        }
    }

    /// The names in `folder` in UTF-8, without `.` and `..`, for which `isWanted` holds: given the name, and
    /// whether it is known to be a file's.
    package static func names(
        in folder: Descriptor, where isWanted: (_ name: String, _ isFile: Bool) -> Bool = { _, _ in true }
    ) throws(Failure) -> [String] {
        // A descriptor of its own: the position belongs to the open folder.
        let number = try check { openat(folder.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard let stream = fdopendir(number) else {
            let failure = Failure(code: errno)
            close(number)
            throw failure
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
            }
            guard let name, name != ".", name != ".." else { continue }
            // Some file systems do not say what a name is.
            if isWanted(name, Int(entry.pointee.d_type) == Int(DT_REG)) { names.append(name) }
        }
        return names
    }

    /// Creates the folder `name` in `folder` if it is missing.
    package static func makeFolder(_ name: String, in folder: Descriptor) throws(Failure) {
        do {
            try check { mkdirat(folder.number, name, 0o777) }
        } catch  where error.code == EEXIST {}
    }

    package static func remove(_ name: String, from folder: Descriptor) throws(Failure) {
        do {
            try check { unlinkat(folder.number, name, 0) }
        } catch  where error.code == ENOENT {}
    }

    // MARK: - Open files

    package static func status(of file: Descriptor) throws(Failure) -> stat {
        var result = stat()
        try check { fstat(file.number, &result) }
        return result
    }

    /// Writes all of `bytes` at `offset`, or at the current position if that is `nil`.
    package static func write(
        _ bytes: UnsafeRawBufferPointer, to file: Descriptor, at offset: Int64? = nil
    ) throws(Failure) {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            done += try check {
                if let offset {
                    pwrite(file.number, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
                } else {
                    Foundation.write(file.number, rest.baseAddress, rest.count)
                }
            }
        }
    }

    /// Writes all of `values`, as in memory, at `offset`; if `nil`, at the current position, or as `O_APPEND` says.
    package static func write<Value: BitwiseCopyable>(
        _ values: [Value], to file: Descriptor, at offset: Int64? = nil
    ) throws(Failure) {
        let result = values.withUnsafeBytes { bytes in
            Result { () throws(Failure) in try write(bytes, to: file, at: offset) }
        }
        try result.get()
    }

    /// At most `count` bytes of `file` from `offset`; fewer only at its end.
    package static func read(_ file: Descriptor, at offset: Int64, count: Int) throws(Failure) -> [UInt8] {
        try read(file.number, at: offset, count: count)
    }

    /// The same for a descriptor that somebody else owns.
    package static func read(_ file: Int32, at offset: Int64, count: Int) throws(Failure) -> [UInt8] {
        var failure: Failure?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
            do throws(Failure) {
                while done < count {
                    let rest = UnsafeMutableBufferPointer(rebasing: buffer[done...])
                    let got = try check {
                        pread(file, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
                    }
                    if got == 0 { break }
                    done += got
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    package static func truncate(_ file: Descriptor, to length: Int64) throws(Failure) {
        try check { ftruncate(file.number, off_t(length)) }
    }

    /// Waits until a file's contents, or a folder's names, are on the storage device; if `inOrder`, only until they are
    /// sure to be there before what is written later. Does nothing where a file system cannot tell, as over a network.
    package static func sync(_ file: Descriptor, inOrder: Bool = false) throws(Failure) {
        do { try check { System.sync(file.number, inOrder: inOrder) } } catch  where error.isLackOfMeans {}
    }

    /// Locks `file` as flock(2) does. On a file system without locks this does nothing.
    package static func lock(_ file: Descriptor, _ operation: Int32) throws(Failure) {
        do {
            try check { flock(file.number, operation) }
        } catch  where error.isLackOfMeans || error.code == ENOLCK {}
    }

    package static func setMode(of file: Descriptor, to mode: mode_t) throws(Failure) {
        try check { fchmod(file.number, mode) }
    }

    package static func setTimes(of file: Descriptor, to date: Date) throws(Failure) {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        let time = timespec(
            tv_sec: time_t(seconds), tv_nsec: Int((date.timeIntervalSince1970 - seconds) * 1e9))
        try check { futimens(file.number, [time, time]) }
    }

    /// Sets the time of modification to now, with this fraction of a second.
    package static func setModified(of file: Descriptor, microseconds: Int) throws(Failure) {
        let now = timespec(tv_sec: time(nil), tv_nsec: microseconds * 1000)
        try check { futimens(file.number, [now, now]) }
    }

    /// Whether the first `length` bytes of two files are equal.
    package static func isSame(
        _ one: Descriptor, _ other: Descriptor, length: Int64
    ) throws(Failure) -> Bool {
        var offset: Int64 = 0
        while offset < length {
            let count = Int(min(262_144, length - offset))
            let bytes = try read(one, at: offset, count: count)
            guard bytes.count == count, try read(other, at: offset, count: count) == bytes else {
                return false
            }
            offset += Int64(count)
        }
        return true
    }
}

extension stat {
    /// In bytes.
    package var length: Int64 { Int64(st_size) }
    package var isRegular: Bool { st_mode & S_IFMT == S_IFREG }
    package var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
    package var lastModified: Date { Date(modified) }

    /// When anything of the file last changed, which no program can set.
    package var lastChange: Date { Date(changed) }
}

extension Date {
    fileprivate init(_ time: timespec) {
        self.init(timeIntervalSince1970: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
    }
}
