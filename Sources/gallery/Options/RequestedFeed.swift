import Foundation
import GalleryCore

/// Which service, and where its API is.
struct ServiceAddress: Hashable, Sendable {
    let service: String
    let base: URL?
}

/// The feed that a line is about: the one that was listed last, unless the line names one.
struct RequestedFeed: Sendable {
    let source: ServiceAddress
    let feed: Feed
    /// What was shown of it; `nil` where the line names it, or nothing was listed yet.
    let shown: RememberedFeed?

    /// Reads the line, and what was listed last where the line names no feed.
    ///
    /// - Throws: a usage error where the environment names a service that there is not.
    init(_ context: Context, _ service: ServiceOptions, _ options: FeedOptions) throws {
        shown = service.namesSource || options.named != nil ? nil : context.remembered
        source =
            try shown.map { ServiceAddress(service: $0.service, base: $0.base) } ?? service.source(context)
        feed = shown?.feed ?? options.named ?? .popular()
    }
}
