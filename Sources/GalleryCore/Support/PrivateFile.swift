import Foundation

/// Files of the user's own: state and cache, readable by nobody else.
public enum PrivateFile {
    /// Replaces the file at `url` by `data` in one step, so that readers and other
    /// processes see the old bytes or the new ones. Missing folders are made (0700).
    ///
    /// - Parameter mode: who may read it; the user alone, unless said otherwise.
    /// - Throws: ``PrivateFileError`` with the path and the system's reason.
    public static func replace(
        _ url: URL, with data: Data, mode: mode_t = 0o600
    ) throws(PrivateFileError) {
        try makeFolder(url.deletingLastPathComponent())
        let draft = url.path + ".\(UInt32.random(in: .min ... .max)).new"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw .failed(path: draft, errno) }
        var failure = data.withUnsafeBytes { write($0, to: descriptor) }
        if close(descriptor) != 0, failure == 0 { failure = errno }
        if failure == 0, rename(draft, url.path) != 0 { failure = errno }
        guard failure == 0 else {
            unlink(draft)
            throw .failed(path: url.path, failure)
        }
    }

    private static func makeFolder(_ folder: URL) throws(PrivateFileError) {
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .failed(path: folder.path, errno)
        }
    }

    /// 0, or the error number of the write that failed.
    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            #if canImport(Glibc)
                let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
            #else
                let count = Darwin.write(descriptor, rest.baseAddress, rest.count)
            #endif
            if count >= 0 { written += count } else if errno != EINTR { return errno }
        }
        return 0
    }
}

/// Why a file of the user's own could not be written.
public enum PrivateFileError: ActionableError, Hashable {
    /// The path and the system's error number.
    case failed(path: String, Int32)

    /// One sentence that names the path.
    public var description: String {
        switch self {
        case .failed(let path, let number):
            "'\(PlainText.line(path))' could not be written: \(String(cString: strerror(number)))."
        }
    }

    /// What to do about it.
    public var hint: String? { "Check the folder's permissions and the room on its disk." }
}
