/// What stage two adds to a photo: the camera, the location, the comments, every file.
///
/// Camera values are as the service sends them (`1/640`, `f/8` or `8`): services disagree
/// on units, and a wrong conversion is worse than none.
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
    /// The number of comments, from 0; `nil` if unknown.
    public var comments: Int?
    /// The files of each page in order, smallest first, the last one the full-size file; empty if those of
    /// ``photo`` are the only ones.
    public var pages: [[Rendition]] = []

    /// Details of `photo`, with nothing added yet.
    public init(photo: Photo) { self.photo = photo }
}

extension PhotoDetail {
    /// The file in one size of each page, of a thumbnail that of the first; empty where there is none.
    package func renditions(_ size: PhotoFileSize) -> [Rendition] {
        switch size {
        case .thumbnail: return [photo.thumbnail].compactMap(\.self)
        case .full: return pages.isEmpty ? [photo.full].compactMap(\.self) : pages.compactMap(\.last)
        case .pixels(let pixels):
            // The first page would pass for the whole work.
            guard pages.isEmpty, photo.pageCount == 1 else {
                return pages.compactMap { $0.rendition(longestEdge: pixels) }
            }
            return [photo.rendition(longestEdge: pixels)].compactMap(\.self)
        }
    }
}
