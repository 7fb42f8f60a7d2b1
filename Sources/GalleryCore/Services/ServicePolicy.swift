import Foundation

/// How a service wants to be asked, and how long its answers hold.
public struct ServicePolicy: Hashable, Sendable {
    /// What a request is for: lists change while one looks, details hardly do.
    enum Purpose: Hashable, Sendable {
        case list
        case details
    }

    /// How long a list holds; `nil` for never cached.
    var lists: Duration?
    /// How long a photo's details hold; `nil` for never cached.
    var details: Duration?
    /// The pace of requests; `nil` for none. Each process keeps it by itself: several at once
    /// share the service's patience and are told so by its 429.
    var rate: RateLimit?
    /// Requests under way at one time, from 1.
    var requestsAtOnce: Int
    /// Codes by which the service says, with status 200, that it is busy: as passing as a 503.
    var busyCodes: Set<String> = []
    /// Seconds to wait after such a code where no `Retry-After` says otherwise; `nil` for our own choice.
    var busyPause: Int?

    /// How long an answer for `purpose` holds; `nil` for never cached.
    func lifetime(for purpose: Purpose) -> Duration? {
        switch purpose {
        case .list: lists
        case .details: details
        }
    }

    /// The policy of the service called `name`, with its API at `base` where that is not the official one.
    ///
    /// A server on this machine has no pace to keep: the terms are those of the official hosts.
    public static func named(_ name: String, base: URL? = nil) -> ServicePolicy {
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
    /// Files on this machine: never cached, for they are as near as a cache.
    static let local = ServicePolicy(lists: nil, details: nil, rate: nil, requestsAtOnce: 4)

    /// For a service of which nothing is known.
    public static let polite = ServicePolicy(
        lists: .seconds(300), details: .seconds(3600), rate: nil, requestsAtOnce: 4)

    /// Sources: legacy API documentation, `feature` (popular is made anew every 5 minutes); terms,
    /// which allow 24 hours of cache. No limit by the second is documented.
    static let fiveHundredPixels = ServicePolicy(
        lists: .seconds(300), details: .seconds(3600), rate: nil, requestsAtOnce: 4)

    /// Sources: flickr.com/services/developer/api (3600 an hour); error 105 of every method's page, and
    /// 10 of the search's, where no other method that is asked has one.
    static let flickr = ServicePolicy(
        lists: .seconds(600), details: .seconds(3600), rate: RateLimit(every: .seconds(1), burst: 10),
        requestsAtOnce: 4, busyCodes: ["10", "105"])

    /// Undocumented; people who ask faster report bans. A ranking is made once a day.
    static let pixiv = ServicePolicy(
        lists: .seconds(1800), details: .seconds(3600), rate: RateLimit(every: .seconds(1)),
        requestsAtOnce: 1)

    /// Sources: mediawiki.org, API:Etiquette (one request after the other) and Manual:Maxlag (5 seconds);
    /// the search's own code for the same.
    static let commons = ServicePolicy(
        lists: .seconds(1800), details: .seconds(3600), rate: RateLimit(every: .milliseconds(500)),
        requestsAtOnce: 1, busyCodes: ["maxlag", "ratelimited", "readonly", "cirrussearch-too-busy-error"],
        busyPause: 5)
}
