import Foundation
import GalleryCore

extension BrowseSession {
    /// What a session needs.
    struct Setup: Sendable {
        let context: Context
        let sources: BrowseSources
        let files: BrowseFiles
        let picture: PictureChoice
        /// What `f` fetches through, and where to.
        let downloads: Downloader.Configuration
        let transport: any HTTPTransport
        let settings: FetchSettings
        let source: ServiceAddress
        let feed: Feed
        /// Where to open; `nil` for the place where one left.
        let index: Int?
        /// The photo that was listed there.
        let photo: PhotoID?
        let columns: Int?
    }
}
