/// What stage two adds to a photo: the camera, the place, the comments, every file.
///
/// Camera values are the service's own words (`1/640`, `f/8` or `8`): services
/// disagree on units, and a value translated wrongly is worse than one shown as sent.
public struct PhotoDetail: Hashable, Sendable {
    /// The photo with everything both stages know.
    public let photo: Photo
    /// The camera's name; `nil` where unknown.
    public var camera: String?
    /// The lens's name; `nil` where unknown.
    public var lens: String?
    /// Focal length as sent, mostly millimetres without a unit; `nil` where unknown.
    public var focalLength: String?
    /// Film speed as sent; `nil` where unknown.
    public var iso: String?
    /// Exposure time as sent, mostly seconds as a fraction; `nil` where unknown.
    public var shutterSpeed: String?
    /// The f-number as sent; `nil` where unknown.
    public var aperture: String?
    /// Degrees north, -90 to 90; `nil` where unknown.
    public var latitude: Double?
    /// Degrees east, -180 to 180; `nil` where unknown.
    public var longitude: Double?
    /// Comments left on the photo, from 0; `nil` where unknown.
    public var comments: Int?
    /// The service's own category, by name; `nil` where it has none.
    public var category: String?
    /// The full-size file of each page, first page first; empty where the photo's
    /// one file is ``Photo/full``.
    public var pages: [Rendition] = []

    /// Details of `photo` that add nothing yet.
    public init(photo: Photo) {
        self.photo = photo
    }
}
