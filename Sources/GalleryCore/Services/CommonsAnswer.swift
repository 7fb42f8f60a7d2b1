// MARK: - Wire format
// Spelled as on the wire, so a field can be found in the vendor's page by name.

/// One answer of the API.
struct CommonsAnswer: Decodable {
    let batchcomplete: WirePresence?
    let `continue`: [String: WireScalar]?
    let query: WireQuery?

    struct WireQuery: Decodable {
        let pages: WirePages?
        let categorymembers: WireList<WirePlace>?
        let allimages: WireList<WirePlace>?
        let normalized: WireList<WireMove>?
        let redirects: WireList<WireMove>?

        var moves: [WireMove] { (normalized?.elements ?? []) + (redirects?.elements ?? []) }
    }

    struct WirePlace: Decodable {}

    struct WireMove: Decodable {
        let from: String
        let to: String
    }

    /// What to send for more; empty where there is no more.
    var continuation: [String: String] { `continue`?.mapValues(\.text) ?? [:] }

    /// Whether the batch needs no further answer.
    var isComplete: Bool { batchcomplete != nil || continuation.isEmpty }

    /// The places that the list `module` names.
    func places(of module: String) -> Int {
        let list = module == "allimages" ? query?.allimages : query?.categorymembers
        return list?.elements.count ?? 0
    }

    /// `true` in version 2 of the format, `""` in version 1, absent in both where it is not so.
    struct WirePresence: Decodable {
        init(from decoder: any Decoder) throws {}
    }

    /// A list in version 2 of the format; in version 1 an object by number, whose order says nothing.
    struct WirePages: Decodable {
        let elements: [CommonsPage]

        init(from decoder: any Decoder) throws {
            let pages = try WireList<CommonsPage>(from: decoder).elements
            let isOrdered = (try? decoder.unkeyedContainer()) != nil
            elements =
                isOrdered ? pages : pages.sorted { ($0.pageid?.value ?? .max) < ($1.pageid?.value ?? .max) }
        }
    }
}
