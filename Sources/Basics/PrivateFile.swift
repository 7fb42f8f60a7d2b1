import Foundation

/// Files that only the user can read: settings, state, and cache.
package enum PrivateFile {
    /// Atomically replaces the file at `url` with `data`, as ``replace(_:mode:isDurable:write:)`` does.
    package static func replace(
        _ url: URL, with data: Data, mode: mode_t = 0o600, isDurable: Bool = true
    ) throws(PrivateFileError) {
        try replace(url, mode: mode, isDurable: isDurable) { file throws(SystemCall.Failure) in
            try SystemCall.write([UInt8](data), to: file)
        }
    }

    /// Atomically replaces the file at `url` with what `write` writes, with the permissions `mode`; missing folders get
    /// 0700. If `isDurable`, waits until it is on the storage device, so that a power failure leaves one of the two
    /// versions, and follows a link, as of settings that are elsewhere; not for a cache.
    ///
    /// - Throws: ``PrivateFileError`` with the path and the system's error number.
    package static func replace(
        _ url: URL, mode: mode_t = 0o600, isDurable: Bool = true,
        write: (Descriptor) throws(SystemCall.Failure) -> Void
    ) throws(PrivateFileError) {
        do throws(SystemCall.Failure) {
            let file = isDurable ? try Replacement.followed(url) : url
            let folder = try openFolder(file.deletingLastPathComponent())
            let draft = try FileDraft(of: file.lastPathComponent, in: folder, mode: mode)
            try write(draft.file)
            try draft.finish(over: isDurable ? .own(nil) : .any, isDurable: isDurable)
        } catch {
            throw .failed(path: url.path, error.code)
        }
    }

    private static func openFolder(_ folder: URL) throws(SystemCall.Failure) -> Descriptor {
        do { return try SystemCall.openFolder(folder.path) } catch  where error.code == ENOENT {}
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            let cause = (error as? CocoaError)?.userInfo[NSUnderlyingErrorKey] as? POSIXError
            throw SystemCall.Failure(code: cause?.code.rawValue ?? errno)
        }
        return try SystemCall.openFolder(folder.path)
    }
}

/// Why a state or cache file could not be read or written.
package enum PrivateFileError: ActionableError, Hashable {
    /// The file exists but cannot be read.
    case unreadable(path: String, WholeFile.Failure)
    /// It could not be written: the path and the system's error number.
    case failed(path: String, Int32)

    package var description: String {
        switch self {
        case .unreadable(let path, let problem): "'\(PlainText.line(path))' \(problem.problem)."
        case .failed(let path, let number):
            "'\(PlainText.line(path))' could not be written: \(String(cString: strerror(number)))."
        }
    }

    package var hint: String? {
        switch self {
        case .unreadable(_, .tooLong): "Move it away: it is longer than any that this program writes."
        case .unreadable: "Check the file's permissions."
        case .failed: "Check the folder's permissions and the free space on its disk."
        }
    }
}
