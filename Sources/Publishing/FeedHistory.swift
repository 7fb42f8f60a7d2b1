import Foundation
import GalleryCore

/// What a site's feed said before, so that readers see what is new on the page, and only that, as new.
package struct FeedHistory: Sendable {
    struct Entry: Hashable, Sendable {
        /// When the photo came to the page, in ISO 8601.
        let published: String
        let updated: String
        let text: String
    }

    /// What the feed of a site without an address is called: made once, and then kept in the feed itself.
    let site: String
    /// The moment of this run; `nil` where photos have dates enough.
    let now: Date?
    private(set) var entries: [String: Entry] = [:]
    private var anchors: Set<Int> = []
    private var oldest: String?
    /// When those came that the feed has no more.
    private var dates: [String: String] = [:]

    /// The history of a site that has none.
    init(site: String = "urn:uuid:00000000-0000-4000-8000-000000000000", now: Date? = nil) {
        (self.site, self.now) = (site, now)
    }

    /// That of the site in `top`, of whose files `record` tells.
    init(in top: DestinationFolder, _ record: SiteRecord, now: Date = .now) {
        func content(_ path: String) -> String? { SiteRecord.content(of: path, in: top) }
        let own = record.paths.filter { !$0.contains("/") }
        // One after the other: the pages of a long list are long.
        func contents(_ ending: String) -> some Sequence<String> {
            own.filter { $0.hasSuffix(ending) }.sorted().lazy.compactMap(content)
        }
        // Photos that the feed of all has no more may be in an album's.
        self.init(
            feed: content("feed.xml") ?? "", others: Array(contents(".xml")), pages: contents(".html"),
            record.dates, now: now)
    }

    /// What can be read in feeds and pages of the grid that were written here; nothing of any others.
    init(
        feed: String, others: [String] = [], pages: some Sequence<String>,
        _ dates: [String: String] = [:], now: Date
    ) {
        let known = Self.value("id", in: feed.components(separatedBy: "<entry>\n")[0])
        self.init(
            site: known.flatMap { $0.hasPrefix("urn:uuid:") ? $0 : nil }
                ?? "urn:uuid:\(UUID().uuidString.lowercased())", now: now)
        for part in (others + [feed]).flatMap({ $0.components(separatedBy: "<entry>\n").dropFirst() }) {
            let text = "<entry>\n" + (part.components(separatedBy: "</entry>\n").first ?? "") + "</entry>\n"
            guard let id = Self.value("id", in: text), let updated = Self.value("updated", in: text),
                let published = Self.value("published", in: text)
            else { continue }
            entries[id] = Entry(published: published, updated: updated, text: text)
        }
        for page in pages {
            for part in page.components(separatedBy: "<li id=\"").dropFirst() {
                guard let end = part.firstIndex(of: "\"") else { continue }
                anchors.insert(part[..<end].hashValue)
            }
        }
        oldest = entries.values.map(\.published).min()
        self.dates = dates
    }

    private static func value(_ name: String, in text: String) -> String? {
        guard let start = text.range(of: "<\(name)>"),
            let end = text.range(of: "</\(name)>", range: start.upperBound..<text.endIndex)
        else { return nil }
        return String(text[start.upperBound..<end.lowerBound])
    }

    /// When a photo came to the page: this run, unless the page had it.
    func published(_ id: String, anchor: String, _ photo: PublishedPhoto) -> String {
        if let known = entries[id]?.published ?? dates[id] { return known }
        guard let now else { return photo.updated.formatted(.iso8601) }
        guard anchors.contains(anchor[...].hashValue) else { return now.formatted(.iso8601) }
        // The feed had newer ones than this, and its file may have been touched since.
        return min(photo.added.formatted(.iso8601), oldest ?? "9")
    }
}
