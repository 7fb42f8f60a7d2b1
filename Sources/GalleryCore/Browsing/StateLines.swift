import Foundation

/// A state file of lines that several processes may change.
///
/// Each change is made under a lock and replaces the file atomically, so readers need no lock. All calls
/// block.
struct StateLines: Sendable {
    let file: URL

    /// The lines that are not empty; none if there is no file.
    ///
    /// - Throws: ``StateFileError`` if the file exists but cannot be read.
    func read() throws(StateFileError) -> [Data] {
        do {
            return try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).map { Data($0) }
        } catch CocoaError.fileReadNoSuchFile {
            return []
        } catch {
            throw .unreadable(path: file.path)
        }
    }

    /// Changes the lines, while no other process does.
    func change(_ body: (inout [Data]) -> Void) throws(StateFileError) {
        let lock = try lock()
        defer { withExtendedLifetime(lock) {} }
        var lines = try read()
        let before = lines
        body(&lines)
        guard lines != before else { return }
        let data = Data(lines.map { $0 + [UInt8(ascii: "\n")] }.joined())
        do { try PrivateFile.replace(file, with: data) } catch { throw .unwritable(error) }
    }

    /// Locks a second file, since the file itself is replaced by each change.
    private func lock() throws(StateFileError) -> Descriptor {
        let path = file.path + ".lock"
        try? FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        do throws(SystemCall.Failure) {
            let lock = try SystemCall.open(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
            try SystemCall.lock(lock, LOCK_EX)
            return lock
        } catch {
            throw .unwritable(.failed(path: path, error.code))
        }
    }
}

/// Why a state file could not be read or changed.
package enum StateFileError: ActionableError, Hashable {
    /// The file exists but cannot be read.
    case unreadable(path: String)
    /// The file could not be written.
    case unwritable(PrivateFileError)

    /// One sentence that names the path.
    package var description: String {
        switch self {
        case .unreadable(let path): "'\(PlainText.line(path))' could not be read."
        case .unwritable(let error): error.description
        }
    }

    /// What to do about it.
    package var hint: String? {
        switch self {
        case .unreadable: "Check the file's permissions."
        case .unwritable(let error): error.hint
        }
    }
}
