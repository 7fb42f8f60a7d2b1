import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Writes a collage to a file, which appears when it is whole.
public struct CollagePublisher: Sendable {
    /// The file.
    public let file: URL

    /// A publisher to `file`, whose folder is created if missing.
    public init(_ file: URL) { self.file = file }

    /// Creates the file's folder if missing, and makes sure that it may be written to.
    public func prepare() async throws(PublishError) {
        try await Disk.run { () throws(PublishError) in
            let draft = try CollageDraft(for: file)
            draft.discard()
        }
    }

    /// Writes `collage`, replacing the file if there is one.
    public func publish(_ collage: Collage) async throws(PublishError) {
        try await Disk.run { () throws(PublishError) in
            let draft = try CollageDraft(for: file)
            do throws(PublishError) {
                var open: (picture: Collage.Picture, file: Descriptor)?
                try collage.write { (picture, offset, count) throws(PublishError) in
                    if open?.picture != picture { open = (picture, try Self.open(picture)) }
                    guard let file = open?.file else { return [] }
                    return try Self.bytes(of: file, at: offset, count: count, picture)
                } to: { (text) throws(PublishError) in
                    try draft.write(text)
                }
                try draft.finish()
            } catch {
                draft.discard()
                throw error
            }
        }
    }

    private static func open(_ picture: Collage.Picture) throws(PublishError) -> Descriptor {
        do throws(SystemCall.Failure) {
            let folder = try DestinationFolder(existing: picture.file.deletingLastPathComponent())
            if let file = try folder.open(picture.file.lastPathComponent) { return file }
            throw SystemCall.Failure(code: ENOENT)
        } catch {
            throw .cannotRead(path: PlainText.line(picture.file.path), reason: error.reason)
        }
    }

    private static func bytes(
        of file: Descriptor, at offset: Int64, count: Int, _ picture: Collage.Picture
    ) throws(PublishError) -> [UInt8] {
        do throws(SystemCall.Failure) { return try SystemCall.read(file, at: offset, count: count) } catch {
            throw .cannotRead(path: PlainText.line(picture.file.path), reason: error.reason)
        }
    }
}

/// A file that is being written beside the one that it will replace.
private final class CollageDraft {
    private let path: String
    private let name: String
    private let draft: String
    private let folder: Descriptor
    private let file: Descriptor

    init(for file: URL) throws(PublishError) {
        path = PlainText.line(file.path(percentEncoded: false))
        name = file.lastPathComponent
        draft = ".\(UInt32.random(in: .min ... .max)).svg.new"
        do throws(DownloadError) {
            folder = try DestinationFolder(creating: file.deletingLastPathComponent()).root
        } catch {
            throw .cannotCreate(path: path, reason: "its folder could not be created")
        }
        do throws(SystemCall.Failure) {
            if let status = try SystemCall.status(of: name, in: folder), status.isFolder {
                throw SystemCall.Failure(code: EISDIR)
            }
            self.file = try SystemCall.open(draft, in: folder, O_WRONLY | O_CREAT | O_EXCL, mode: 0o666)
        } catch {
            throw .cannotCreate(path: path, reason: error.reason, code: error.code)
        }
    }

    func write(_ text: String) throws(PublishError) {
        do throws(SystemCall.Failure) { try SystemCall.write(Array(text.utf8), to: file) } catch {
            throw .cannotWrite(path: path, reason: error.reason, code: error.code)
        }
    }

    func finish() throws(PublishError) {
        do throws(SystemCall.Failure) {
            try SystemCall.rename(draft, to: name, in: folder)
        } catch {
            throw .cannotWrite(path: path, reason: error.reason, code: error.code)
        }
    }

    func discard() { try? SystemCall.remove(draft, from: folder) }
}
