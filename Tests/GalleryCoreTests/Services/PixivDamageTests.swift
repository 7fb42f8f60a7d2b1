import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

/// Recordings with a field replaced or taken away give photos or an error, and never end the process.
struct PixivDamageTests {
    /// Which answers a recording is put in place of, and what is then asked for.
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let path: String
        var others: [String: PixivTape.Answer] = [:]
        let ask: @Sendable (PixivTape) throws -> Void
        var testDescription: String { name }
    }

    private static func pages(_ feed: Feed) -> @Sendable (PixivTape) throws -> Void {
        { tape in
            // Printed, so that values that decode but cannot be shown are found too.
            for photo in try tape.page(feed).photos { _ = photo.json.text }
        }
    }

    private static func details(_ id: String) -> @Sendable (PixivTape) throws -> Void {
        { tape in
            let detail = try tape.detail(id)
            _ = IndexedPhoto(index: nil, photo: detail.photo).json(with: detail).text
        }
    }

    static let cases = [
        Case(name: "ranking_web_weekly_illust_p1_2022", path: "ranking.php", ask: pages(.popular())),
        Case(name: "ranking_web_daily_p2_2020", path: "ranking.php", ask: pages(.popular())),
        Case(name: "made_ranking_2015", path: "ranking.php", ask: pages(.popular())),
        Case(name: "made_ranking_masked", path: "ranking.php", ask: pages(.popular())),
        Case(name: "made_search_p1", path: "ajax/search/artworks/sea", ask: pages(.search("sea"))),
        Case(
            name: "ajax_user_bookmarks_2022", path: "ajax/user/31415926/illusts/bookmarks",
            ask: pages(.favorites(of: nil))),
        Case(
            name: "made_bookmarks_masked", path: "ajax/user/31415926/illusts/bookmarks",
            ask: pages(.favorites(of: nil))),
        Case(
            name: "ajax_user_profile_all_2022", path: "ajax/user/7/profile/all",
            others: ["ajax/user/7/profile/illusts": "made_user_illusts"], ask: pages(.user("7"))),
        Case(
            name: "made_user_illusts", path: "ajax/user/7/profile/illusts",
            others: ["ajax/user/7/profile/all": "ajax_user_profile_all_2022"], ask: pages(.user("7"))),
        Case(
            name: "ajax_illust_100412238_2022", path: "ajax/illust/100412238",
            others: ["ajax/illust/100412238/pages": "ajax_illust_100412238_pages_2022"],
            ask: details("100412238")),
        Case(
            name: "ajax_illust_100412238_pages_2022", path: "ajax/illust/100412238/pages",
            others: ["ajax/illust/100412238": "made_illust_ugoira"], ask: details("100412238")),
        Case(
            name: "made_illust_pages_pages", path: "ajax/illust/87598468/pages",
            others: ["ajax/illust/87598468": "made_illust_pages"], ask: details("87598468")),
    ]

    @Test(arguments: cases)
    func `every field may be anything`(_ wanted: Case) throws {
        let whole = try JSONDecoder().decode(Tree.self, from: Fixture.data("pixiv/\(wanted.name).json"))
        // Rows are alike: the first and one by chance stand for all.
        var generator = SeededGenerator(seed: 5)
        let tree = whole.thinned(to: 2, &generator)
        for path in tree.paths {
            for value in Tree.strangers + [Tree.extremes.randomElement(using: &generator) ?? nil] {
                let damaged = tree.replacing(path[...], with: value)
                var answers = wanted.others
                answers[wanted.path] = PixivTape.Answer(200, damaged.json.text)
                do {
                    try wanted.ask(PixivTape(answers, session: PixivTape.session))
                } catch is ServiceError {
                    // As good as photos.
                } catch {
                    Issue.record("\(path) as \(value.map(\.json.text) ?? "nothing"): \(error)")
                }
            }
        }
    }

    @Test(arguments: cases)
    func `an answer may end anywhere`(_ wanted: Case) throws {
        let data = try Fixture.data("pixiv/\(wanted.name).json")
        var generator = SeededGenerator(seed: 6)
        for _ in 0..<20 {
            var answers = wanted.others
            let text = String(
                decoding: data.prefix(Int.random(in: 0..<data.count - 2, using: &generator)), as: UTF8.self)
            answers[wanted.path] = PixivTape.Answer(200, text)
            // A list of pages that is not needed is not missed.
            guard wanted.path != "ajax/illust/100412238/pages" else { continue }
            #expect(throws: ServiceError.self) {
                try wanted.ask(PixivTape(answers, session: PixivTape.session))
            }
        }
    }

    /// Any JSON, to be damaged.
    private indirect enum Tree: Decodable {
        case leaf(JSONValue)
        case list([Tree])
        case object([(key: String, value: Tree)])

        /// What every field is replaced with; `nil` takes it away.
        static let strangers: [Tree?] = [
            nil, .leaf(.null), .leaf(.string("x")), .leaf(.int(7)), .list([]), .object([]),
        ]

        /// One of these besides, by chance.
        static let extremes: [Tree?] = [
            .leaf(.string("")), .leaf(.int(-1)), .leaf(.int(.max)), .leaf(.int(.min)),
            .leaf(.double(1.5e300)),
            .leaf(.bool(true)),
        ]

        init(from decoder: any Decoder) throws {
            if let object = try? [String: Tree](from: decoder) {
                self = .object(object.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
            } else if let list = try? [Tree](from: decoder) {
                self = .list(list)
            } else {
                let container = try decoder.singleValueContainer()
                if container.decodeNil() {
                    self = .leaf(.null)
                } else if let flag = try? container.decode(Bool.self) {
                    self = .leaf(.bool(flag))
                } else if let number = try? container.decode(Int.self) {
                    self = .leaf(.int(number))
                } else if let text = try? container.decode(String.self) {
                    self = .leaf(.string(text))
                } else {
                    self = .leaf(.double(try container.decode(Double.self)))
                }
            }
        }

        var json: JSONValue {
            switch self {
            case .leaf(let value): value
            case .list(let elements): .array(elements.map(\.json))
            case .object(let members):
                .object(members.map { JSONValue.Member(key: $0.key, value: $0.value.json) })
            }
        }

        /// The way to every field, the whole itself among them.
        var paths: [[Int]] {
            let children =
                switch self {
                case .leaf: [Tree]()
                case .list(let elements): elements
                case .object(let members): members.map(\.value)
                }
            return [[]] + children.enumerated().flatMap { place, child in child.paths.map { [place] + $0 } }
        }

        func replacing(_ path: ArraySlice<Int>, with value: Tree?) -> Tree {
            guard let place = path.first else { return value ?? .leaf(.null) }
            let isRemoval = path.count == 1 && value == nil
            switch self {
            case .leaf: return self
            case .list(var elements):
                if isRemoval {
                    elements.remove(at: place)
                } else {
                    elements[place] = elements[place].replacing(path.dropFirst(), with: value)
                }
                return .list(elements)
            case .object(var members):
                if isRemoval {
                    members.remove(at: place)
                } else {
                    members[place].value = members[place].value.replacing(path.dropFirst(), with: value)
                }
                return .object(members)
            }
        }

        /// With lists, and objects whose keys are numbers, of at most `count` elements.
        func thinned(to count: Int, _ generator: inout SeededGenerator) -> Tree {
            switch self {
            case .leaf: return self
            case .list(let elements):
                return .list(Self.some(elements, count, &generator).map { $0.thinned(to: count, &generator) })
            case .object(let members):
                let isMap = members.allSatisfy { Int($0.key) != nil }
                return .object(
                    (isMap ? Self.some(members, count, &generator) : members)
                        .map { ($0.key, $0.value.thinned(to: count, &generator)) })
            }
        }

        private static func some<Element>(
            _ elements: [Element], _ count: Int, _ generator: inout SeededGenerator
        ) -> [Element] {
            Array(elements.prefix(1)) + elements.dropFirst().shuffled(using: &generator).prefix(count - 1)
        }
    }
}
