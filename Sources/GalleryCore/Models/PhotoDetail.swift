import PictureFiles

/// What stage two adds to a photo: the camera, the location, the comments, every file. Camera values are as sent
/// (`1/640`, `f/8` or `8`): services disagree on units, and no conversion beats a wrong one.
public struct PhotoDetail: Hashable, Sendable {
    /// The photo, with what both stages know.
    public var photo: Photo
    /// The camera's name; `nil` if unknown.
    public var camera: String?
    /// The lens's name; `nil` if unknown.
    public var lens: String?
    /// Focal length as sent, usually in millimeters without a unit; `nil` if unknown.
    public var focalLength: String?
    /// Film speed as sent; `nil` if unknown.
    public var iso: String?
    /// Exposure time as sent, usually in seconds as a fraction; `nil` if unknown.
    public var shutterSpeed: String?
    /// The f-number as sent; `nil` if unknown.
    public var aperture: String?
    /// What the file's color profile calls itself, such as `Display P3`; `nil` if it has none or that is unknown.
    public var colorProfile: String?
    /// Degrees north, -90 to 90; `nil` if unknown.
    public var latitude: Double?
    /// Degrees east, -180 to 180; `nil` if unknown.
    public var longitude: Double?
    /// What the format of the file lacks, in words, where it is incomplete and shown all the same; otherwise `nil`.
    public var incomplete: String?
    /// Which file or block has which fields, in the order in which they count; empty except of a folder's pictures.
    package var origins: [MetadataOrigin] = []
    /// The number of comments, from 0; `nil` if unknown.
    public var comments: Int?
    /// The files of each page, smallest first, the full-size one last; empty if those of ``photo`` are the only ones.
    public var pages: [[Rendition]] = []

    /// Details of `photo`, with nothing added yet.
    public init(photo: Photo) { self.photo = photo }
}

extension PhotoDetail {
    /// The file in one size of each page, of a thumbnail that of the first; empty where there is none.
    package func renditions(_ size: PhotoFileSize) -> [Rendition] { ladders(size).compactMap(\.first) }

    /// The same, each followed by those to try in turn where it is not there, first those that `isPreferred`. A
    /// full-size file is followed by none, unless chosen for `edge` pixels: smaller ones would pass for the original.
    package func ladders(
        _ size: PhotoFileSize, edge: Int? = nil, preferring isPreferred: (Rendition) -> Bool = { _ in false }
    ) -> [[Rendition]] {
        func ladder(_ pixels: Int) -> [Rendition] {
            let parts = [photo.renditions.filter(isPreferred), photo.renditions].map {
                $0.ladder(longestEdge: pixels, full: photo.full?.url, size: photo.size)
            }
            return parts[0] + parts[1].filter { !parts[0].contains($0) }
        }
        switch size {
        case .thumbnail:
            guard let file = photo.thumbnail else { return [] }
            return [[file] + ladder(file.size?.longestEdge ?? 1).filter { $0.url != file.url }]
        case .full:
            guard pages.isEmpty else { return pages.map { Array($0.suffix(1)) } }
            guard let file = photo.full else { return [] }
            return [[file] + (edge.map(ladder) ?? []).filter { $0.url != file.url }]
        case .pixels(let pixels):
            // The first page would pass for the whole work.
            guard pages.isEmpty, photo.pageCount == 1 else {
                return pages.map { $0.ladder(longestEdge: pixels, full: $0.last?.url) }
            }
            return [ladder(pixels)]
        }
    }
}
