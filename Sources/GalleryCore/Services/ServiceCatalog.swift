import Foundation

/// A service as listed for users, and how to create it. To add one, write its file and its entry in ``ServiceCatalog``.
public struct ServiceEntry: Sendable {
    /// The name users type.
    public internal(set) var name: String
    /// A one-line description.
    public internal(set) var summary: String
    /// The feeds it has, by ``Feed/word``.
    public let feeds: [String]
    /// The rankings of its popular photos, the default first.
    public let rankings: [String]
    /// Whether it keeps the rankings of past days.
    public internal(set) var hasPastRankings = false
    /// The environment variable for its key or session; `nil` if it takes none.
    public internal(set) var keyVariable: String?
    /// What the variable holds, such as `a key`; `nil` if it takes none.
    public internal(set) var keyUse: String?

    /// The address of its API; empty for files on this machine.
    let official: String
    let policy: ServicePolicy
    /// The service for its API, or for the bundled catalog in a folder.
    let make: @Sendable (_ api: WebAPI, _ sample: URL) -> any PhotoService

    /// Its API at `base`, or at the official address.
    package func api(at base: URL? = nil, key: Secret? = nil) -> WebAPI {
        let base = base ?? URL(string: official) ?? URL(filePath: ".")
        return WebAPI(
            service: name, base: base, key: key, keyVariable: keyVariable,
            isOfficial: base.absoluteString == official)
    }
}

/// A service that the configuration names: another server, or another account, of a service that is known.
package struct ConfiguredService: Hashable, Sendable {
    /// The name users type.
    package let name: String
    /// The name of the service whose API it has.
    package let like: String
    /// Where its API is; `nil` for that service's address.
    package let base: URL?

    package init(name: String, like: String, base: URL?) {
        (self.name, self.like, self.base) = (name, like, base)
    }
}

/// All services, by name and by the addresses of their photos.
public struct ServiceCatalog: Sendable {
    /// The services as help lists them. For one, ask `entry(named:)`: definitions take a quarter of a short run's time.
    public static var entries: [ServiceEntry] { written + described }

    package static func entry(named name: String) -> ServiceEntry? {
        written.first { $0.name == name } ?? described.first { $0.name == name }
    }

    private static let described = SourceDefinition.bundled.map(\.entry)

    /// Those in Swift.
    private static let written: [ServiceEntry] =
        [
            ServiceEntry(
                name: Sample.word, summary: "Twelve bundled photos, offline.",
                feeds: ["popular", "search", "user"], rankings: ["popular"],
                official: "", policy: .local, make: { Sample(catalog: $1) }),
            ServiceEntry(
                name: "500px", summary: "Servers compatible with the 500px API, which 500px closed in 2018.",
                feeds: ["popular", "search", "user"], rankings: FiveHundredPixels.rankings,
                keyVariable: "GALLERY_500PX_KEY",
                keyUse:
                    "a key, if the server wants one; 500px closed its own API in 2018, so name a server by its base URL",
                // No rate limit is documented; popular is updated every five minutes, and the terms allow caching
                // for a day.
                official: "https://api.500px.com/v1", policy: .polite,
                make: { api, _ in FiveHundredPixels(api: api) }),
            ServiceEntry(
                name: "flickr", summary: "Flickr: interestingness by day, search, users, and favorites.",
                feeds: ["popular", "search", "user", "favorites"], rankings: Flickr.rankings,
                hasPastRankings: true, keyVariable: "GALLERY_FLICKR_KEY",
                keyUse: "a key; without one, lists have the latest 20 photos: of all, by tag, or of a user",
                official: "https://api.flickr.com/services/rest/", policy: .flickr,
                make: { api, _ in Flickr(api: api) }),
            ServiceEntry(
                name: "pixiv", summary: "Pixiv's website: rankings, search, and users without an account.",
                feeds: ["popular", "search", "user", "favorites"], rankings: Pixiv.rankings,
                // The cookie `PHPSESSID`.
                hasPastRankings: true, keyVariable: "GALLERY_PIXIV_SESSION",
                keyUse: "a session, for favorites and R-18 works",
                official: "https://www.pixiv.net", policy: .pixiv,
                make: { api, _ in Pixiv(api: api) }),
            ServiceEntry(
                name: "commons",
                summary: "Wikimedia Commons: featured pictures, that of the day, search, uploads. No key.",
                feeds: ["popular", "search", "user"], rankings: Commons.rankings, hasPastRankings: true,
                official: "https://commons.wikimedia.org/w/api.php", policy: .commons,
                make: { api, _ in Commons(api: api) }),
            ServiceEntry(
                name: WebFeed.word,
                summary: "The pictures of an RSS, Atom, or JSON feed, at its base URL. No key.",
                feeds: ["popular"], rankings: WebFeed.rankings,
                official: "", policy: .polite, make: { api, _ in WebFeed(api: api) }),
            ServiceEntry(
                name: IIIF.word,
                summary: "The pages of a IIIF manifest or collection, at its base URL. No key.",
                feeds: ["popular"], rankings: IIIF.rankings,
                official: "", policy: .polite,
                make: { api, _ in IIIF(api: api, language: IIIF.usualLanguage) }),
            ServiceEntry(
                name: Folder.word, summary: "The pictures of a folder on this machine, newest first.",
                feeds: ["popular", "search", "user"], rankings: Folder.rankings,
                official: "", policy: .local, make: { api, _ in Folder(folder: api.base) }),
        ]

