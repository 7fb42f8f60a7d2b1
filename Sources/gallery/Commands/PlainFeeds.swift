import Curation
import Foundation
import GalleryCore

// Feeds of `browse --plain`, and which of their photos are shown.

extension PlainBrowse {
    mutating func open(_ source: ServiceAddress, _ feed: FeedReference) async throws {
        try await enter(source, feed, at: nil)
        try print(places.last?.title ?? "")
        try await show()
    }

    mutating func enter(_ text: String) async throws {
        guard let here = places.last else { return }
        let catalog = setup.sources.loaders.catalog
        guard let wish = FeedWish(text, isService: { (try? catalog.service(named: $0, base: nil)) != nil })
        else { return try say(.init(text: FeedWish.rule, isError: true)) }
        let isHere = wish.service == nil || wish.service == here.source.service
        let source = wish.service.map { ServiceAddress(service: $0, base: nil) } ?? here.source
        try await open(isHere ? here.source : source, wish.feed)
    }

    mutating func sort() async throws {
        guard let here = places.last, let feed = BrowseLevel.nextOrder(of: here.feed, at: here.source) else {
            return try say(.init(text: BrowseWords.noOrder, isError: true))
        }
        try await enter(here.source, feed, at: 1)
        places.remove(at: places.count - 2)
        places[places.count - 1].filter = here.filter
        try print(places.last?.title ?? "")
        try await show()
    }

    /// Shows only some of the feed's photos, or all: the one that is shown if it is among them, or the next one.
    mutating func filter(by filter: BrowseFilter?) async throws {
        guard let here = places.last else { return }
        places[places.count - 1].filter = filter
        if try await move(by: 1, from: here.index - 1) { return }
        if try await move(by: 1, from: 0) { return }
        try print("No photo meets these conditions.")
    }

    mutating func go(toDate text: String) async throws {
        let search = PhotoSearch(text: text, isDate: true)
        guard try await !move(by: 1, from: 0, where: search.matches) else { return }
        try print("No photo is of \(text).")
    }
}
