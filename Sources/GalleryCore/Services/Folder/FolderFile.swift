import Foundation
import PictureFiles

/// The kind of a file in a folder, according to its contents.
enum FolderFile {
    /// A picture, its size if it gives that, and what its format lacks; `nil` for a complete one.
    case picture(PictureType, PixelSize?, lack: String?)
    /// A file named like a picture that is not one, or one without a readable head, and why.
    case broken(reason: String)
    /// Neither a picture nor named like one.
    case foreign(ForeignContent.Kind)
    /// Missing, or not a regular file.
    case gone

    /// Examines the file at `path`, which may be a link that stays below `root`.
    ///
    /// - Parameter found: called for a picture, with what reads what else its file holds.
    init(at path: String, below root: String, found: (() -> Contents) -> Void = { _ in }) {
        do throws(SystemCall.Failure) {
            guard let (file, status) = try Self.open(path, below: root) else {
                self = .gone
                return
            }
            switch try PictureFile.examine(descriptor: file.number, length: status.length, named: path) {
            case .whole(let type, let size):
                self = .picture(type, size, lack: nil)
                found { Contents(of: file, status, type, size) }
            case .damaged(let reason):
                // Decoders show what there is of it.
                let bytes = PictureBytes(descriptor: file.number, length: status.length)
                guard let header = ImageHeader(bytes, named: path), let size = header.size else {
                    self = .broken(reason: "the picture is broken: \(reason)")
                    return
                }
                self = .picture(header.type, size, lack: reason)
                found { Contents(of: file, status, header.type, size) }
            case .notAPicture(let found):
                guard Self.stem(path) == path else {
                    self = .broken(reason: "it is no picture: it holds \(found)")
                    return
                }
                let start = try SystemCall.read(file, at: 0, count: ForeignContent.bytesNeeded)
                self = .foreign(Self.kind(of: start, path))
            }
        } catch  where error.code == ENOENT {
            self = .gone
        } catch {
            // An unreadable file is reported only if it is named like a picture.
            self = Self.stem(path) == path ? .foreign(.other) : .broken(reason: error.reason)
        }
    }

    /// Office documents look like archives.
    private static func kind(of start: [UInt8], _ path: String) -> ForeignContent.Kind {
        let kind = ForeignContent(firstBytes: start).kind
        let documents = ["docx", "xlsx", "pptx", "odt", "ods", "odp", "epub", "pages", "numbers", "key"]
        let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
        return kind == .archive && documents.contains(ending) ? .document : kind
    }

    /// The bytes of a file next to a picture, at most `limit`; `nil` if it is longer, or leads outside.
    static func text(at path: String, below root: String, limit: Int64) -> [UInt8]? {
        guard let (file, status) = try? open(path, below: root), status.length <= limit else { return nil }
        return try? SystemCall.read(file, at: 0, count: Int(status.length))
    }

    // MARK: - Metadata and thumbnail

    /// What a picture's file holds besides the picture.
    struct Contents: Sendable {
        var metadata = PictureMetadata()
        /// The camera's thumbnail, if that is usable.
        var thumbnail: EmbeddedThumbnail?
        var thumbnailFile: (size: PixelSize, bytes: Int)?
        /// The size of the JPEG in a raw file.
        var preview: PixelSize?
        /// The file's length, and when it was changed, in seconds since 1970; `nil` if it cannot be read.
        var length, modified: Int64?

        fileprivate init() {}

        fileprivate init(of file: Descriptor, _ status: stat, _ type: PictureType, _ size: PixelSize?) {
            let bytes = PictureBytes(descriptor: file.number, length: status.length)
            metadata = PictureMetadata(bytes, type)
            thumbnail = EmbeddedThumbnail(file, metadata, type, size)
            thumbnailFile = thumbnail.map { ($0.size, $0.bytes.count) }
            preview = RawPreview.size(bytes, type, orientation: metadata.orientation)
            (length, modified) = (status.length, Int64(status.modified.tv_sec))
        }

        var withoutThumbnail: Contents {
            var contents = self
            contents.thumbnail = nil
            return contents
        }
    }

