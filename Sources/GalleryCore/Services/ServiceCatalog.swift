import Foundation

/// A service as listed for users, and how to create it.
///
/// To add a service, write its file and add its entry to ``ServiceCatalog/entries``.
public struct ServiceEntry: Sendable {
    /// The name users type.
    public let name: String
    /// A one-line description.
    public let summary: String
    /// The feeds it has, by ``Feed/word``.
    public let feeds: [String]
    /// The rankings of its popular photos, the default first.
    public let rankings: [String]
    /// The environment variable for its key or session; `nil` if it takes none.
    public let keyVariable: String?
    /// What the variable holds, such as `a key`; `nil` if it takes none.
    public let keyUse: String?

    /// Its pace and its cache lifetimes.
    let policy: ServicePolicy

    let make: @Sendable (ServiceSettings) -> any PhotoService
}

extension ServiceEntry {
    /// The same kind of service under another name.
    fileprivate func renamed(_ service: ConfiguredService) -> ServiceEntry {
        ServiceEntry(
            name: service.name,
            summary: "Like \(name), at \(service.base?.absoluteString ?? "its own address").",
            feeds: feeds, rankings: rankings, keyVariable: nil, keyUse: nil, policy: policy, make: make)
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

    /// The service `name`, like another one.
    package init(name: String, like: String, base: URL?) {
        self.name = name
        self.like = like
        self.base = base
    }
}

/// What a service is created from.
struct ServiceSettings: Sendable {
    /// The name that its photos and errors carry.
    let name: String
    /// The base URL of its API, if not the official one; for the service `folder`, the folder.
    let base: URL?
    /// Its key or session, if one is set.
    let key: Secret?
    /// The environment variable for it; `nil` where there is none.
    let keyVariable: String?
    /// The bundled catalog.
    let sample: URL
}

/// All services, by name and by the addresses of their photos.
public struct ServiceCatalog: Sendable {
    /// The services in the order that help lists them.
    public static let entries: [ServiceEntry] = [
        ServiceEntry(
            name: Sample.word, summary: "Twelve bundled photos, offline.",
            feeds: ["popular", "search", "user"], rankings: ["popular"],
            keyVariable: nil, keyUse: nil,
            policy: .local, make: { Sample(catalog: $0.sample) }),
        ServiceEntry(
            name: "500px", summary: "Servers compatible with the 500px API, which 500px closed in 2018.",
            feeds: ["popular", "search", "user"], rankings: FiveHundredPixels.rankings,
            keyVariable: FiveHundredPixels.keyVariable,
            keyUse: "a key, if the server wants one",
            policy: .fiveHundredPixels,
            make: {
                FiveHundredPixels(name: $0.name, base: $0.base, key: $0.key, keyVariable: $0.keyVariable)
            }),
        ServiceEntry(
            name: "flickr", summary: "Flickr: interestingness by day, search, users, and favorites.",
            feeds: ["popular", "search", "user", "favorites"], rankings: Flickr.rankings,
            keyVariable: Flickr.keyVariable,
            keyUse: "a key", policy: .flickr,
            make: {
                Flickr(name: $0.name, base: $0.base, key: $0.key, keyVariable: $0.keyVariable)
            }),
        ServiceEntry(
            name: "pixiv", summary: "Pixiv's website: rankings, search, and users without an account.",
            feeds: ["popular", "search", "user", "favorites"], rankings: Pixiv.rankings,
            keyVariable: Pixiv.sessionVariable,
            keyUse: "a session, for favorites and R-18 works", policy: .pixiv,
            make: {
                Pixiv(name: $0.name, base: $0.base, session: $0.key, sessionVariable: $0.keyVariable)
            }),
        ServiceEntry(
            name: "commons", summary: "Wikimedia Commons: featured pictures, search, and uploads. No key.",
            feeds: ["popular", "search", "user"], rankings: Commons.rankings,
            keyVariable: nil, keyUse: nil, policy: .commons,
            make: { Commons(name: $0.name, base: $0.base) }),
        ServiceEntry(
            name: "openverse", summary: "Openverse: openly licensed images of many collections. No key.",
            feeds: ["popular", "search", "user"], rankings: Openverse.rankings,
            keyVariable: nil, keyUse: nil, policy: .openverse,
            make: { Openverse(name: $0.name, base: $0.base) }),
        ServiceEntry(
            name: "picsum", summary: "Lorem Picsum: about a thousand photographs for tests. No key.",
            feeds: ["popular"], rankings: Picsum.rankings,
            keyVariable: nil, keyUse: nil, policy: .polite, make: { Picsum(name: $0.name, base: $0.base) }),
        ServiceEntry(
            name: Folder.word, summary: "The pictures of a folder on this machine, newest first.",
            feeds: ["popular", "search", "user"], rankings: Folder.rankings,
            keyVariable: nil, keyUse: nil, policy: .local,
            make: { Folder(folder: $0.base ?? URL(filePath: ".")) }),
    ]

