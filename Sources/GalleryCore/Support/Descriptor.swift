import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An open file or folder, closed with its last reference.
final class Descriptor: Sendable {
    let number: Int32

    init(_ number: Int32) {
        self.number = number
    }

    deinit {
        close(number)
    }

    /// Takes the lock of the open file, as flock(2) has it. A file system without locks has but one user,
    /// we hope: there this does nothing.
    func lock(_ operation: Int32) throws(SystemCall.Failure) {
        do {
            try SystemCall.check { flock(number, operation) }
        } catch  where [ENOLCK, ENOTSUP, EOPNOTSUPP, ENOSYS, EINVAL].contains(error.code) {}
    }
}

/// Calls to the system with their two nuisances, interruption and `errno`, put away.
enum SystemCall {
    /// A failed call: `errno` and its text.
    struct Failure: Error, Hashable {
        let code: Int32

        /// Plain text, such as `No space left on device`.
        var reason: String { String(cString: strerror(code)) }

        /// The reasons that room on the disk, or leave to take it, would do away with.
        static let lackOfRoom = [ENOSPC, EDQUOT, EFBIG].map { Failure(code: $0).reason }
    }

    /// The result of `call`, repeated while a signal interrupts it; negative results are failures.
    @discardableResult
    static func check<Number: FixedWidthInteger>(_ call: () -> Number) throws(Failure) -> Number {
        while true {
            let result = call()
            if result >= 0 { return result }
            if errno != EINTR { throw Failure(code: errno) }
        }
    }

    /// Opens `name` in `folder`; never through a link, never waiting for a pipe's other end.
    static func open(
        _ name: String, in folder: Descriptor, _ flags: Int32, mode: mode_t = 0
    ) throws(Failure) -> Descriptor {
        Descriptor(
            try check { openat(folder.number, name, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, mode) })
    }

    /// What stands under `name` in `folder`, links not followed; `nil` for nothing.
    static func status(of name: String, in folder: Descriptor) throws(Failure) -> stat? {
        var result = stat()
        do {
            try check { fstatat(folder.number, name, &result, AT_SYMLINK_NOFOLLOW) }
            return result
        } catch  where error.code == ENOENT {
            return nil
        }
    }

    /// What an open file is.
    static func status(of file: Descriptor) throws(Failure) -> stat {
        var result = stat()
        try check { fstat(file.number, &result) }
        return result
    }

    /// Removes `name` from `folder`, if it is there.
    static func remove(_ name: String, from folder: Descriptor) throws(Failure) {
        do { try check { unlinkat(folder.number, name, 0) } } catch  where error.code == ENOENT {}
    }

    /// Writes all of `bytes` at `offset`, or at the end of a file opened with `O_APPEND`.
    static func write(
        _ bytes: UnsafeRawBufferPointer, to file: Descriptor, at offset: Int64?
    ) throws(Failure) {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            done += try check {
                if let offset {
                    pwrite(file.number, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
                } else {
                    Self.systemWrite(file.number, rest)
                }
            }
        }
    }

    /// Writes all of `bytes` where the file stands, or at the end of one opened with `O_APPEND`.
    static func write(_ bytes: [UInt8], to file: Descriptor) throws(Failure) {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(Failure) in try write(bytes, to: file, at: nil) }
        }
        try result.get()
    }

    private static func systemWrite(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
            Glibc.write(file, bytes.baseAddress, bytes.count)
        #else
            Darwin.write(file, bytes.baseAddress, bytes.count)
        #endif
    }

    /// At most `count` bytes of `file` from `offset`; fewer only at its end.
    static func read(_ file: Descriptor, at offset: Int64, count: Int) throws(Failure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = try check {
                bytes.withUnsafeMutableBytes {
                    pread(
                        file.number, $0.baseAddress.map { $0 + done }, count - done,
                        off_t(offset) + off_t(done))
                }
            }
            if got == 0 { break }
            done += got
        }
        bytes.removeLast(count - done)
        return bytes
    }
}

extension stat {
    /// Bytes.
    var length: Int64 { Int64(st_size) }
    var isRegular: Bool { st_mode & S_IFMT == S_IFREG }
    var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
}

/// Runs work that blocks on the disk away from the threads that tasks share.
enum Disk {
    private static let queue = DispatchQueue(label: "gallery.disk", attributes: .concurrent)

    /// Runs `work` so much later, whatever becomes of the caller.
    static func run(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
        let (seconds, attoseconds) = delay.components
        let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds), execute: work)
    }

    /// The result of `work`, run where it may block.
    static func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { waiter in
            queue.async { waiter.resume(returning: Result(catching: work)) }
        }
        return try result.get()
    }
}
