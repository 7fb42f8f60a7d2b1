import Foundation

/// One file of a photo.
public struct Rendition: Hashable, Sendable {
    /// The file's address, exactly as the service sent it: many are signed, and changing their escapes breaks them.
    public let url: URL

    /// The file's own size in pixels as the service says it, perhaps smaller than the photo's; `nil` if unknown.
    public internal(set) var size: PixelSize?

    /// The file's length as the service says it, from 1; `nil` if unknown.
    public internal(set) var bytes: Int64?

    /// Whether it shows a part of the photo only, as square thumbnails do.
    public internal(set) var isCropped: Bool

    /// A file at `url` of `size` pixels and `bytes` bytes.
    public init(url: URL, size: PixelSize?, bytes: Int64? = nil, isCropped: Bool = false) {
        (self.url, self.size) = (url, size)
        self.bytes = bytes.flatMap { $0 > 0 ? $0 : nil }
        self.isCropped = isCropped
    }
}

extension [Rendition] {
    /// These and `full`, smallest first, each address once with all that is said of it. `full` is never cropped, and
    /// comes last among equals; where its size is unknown, it has that of `photo`, and else is the largest.
    func sorted(with full: Rendition?, of photo: PixelSize? = nil) -> [Rendition] {
        var (files, positions) = ([Rendition](), [URL: Int]())
        for file in [full].compactMap(\.self) + self {
            if let position = positions[file.url] {
                files[position].size = files[position].size ?? file.size
                files[position].bytes = files[position].bytes ?? file.bytes
                files[position].isCropped = files[position].isCropped || file.isCropped
            } else {
                positions[file.url] = files.count
                files.append(file)
            }
        }
        if full != nil { files[0].isCropped = false }
        let ranks = files.indices.map { index in
            let isFull = full != nil && index == 0
            let edge = (files[index].size ?? (isFull ? photo : nil))?.longestEdge ?? (isFull ? .max : 0)
            return (edge, isFull ? files.count : index, index)
        }
        return ranks.sorted(by: <).map { files[$0.2] }
    }

    /// Of these, smallest first, the first uncropped one whose longer edge has at least so many pixels, else the last;
    /// `size` is that of the file at `full`, where the file itself has none.
    func rendition(longestEdge pixels: Int, full: URL? = nil, size: PixelSize? = nil) -> Rendition? {
        let whole = filter { !$0.isCropped }
        return whole.first { file in
            ((file.size ?? (file.url == full ? size : nil))?.longestEdge ?? 0) >= pixels
        } ?? whole.last
    }

    /// Of these, smallest first, the one to try once those at `failed` are of no use: larger ones first, then the next
    /// smaller. After three, the file at `full` is the last.
    func rendition(
        longestEdge pixels: Int, full: URL? = nil, size: PixelSize? = nil, without failed: Set<URL>
    ) -> Rendition? {
        let rest = failed.isEmpty ? self : filter { !failed.contains($0.url) }
        guard failed.count < 3 else { return rest.first { $0.url == full } }
        return rest.rendition(longestEdge: pixels, full: full, size: size)
    }

    /// All that are tried, one after the other.
    func ladder(longestEdge pixels: Int, full: URL? = nil, size: PixelSize? = nil) -> [Rendition] {
        var (ladder, tried) = ([Rendition](), Set<URL>())
        while let next = rendition(longestEdge: pixels, full: full, size: size, without: tried) {
            ladder.append(next)
            tried.insert(next.url)
        }
        return ladder
    }
}

/// Which of a photo's files.
public enum PhotoFileSize: RawRepresentable, Hashable, Sendable, Codable {
    /// The largest file that the service provides.
    case full
    /// The small file shown in lists.
    case thumbnail
    /// The smallest uncropped file whose longer edge has at least so many pixels, from 1, else the largest.
    case pixels(Int)

    /// The size written as `full`, `thumbnail`, or a number of pixels.
    public init?(rawValue: String) {
        switch rawValue {
        case "full": self = .full
        case "thumbnail": self = .thumbnail
        default:
            guard let pixels = Int(rawValue), pixels > 0, String(pixels) == rawValue else { return nil }
            self = .pixels(pixels)
        }
    }

    /// `full`, `thumbnail`, or the number of pixels.
    public var rawValue: String {
        switch self {
        case .full: "full"
        case .thumbnail: "thumbnail"
        case .pixels(let pixels): String(pixels)
        }
    }
}
