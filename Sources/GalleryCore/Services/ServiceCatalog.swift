import Foundation

/// What users are told of a service, and how it is made.
///
/// To add a service: write its file, and add its entry to ``ServiceCatalog/entries``.
public struct ServiceEntry: Sendable {
    /// The word users type.
    public let name: String
    /// One line about it.
    public let summary: String
    /// The feeds it has, by ``Feed/word``.
    public let feeds: [String]
    /// The environment variable that holds its key or session; `nil` where it takes none.
    public let keyVariable: String?
    /// What the key is for, such as `a key`; `nil` where it takes none.
    public let keyUse: String?

    /// How it wants to be asked, and how long its answers hold.
    let policy: ServicePolicy

    let make: @Sendable (ServiceSettings) -> any PhotoService
}

/// What a service is made from.
struct ServiceSettings: Sendable {
    /// Where its API is, if not at the official address; of the service `folder`, the folder.
    let base: URL?
    /// Its key or session, where one is set.
    let key: Secret?
    /// The bundled catalogue.
    let sample: URL
}

/// Every service, by the word users type and by its photos' pages.
public struct ServiceCatalog: Sendable {
    /// The services in the order in which help lists them.
    public static let entries: [ServiceEntry] = [
        ServiceEntry(
            name: Sample.word, summary: "Twelve bundled photos, offline.",
            feeds: ["popular", "search", "user"], keyVariable: nil, keyUse: nil,
            policy: .local, make: { Sample(catalogue: $0.sample) }),
        ServiceEntry(
            name: "500px", summary: "Servers compatible with the 500px API, which 500px closed in 2018.",
            feeds: ["popular", "search", "user"], keyVariable: FiveHundredPixels.keyVariable,
            keyUse: "a key, if the server wants one",
            policy: .fiveHundredPixels, make: { FiveHundredPixels(base: $0.base, key: $0.key) }),
        ServiceEntry(
            name: "flickr", summary: "Flickr: interestingness by day, search, users, and favorites.",
            feeds: ["popular", "search", "user", "favorites"], keyVariable: Flickr.keyVariable,
            keyUse: "a key", policy: .flickr, make: { Flickr(base: $0.base, key: $0.key) }),
        ServiceEntry(
            name: "pixiv", summary: "Pixiv's website: rankings, search, and users without an account.",
            feeds: ["popular", "search", "user", "favorites"], keyVariable: Pixiv.sessionVariable,
            keyUse: "a session, for favorites and R-18 works", policy: .pixiv,
            make: { Pixiv(base: $0.base, session: $0.key) }),
        ServiceEntry(
            name: "commons", summary: "Wikimedia Commons: featured pictures, search, and uploads. No key.",
            feeds: ["popular", "search", "user"], keyVariable: nil, keyUse: nil, policy: .commons,
            make: { Commons(base: $0.base) }),
        ServiceEntry(
            name: Folder.word, summary: "The pictures of a folder on this machine, newest first.",
            feeds: ["popular", "search", "user"], keyVariable: nil, keyUse: nil, policy: .local,
            make: { Folder(folder: $0.base ?? URL(filePath: ".")) }),
    ]

    /// The words users type.
    public static var names: [String] { entries.map(\.name) }

    /// The environment variables that hold keys and sessions, by service name.
    public static var keyVariables: [String: String] {
        Dictionary(
            entries.compactMap { entry in entry.keyVariable.map { (entry.name, $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    private let keys: [String: Secret]
    private let sample: URL

    /// A catalog.
    ///
    /// - Parameters:
    ///   - keys: keys and sessions by service name, as far as they are set.
    ///   - sample: the folder of the bundled catalogue.
    public init(keys: [String: Secret], sample: URL) {
        self.keys = keys
        self.sample = sample
    }

    /// The service called `name`, with its API at `base` where that is not the official one.
    ///
    /// - Throws: ``ServiceError/unsupported(service:what:known:)`` where there is no such service.
    public func service(named name: String, base: URL?) throws(ServiceError) -> any PhotoService {
        guard let entry = Self.entries.first(where: { $0.name == name }) else {
            throw .unsupported(
                service: "gallery", what: "service '\(PlainText.excerpt(name))'", known: Self.names)
        }
        return entry.make(ServiceSettings(base: base, key: keys[name], sample: sample))
    }

    /// - Throws: ``ServiceError/unsupported(service:what:known:)`` that names the services which have
    ///   the feed, where this one lacks it.
    public func require(_ feed: Feed, of name: String) throws(ServiceError) {
        let having = Self.entries.filter { $0.feeds.contains(feed.word) }.map(\.name)
        if feed != .marked, !having.contains(name) {
            throw .unsupported(service: name, what: "feed '\(feed.word)'", known: having)
        }
    }

    /// The photo whose page for people this is; `nil` where it is no service's.
    public func photo(atPage page: URL) -> PhotoID? {
        Self.entries.lazy
            .compactMap { $0.make(ServiceSettings(base: nil, key: nil, sample: sample)).photo(atPage: page) }
            .first
    }
}
