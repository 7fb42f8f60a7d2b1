import Foundation

/// One file of a photo that a service offers.
public struct Rendition: Hashable, Sendable {
    /// Where the file is, exactly as the service spelled it: image addresses are
    /// often signed and break when their escapes are touched.
    public let url: URL

    /// The file's own size in pixels, which may be below the photo's; `nil` where
    /// the service does not say and it cannot be worked out.
    public let size: PixelSize?

    /// A file at `url` of `size` pixels.
    public init(url: URL, size: PixelSize?) {
        self.url = url
        self.size = size
    }
}