    /// Whether a host counts requests by the operator that programs name: Wikimedia's, or `base` in their place.
    package static func countsByOperator(_ address: URL, base: URL?) -> Bool {
        CommonsTitle.isWikimedia(address) || base.map { WebOrigin($0) == WebOrigin(address) } ?? false
    }

    package static let bundled = Sample.word

    /// The names users type.
    public static var names: [String] { entries.map(\.name) }

    /// The names of services whose API can be at another address: all except those for files on this machine.
    package static var namesWithAPI: [String] { entries.filter { $0.policy != .local }.map(\.name) }

    /// The environment variables that hold keys and sessions, by service name.
    public static var keyVariables: [String: String] {
        Dictionary(
            entries.compactMap { entry in entry.keyVariable.map { (entry.name, $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    private let keys: [String: Secret]
    private let environment: [String: String]
    private var keyless: String?
    private let configured: [ConfiguredService]
    private let defined: [ServiceEntry]
    let sample: URL

    /// The services at their official addresses, without keys.
    public init() { self.init(keys: [:]) }

    /// The known services, those `configured`, and the user's `sources`, with keys and sessions by service,
    /// which the ``ServiceEntry/keyVariable`` of `environment` overrides; `sample` is `nil` for the installed catalog.
    package init(
        keys: [String: Secret], environment: [String: String] = [:], sample: URL? = nil,
        configured: [ConfiguredService] = [], sources: [SourceDefinition] = []
    ) {
        defined = sources.map(\.entry)
        (self.keys, self.environment) = (keys, environment)
        self.sample = sample ?? Sample.installed
        self.configured = configured
    }

    /// The same, of which the service called `name` gets no key.
    package func withoutKey(of name: String) -> ServiceCatalog {
        var catalog = self
        catalog.keyless = name
        return catalog
    }

    /// The services that are known, and those that the configuration names.
    package var entries: [ServiceEntry] { Self.entries + defined + configured.compactMap(Self.entry(of:)) }

    package func entry(named name: String) -> ServiceEntry? {
        configured.first { $0.name == name }.flatMap(Self.entry(of:)) ?? defined.first { $0.name == name }
            ?? Self.entry(named: name)
    }

    private static func entry(of service: ConfiguredService) -> ServiceEntry? {
        guard var entry = entry(named: service.like) else { return nil }
        entry.name = service.name
        entry.summary = "Like \(service.like), at \(service.base?.absoluteString ?? "its own address")."
        (entry.keyVariable, entry.keyUse) = (nil, nil)
        return entry
    }

    package func hasAPI(_ name: String) -> Bool { entry(named: name).map { $0.policy != .local } ?? false }

    func policy(of name: String, base: URL?) -> ServicePolicy {
        (entry(named: name)?.policy ?? .polite).of(base)
    }

    /// The service called `name`, at `base` if that is not the official API; throws `unsupported` if there is none.
    package func service(named name: String, base: URL?) throws(ServiceError) -> any PhotoService {
        guard let entry = entry(named: name) else {
            throw .unsupported(
                service: "gallery", what: "service '\(PlainText.excerpt(name))'", known: entries.map(\.name))
        }
        let base = base ?? configured.first { $0.name == name }?.base
        return entry.make(entry.api(at: base, key: key(of: entry)), sample)
    }

    private func key(of entry: ServiceEntry) -> Secret? {
        guard entry.name != keyless else { return nil }
        return entry.keyVariable.flatMap { environment[$0] }.flatMap { Secret($0) } ?? keys[entry.name]
    }

    /// Checks that a service has a feed, its ranking, and its date. An unknown service is reported elsewhere. Throws
    /// ``ServiceError/unsupported(service:what:known:)``, naming services with the feed, or the rankings.
    package func require(_ feed: Feed, of name: String) throws(ServiceError) {
        guard let entry = entry(named: name) else { return }
        guard entry.feeds.contains(feed.word) else {
            throw .unsupported(
                service: name, what: "feed '\(feed.word)'",
                known: entries.filter { $0.feeds.contains(feed.word) }.map(\.name))
        }
        guard case .popular(let ranking, let date) = feed else { return }
        if date != nil, !entry.hasPastRankings {
            throw .unsupported(service: name, what: "past rankings", known: [])
        }
        if let ranking, !entry.rankings.contains(ranking) {
            throw .unsupported(
                service: name, what: "ranking '\(PlainText.excerpt(ranking))'", known: entry.rankings)
        }
    }

    /// The photo whose web page or image is at this address; `nil` if no service knows the address. Its
    /// ``PhotoID/service`` names the service that ``PhotoLoader`` asks about it.
    public func photo(atPage page: URL) -> PhotoID? { first { $0.photo(atPage: page) } }

    /// The same, as a photo of the service `name` where that is another server of the one whose page it is. `bases` are
    /// where APIs are, by service: a wiki's pages are on the same host.
    package func photo(atPage page: URL, of name: String, at bases: [String: URL]) -> PhotoID? {
        guard let id = photo(atPage: page) else {
            let others = bases.sorted { $0.key < $1.key }.map { ($0.key, $0.value as URL?) }
            return (others + configured.map { ($0.name, $0.base) }).lazy
                .compactMap { try? self.service(named: $0, base: $1).photo(atPage: page) }.first
        }
        let isAnother = configured.contains { $0.name == name && $0.like == id.service }
        return isAnother ? PhotoID(service: name, value: id.value) : id
    }

    /// The service and feed with the photos of this web page, such as a user's; `nil` if no service knows the address.
    public func feed(atPage page: URL) -> (service: String, feed: Feed)? {
        first { service in service.feed(atPage: page).map { (service.name, $0) } }
    }

    /// Whether the address is a photo's, a list's, or a document's that some service reads.
    package func knows(_ address: URL) -> Bool {
        photo(atPage: address) != nil || feed(atPage: address) != nil || service(withBase: address) != nil
    }

    /// The service with this base, such as a feed's, by its form alone; `nil` for another form, or if another knows it.
    package func service(withBase address: URL) -> String? {
        guard let page = PageAddress(address), photo(atPage: address) == nil, feed(atPage: address) == nil
        else { return nil }
        return WebFeed.isFeed(page) ? WebFeed.word : IIIF.isManifest(page) ? IIIF.word : nil
    }

    package var namesListingTags: [String] {
        (Self.entries + defined).filter { $0.make($0.api(), sample).listsTags }.map(\.name)
    }

    private func first<Found>(_ find: (any PhotoService) -> Found?) -> Found? {
        let parts: [() -> [ServiceEntry]] = [{ Self.written }, { Self.described }, { defined }]
        for part in parts {
            for entry in part() { if let found = find(entry.make(entry.api(), sample)) { return found } }
        }
        return nil
    }
}

/// A service's request limits, and how long its answers stay valid.
public struct ServicePolicy: Hashable, Sendable {
    /// The purpose of a request: lists change often, details rarely.
    package enum Purpose: Hashable, Sendable {
        case list
        case details
    }

    /// How long lists and details are cached; `nil` for never.
    var lists, details: Duration?
    /// The rate limit for requests; `nil` for none. Several processes together may exceed it, and then receive a 429.
    var rate: RateLimit?
    /// The maximum number of concurrent requests, from 1.
    var requestsAtOnce: Int
    /// Codes that mean, in a reply with status 200, that the service is busy: as temporary as a 503.
    var busyCodes: Set<String> = []
    /// Seconds to wait after such a code without `Retry-After`; `nil` for the default backoff.
    var busyPause: Int?

    /// How long an answer for `purpose` is cached; `nil` for never.
    func lifetime(for purpose: Purpose) -> Duration? {
        switch purpose {
        case .list: lists
        case .details: details
        }
    }

    /// The policy of the service called `name`, with its API at `base` if that is not the official one. A server on
    /// this machine has no rate limit: the limits are those of the official hosts.
    package static func named(_ name: String, base: URL? = nil) -> ServicePolicy {
        (ServiceCatalog.entry(named: name)?.policy ?? polite).of(base)
    }

    fileprivate func of(_ base: URL?) -> ServicePolicy {
        var policy = self
        if let host = base?.host, Self.isThisMachine(host) { policy.rate = nil }
        return policy
    }

    private static func isThisMachine(_ host: String) -> Bool {
        let host = host.lowercased()
        let isNumber = host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
        return ["localhost", "::1", "[::1]"].contains(host) || isNumber && host.hasPrefix("127.")
    }
}

extension ServicePolicy {
    /// A policy: how long lists and photos' details are cached (`nil` for never), the average interval between requests
    /// (`nil` for no limit), and how many of them may follow at once, and how many run concurrently, each from 1.
    public init(
        lists: Duration?, details: Duration?, interval: Duration?, burst: Int = 1, requestsAtOnce: Int = 4
    ) {
        self.init(
            lists: lists, details: details, rate: interval.map { RateLimit(every: $0, burst: burst) },
            requestsAtOnce: requestsAtOnce)
    }

    /// Files on this machine: never cached, since reading them is as fast as reading a cache.
    static let local = ServicePolicy(lists: nil, details: nil, rate: nil, requestsAtOnce: 4)

    /// For services without their own: four requests at once, lists cached for five minutes, details for an hour.
    public static let polite = ServicePolicy(
        lists: .seconds(300), details: .seconds(3600), rate: nil, requestsAtOnce: 4)

    /// Sources: flickr.com/services/developer/api (3600 an hour); error 105 on every method's page, and
    /// 10 on the search's, which no other method used here has.
    static let flickr = ServicePolicy(
        lists: .seconds(600), details: .seconds(3600), rate: RateLimit(every: .seconds(1), burst: 10),
        requestsAtOnce: 4, busyCodes: ["10", "105"])

    /// Undocumented; people who send requests faster report bans. Rankings are updated once a day.
    static let pixiv = ServicePolicy(
        lists: .seconds(1800), details: .seconds(3600), rate: RateLimit(every: .seconds(1)),
        requestsAtOnce: 1)

    /// Sources: mediawiki.org, API:Etiquette (one request at a time) and Manual:Maxlag (5 seconds);
    /// and the search's own code for being busy.
    static let commons = ServicePolicy(
        lists: .seconds(1800), details: .seconds(3600), rate: RateLimit(every: .milliseconds(500)),
        requestsAtOnce: 1, busyCodes: ["maxlag", "ratelimited", "readonly", "cirrussearch-too-busy-error"],
        busyPause: 5)
}