    /// The service whose photos are bundled with the program.
    package static let bundled = Sample.word

    /// The names users type.
    public static var names: [String] { entries.map(\.name) }

    /// The rankings of all services, each once.
    public static var rankings: [String] {
        entries.flatMap(\.rankings).reduce(into: []) { known, ranking in
            if !known.contains(ranking) { known.append(ranking) }
        }
    }

    /// The names of services whose API can be at another address: all except those for files on this machine.
    package static var namesWithAPI: [String] {
        names.filter { ![Sample.word, Folder.word].contains($0) }
    }

    /// The environment variables that hold keys and sessions, by service name.
    public static var keyVariables: [String: String] {
        Dictionary(
            entries.compactMap { entry in entry.keyVariable.map { (entry.name, $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    private let keys: [String: Secret]
    private let configured: [ConfiguredService]
    let sample: URL

    /// Creates a catalog.
    ///
    /// - Parameters:
    ///   - keys: the keys and sessions that are set, by service name.
    ///   - sample: the folder of the bundled catalog; `nil` for where it is installed.
    ///   - configured: services beside those that are known.
    package init(keys: [String: Secret], sample: URL? = nil, configured: [ConfiguredService] = []) {
        self.keys = keys
        self.sample = sample ?? Sample.installed
        self.configured = configured
    }

    /// The services that are known, and those that the configuration names.
    package var entries: [ServiceEntry] {
        Self.entries
            + configured.compactMap { service in
                Self.entries.first { $0.name == service.like }?.renamed(service)
            }
    }

    /// Whether the service called `name` has an API that can be at another address.
    package func hasAPI(_ name: String) -> Bool {
        Self.namesWithAPI.contains(name) || configured.contains { $0.name == name }
    }

    /// The policy of the service called `name`, with its API at `base` if that is not the official one.
    func policy(of name: String, base: URL?) -> ServicePolicy {
        .named(configured.first { $0.name == name }?.like ?? name, base: base)
    }

    /// The service called `name`, with its API at `base` if that is not the official one.
    ///
    /// - Throws: ``ServiceError/unsupported(service:what:known:)`` if there is no such service.
    package func service(named name: String, base: URL?) throws(ServiceError) -> any PhotoService {
        guard let entry = entries.first(where: { $0.name == name }) else {
            throw .unsupported(
                service: "gallery", what: "service '\(PlainText.excerpt(name))'", known: entries.map(\.name))
        }
        let base = base ?? configured.first { $0.name == name }?.base
        return entry.make(settings(entry, base: base, key: keys[name]))
    }

    /// Checks that a service has a feed.
    ///
    /// - Throws: ``ServiceError/unsupported(service:what:known:)``, naming the services that have the feed.
    package func require(_ feed: Feed, of name: String) throws(ServiceError) {
        let having = entries.filter { $0.feeds.contains(feed.word) }.map(\.name)
        if !having.contains(name) {
            throw .unsupported(service: name, what: "feed '\(feed.word)'", known: having)
        }
    }

    /// The photo whose web page or image is at this address; `nil` if no service knows the address.
    public func photo(atPage page: URL) -> PhotoID? {
        all.lazy.compactMap { $0.photo(atPage: page) }.first
    }

    /// The same, as a photo of the service `name` where that is another server of the one whose page it is.
    package func photo(atPage page: URL, of name: String) -> PhotoID? {
        guard let id = photo(atPage: page) else { return nil }
        let isAnother = configured.contains { $0.name == name && $0.like == id.service }
        return isAnother ? PhotoID(service: name, value: id.value) : id
    }

    /// The service and the feed that hold the photos of this web page, such as a user's or an album;
    /// `nil` if no service knows the address.
    public func feed(atPage page: URL) -> (service: String, feed: Feed)? {
        all.lazy.compactMap { service in service.feed(atPage: page).map { (service.name, $0) } }.first
    }

    /// The names of services whose lists tell tags.
    package var namesListingTags: [String] { all.filter(\.listsTags).map(\.name) }

    private var all: [any PhotoService] {
        Self.entries.map { $0.make(settings($0, base: nil, key: nil)) }
    }

    private func settings(_ entry: ServiceEntry, base: URL?, key: Secret?) -> ServiceSettings {
        ServiceSettings(
            name: entry.name, base: base, key: key, keyVariable: entry.keyVariable, sample: sample)
    }
}

/// A service's request limits, and how long its answers stay valid.
package struct ServicePolicy: Hashable, Sendable {
    /// The purpose of a request: lists change often, details rarely.
    enum Purpose: Hashable, Sendable {
        case list
        case details
    }

    /// How long a list is cached; `nil` for never.
    var lists: Duration?
    /// How long a photo's details are cached; `nil` for never.
    var details: Duration?
    /// The rate limit for requests; `nil` for none. It applies per process: several processes at once
    /// may together exceed what the service allows, and then receive its 429.
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

    /// The policy of the service called `name`, with its API at `base` if that is not the official one.
    ///
    /// A server on this machine has no rate limit: the limits are those of the official hosts.
    package static func named(_ name: String, base: URL? = nil) -> ServicePolicy {
        var policy = ServiceCatalog.entries.first { $0.name == name }?.policy ?? polite
        if let host = base?.host, isThisMachine(host) { policy.rate = nil }
        return policy
    }

    private static func isThisMachine(_ host: String) -> Bool {
        let host = host.lowercased()
        let isNumber = host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
        return ["localhost", "::1", "[::1]"].contains(host) || isNumber && host.hasPrefix("127.")
    }
}

extension ServicePolicy {
    /// Files on this machine: never cached, since reading them is as fast as reading a cache.
    static let local = ServicePolicy(lists: nil, details: nil, rate: nil, requestsAtOnce: 4)

    /// For services without their own policy.
    package static let polite = ServicePolicy(
        lists: .seconds(300), details: .seconds(3600), rate: nil, requestsAtOnce: 4)

    /// Sources: legacy API documentation, `feature` (popular is updated every 5 minutes); terms,
    /// which allow caching for 24 hours. No rate limit is documented.
    static let fiveHundredPixels = ServicePolicy(
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

    /// Measured for visitors without an account: 20 requests a minute, and 200 a day.
    static let openverse = ServicePolicy(
        lists: .seconds(3600), details: .seconds(3600), rate: RateLimit(every: .seconds(3), burst: 5),
        requestsAtOnce: 2)

    /// Sources: mediawiki.org, API:Etiquette (one request at a time) and Manual:Maxlag (5 seconds);
    /// and the search's own code for being busy.
    static let commons = ServicePolicy(
        lists: .seconds(1800), details: .seconds(3600), rate: RateLimit(every: .milliseconds(500)),
        requestsAtOnce: 1, busyCodes: ["maxlag", "ratelimited", "readonly", "cirrussearch-too-busy-error"],
        busyPause: 5)
}