    static func contents(
        at path: String, below root: String, _ type: PictureType, _ size: PixelSize?
    ) -> Contents {
        guard let (file, status) = try? open(path, below: root) else { return Contents() }
        return Contents(of: file, status, type, size)
    }

    /// The JPEG in the raw file at `path`, turned as the file says; `nil` where there is none.
    static func preview(at path: String, below root: String, _ type: PictureType) -> [UInt8]? {
        guard let (file, status) = try? open(path, below: root) else { return nil }
        return ConversionSource(descriptor: file.number, length: status.length, type).preview
    }

    // MARK: - Files

    /// The address of the file at `path`, which is absolute and has no empty part.
    ///
    /// Encoded by hand: a name may contain a line break, a question mark, or a percent sign.
    static func address(_ path: String) -> URL {
        URL(string: "file://" + PercentEncoding.encoded(path, keeping: ",/")) ?? URL(filePath: path)
    }

    static func name(_ path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[$0...].dropFirst()) } ?? path
    }

    /// The name without a picture's extension, if it has one.
    static func stem(_ name: String) -> String {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex,
            PictureType(fileExtension: name[dot...].dropFirst()) != nil
        else { return name }
        return String(name[..<dot])
    }

    /// The file and its status; `nil` if it is not a regular file, or a link that leads outside.
    private static func open(
        _ path: String, below root: String
    ) throws(SystemCall.Failure) -> (Descriptor, stat)? {
        let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        let file: Descriptor
        do {
            file = Descriptor(try SystemCall.check { systemOpen(path, flags) })
        } catch  where error.code == ELOOP {
            guard let target = FolderScan.resolve(path, below: root) else { return nil }
            file = Descriptor(try SystemCall.check { systemOpen(target, flags) })
        }
        let status = try SystemCall.status(of: file)
        return status.isRegular ? (file, status) : nil
    }
}

private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }

extension Folder {
    /// The rating of a picture, from 0 to 5, as the XMP file beside it says it, or else the picture itself; `nil` where
    /// neither does. Blocks.
    package static func rating(of picture: URL) -> Int? {
        let path = picture.path(percentEncoded: false)
        let folder = String(path.dropLast(FolderFile.name(path).count))
        if let rating = FilesBeside(path, below: folder, FilesBeside.xmp).before.rating { return rating }
        var own: Int?
        _ = FolderFile(at: path, below: folder) { own = $0().metadata.rating }
        return own
    }
}

/// The small JPEG that a camera stored in a picture's file, oriented like the picture.
struct EmbeddedThumbnail: Hashable, Sendable {
    let bytes: [UInt8]
    let size: PixelSize

    /// The maximum in bytes; cameras stay below 64 KiB.
    private static let limit = 256 * 1024

    /// `nil` if there is none, it is incomplete, or its proportions differ from the picture's: some cameras
    /// store a 3:2 picture as a 4:3 thumbnail with black bars.
    init?(_ file: Descriptor, _ metadata: PictureMetadata, _ type: PictureType, _ size: PixelSize?) {
        guard let range = metadata.thumbnail, range.count <= Self.limit, let size,
            let bytes = try? SystemCall.read(file, at: Int64(range.lowerBound), count: range.count)
        else { return nil }
        self.init(bytes, orientation: type.heedsEXIFOrientation ? metadata.orientation : nil, of: size)
    }

    init?(_ bytes: [UInt8], orientation: Int?, of picture: PixelSize) {
        guard case .whole(.jpeg, let stored?) = PictureFile.examine(PictureBytes(bytes)) else { return nil }
        let size = stored.upright(orientation)
        let proportion = Double(size.width) / Double(size.height)
        let wanted = Double(picture.width) / Double(picture.height)
        guard abs(proportion / wanted - 1) < 0.02 else { return nil }
        self.size = size
        // The thumbnail itself says none.
        self.bytes = orientation.map { $0 > 1 ? Turning.adding($0, to: bytes) : bytes } ?? bytes
    }
}
