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
    /// Degrees north, -90 to 90; `nil` if unknown.
    public var latitude: Double?
    /// Degrees east, -180 to 180; `nil` if unknown.
    public var longitude: Double?
    /// The number of comments, from 0; `nil` if unknown.
    public var comments: Int?
    /// The full-size file of each page, in order; empty if ``Photo/full`` is the only file.
    public var pages: [Rendition] = []

    /// Details of `photo`, with nothing added yet.
    public init(photo: Photo) { self.photo = photo }
}
