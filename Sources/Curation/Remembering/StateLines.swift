import Basics
import Foundation

/// A state file of lines that several processes may change, each under a lock, by replacing it, so that readers need
/// none. Without lines it is removed; one that is a link stays one. All calls block.
struct StateLines: Sendable {
    let file: URL

    /// The lines that are not empty; none if there is no file.
    func read() throws(PrivateFileError) -> [Data] {
        do throws(WholeFile.Failure) {
            let data = try WholeFile.data(at: file.path, upTo: WholeFile.state, isOrdinary: true)
            return data.split(separator: UInt8(ascii: "\n")).map { Data($0) }
        } catch {
            if error == .missing { return [] }
            throw .unreadable(path: file.path, error)
        }
    }

    @discardableResult
    func change<Value>(_ body: (inout [Data]) -> Value) throws(PrivateFileError) -> Value {
        let lock = try lock()
        defer { withExtendedLifetime(lock) {} }
        var lines = try read()
        let before = lines
        let value = body(&lines)
        if lines.isEmpty, !before.isEmpty {
            do throws(SystemCall.Failure) {
                let file = try Replacement.followed(file)
                let folder = try SystemCall.openFolder(file.deletingLastPathComponent().path)
                try Replacement.own(nil).check(file.lastPathComponent, in: folder)
                try SystemCall.remove(file.lastPathComponent, from: folder)
            } catch { throw .failed(path: file.path, error.code) }
        } else if lines != before {
            try PrivateFile.replace(file, with: Data(lines.map { $0 + [UInt8(ascii: "\n")] }.joined()))
        }
        return value
    }

    /// Locks a second file, since the file itself is replaced by each change.
    private func lock() throws(PrivateFileError) -> Descriptor {
        let path = file.path + ".lock"
        try? FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        do throws(SystemCall.Failure) {
            let lock = try SystemCall.open(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
            try SystemCall.lock(lock, LOCK_EX)
            return lock
        } catch { throw .failed(path: path, error.code) }
    }
}
