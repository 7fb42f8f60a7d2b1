import Foundation

/// Every service, by the word users type and by its photos' pages.
public struct ServiceCatalog: Sendable {
    /// The services in the order in which help lists them.
    public static let names = [Sample.word, "500px"]

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
        switch name {
        case Sample.word: return Sample(catalogue: sample)
        case "500px": return FiveHundredPixels(base: base, key: keys[name])
        default:
            throw .unsupported(
                service: "gallery", what: "service '\(PlainText.excerpt(name))'", known: Self.names)
        }
    }

    /// The photo whose page for people this is; `nil` where it is no service's.
    public func photo(atPage page: URL) -> PhotoID? {
        for name in Self.names {
            if let photo = (try? service(named: name, base: nil))?.photo(atPage: page) { return photo }
        }
        return nil
    }
}
