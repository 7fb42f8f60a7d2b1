import Basics
import Foundation
import GalleryCore

/// A file that the user has named for a result. It appears when it is whole; a pipe or a device, such as a terminal, is
/// written to.
///
/// What is there already stays, unless it is a collage that nobody has changed, has no bytes, or the user says so. A
/// link is followed.
package struct NamedFile: Sendable {
    private let url: URL
    private let isForced: Bool

    /// - Parameter isForced: Whether the user said that it is to replace what is there.
    package init(_ url: URL, isForced: Bool = false) { (self.url, self.isForced) = (url, isForced) }

    /// Creates the file's folder if missing, and makes sure that the file may be written.
    package func prepare() async throws(PublishError) {
        try await Disk.run { () throws(PublishError) in _ = try draft() }
    }

    /// Writes what `content` hands over, piece by piece.
    package func write(
        _ content: @escaping @Sendable ((_ piece: [UInt8]) throws -> Void) throws -> Void
    ) async throws {
        try await Disk.run {
            let draft = try draft()
            // A pipe is open once somebody reads from it.
            let file =
                try draft?.file
                ?? PublishError.naming(url, failure, try SystemCall.open(path, O_WRONLY | O_NOCTTY))
            try content { bytes in
                try PublishError.naming(url, PublishError.cannotWrite, try SystemCall.write(bytes, to: file))
            }
            try PublishError.naming(url, failure, try draft?.finish(over: replaced, isDurable: false))
        }
    }

    private var path: String { url.path(percentEncoded: false) }

    private var replaced: Replacement {
        guard !isForced else { return .any }
        return .own { file, status throws(SystemCall.Failure) in
            try CollageMark.isOn(file, status.length) || status.length == 0
        }
    }

    private func failure(_ path: String, _ error: SystemCall.Failure) -> PublishError {
        error.code == EEXIST && !isForced
            ? .taken(path: path) : .cannotCreate(path: path, reason: error.reason)
    }

    /// `nil` where a pipe or a device of characters has the name.
    private func draft() throws(PublishError) -> FileDraft? {
        var status = stat()
        if stat(path, &status) == 0, [S_IFIFO, S_IFCHR].contains(status.st_mode & S_IFMT) { return nil }
        let file = try PublishError.naming(url, failure, try Replacement.followed(url))
        let folder = try PublishError.creating(
            file, try DestinationFolder(creating: file.deletingLastPathComponent()).root)
        let name = file.lastPathComponent
        // What a run that was killed has left.
        let left = try? SystemCall.names(in: folder) { draft, _ in FileDraft.name(of: draft) == name }
        for draft in left ?? [] { FileDraft.clear(draft, in: folder) }
        let draft = try PublishError.naming(url, failure, try FileDraft(of: name, in: folder, mode: 0o666))
        try PublishError.naming(
            url, failure,
            try replaced.check(name, in: folder, owner: SystemCall.status(of: draft.file).st_uid))
        return draft
    }
}
