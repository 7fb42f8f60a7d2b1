import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A state file of lines that several processes change: each change reads, changes and replaces it under a lock.
///
/// A reader needs no lock, for the file is replaced in one step. These calls block.
struct StateLines: Sendable {
    let file: URL

    /// The lines, without empty ones; none where there is no file.
    ///
    /// - Throws: ``StateFileError`` where there is one and it cannot be read.
    func read() throws(StateFileError) -> [Data] {
        do {
            return try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).map { Data($0) }
        } catch CocoaError.fileReadNoSuchFile {
            return []
        } catch {
            throw .unreadable(path: file.path)
        }
    }

    /// Replaces the lines by what `body` makes of them; no other process does so meanwhile.
    func change(_ body: (inout [Data]) -> Void) throws(StateFileError) {
        let lock = try takeLock()
        defer { close(lock) }
        var lines = try read()
        let before = lines
        body(&lines)
        guard lines != before else { return }
        let data = Data(lines.map { $0 + [UInt8(ascii: "\n")] }.joined())
        do { try PrivateFile.replace(file, with: data) } catch { throw .unwritable(error) }
    }

    /// Of a file beside, for the file itself is another one after each change.
    private func takeLock() throws(StateFileError) -> Int32 {
        let path = file.path + ".lock"
        try? FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let lock = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw .unwritable(.failed(path: path, errno)) }
        // A file system without locks has but one user, we hope.
        while flock(lock, LOCK_EX) != 0, errno == EINTR {}
        return lock
    }
}

/// Why what was kept on this machine could not be read or changed.
public enum StateFileError: ActionableError, Hashable {
    /// The file at this path is there and cannot be read.
    case unreadable(path: String)
    /// It could not be written.
    case unwritable(PrivateFileError)

    /// One sentence that names the path.
    public var description: String {
        switch self {
        case .unreadable(let path): "'\(PlainText.line(path))' could not be read."
        case .unwritable(let error): error.description
        }
    }

    /// What to do about it.
    public var hint: String? {
        switch self {
        case .unreadable: "Check the file's permissions."
        case .unwritable(let error): error.hint
        }
    }
}
