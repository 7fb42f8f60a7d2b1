import Foundation
import GalleryTestSupport

/// A recorded answer with fewer of the same, so that every way to damage it can be tried.
///
/// Damage is done to the text: to build each damaged answer anew would take longer than to read it.
struct Recording {
    private struct Place {
        /// The names on the way to it: alike for the elements of a list.
        let path: String
        let value: Range<Int>
        /// Where it stands with its name, as a member of an object.
        let member: Range<Int>?
    }

    private var text: [UInt8] = []
    private var places: [Place] = []

    /// The names on the way to each of its values.
    var paths: Set<String> { Set(places.map(\.path)) }

    /// - Throws: where `body` is no JSON.
    init(_ body: Data) throws {
        let whole = Self.shortened(try JSONSerialization.jsonObject(with: body))
        text = Array(try JSONSerialization.data(withJSONObject: whole, options: .sortedKeys))
        _ = scan(from: 0, path: "", member: nil)
    }

    /// The answer with each of its values at `paths` in turn replaced by another kind of value, or removed.
    func damagedOnce(at paths: Set<String>) -> [Data] {
        places.filter { paths.contains($0.path) }.flatMap { place in
            Self.kinds.map { replacing([(place.value, $0)]) }
                + (place.member.map { [replacing([($0, #""gone":0"#)])] } ?? [])
        }
    }

    /// Answers with up to three such damages each.
    func damagedOften(_ count: Int, seed: UInt64) -> [Data] {
        var chance = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            var damages: [(Range<Int>, String)] = []
            for _ in 0..<3 {
                guard let place = places.randomElement(using: &chance)?.value,
                    let other = (Self.kinds + Self.edges).randomElement(using: &chance),
                    !damages.contains(where: { $0.0.overlaps(place) })
                else { continue }
                damages.append((place, other))
            }
            return replacing(damages)
        }
    }

    /// Another kind of value each; and, where there is only time for some, those at their kind's edge.
    private static let kinds = ["null", #""text""#, "-1", "[]", #"{"_content":7}"#]
    private static let edges = ["true", #""""#, "1e300", "9223372036854775807", #""99999999999999999999""#]

    private func replacing(_ damages: [(Range<Int>, String)]) -> Data {
        var damaged = text
        for (place, other) in damages.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
            damaged.replaceSubrange(place, with: other.utf8)
        }
        return Data(damaged)
    }

    /// The same with at most `count` elements of each list, and of objects that are lists by number:
    /// one row shows what twenty would.
    static func shortened(_ value: Any, to count: Int = 1) -> Any {
        switch value {
        case let list as [Any]: list.prefix(count).map { shortened($0, to: count) }
        case let object as [String: Any] where object.keys.allSatisfy { Int($0) != nil }:
            object.filter { object.keys.sorted().prefix(count).contains($0.key) }
                .mapValues { shortened($0, to: count) }
        case let object as [String: Any]: object.mapValues { shortened($0, to: count) }
        default: value
        }
    }

    /// Notes the value that starts at `start`, and those in it; returns where it ends. The text has no spaces.
    private mutating func scan(from start: Int, path: String, member: Int?) -> Int {
        var end = start + 1
        switch text[start] {
        case UInt8(ascii: "{"):
            while text[end] != UInt8(ascii: "}") {
                let first = end
                end = endOfString(at: first)
                let name = String(decoding: text[first + 1..<end - 1], as: UTF8.self)
                // Objects that are lists by number.
                end = scan(from: end + 1, path: "\(path).\(Int(name) == nil ? name : "#")", member: first)
                if text[end] == UInt8(ascii: ",") { end += 1 }
            }
            end += 1
        case UInt8(ascii: "["):
            while text[end] != UInt8(ascii: "]") {
                end = scan(from: end, path: path + "[]", member: nil)
                if text[end] == UInt8(ascii: ",") { end += 1 }
            }
            end += 1
        case UInt8(ascii: "\""): end = endOfString(at: start)
        default:
            let ends = Array(",]}".utf8)
            while end < text.count, !ends.contains(text[end]) { end += 1 }
        }
        places.append(Place(path: path, value: start..<end, member: member.map { $0..<end }))
        return end
    }

    private func endOfString(at start: Int) -> Int {
        var end = start + 1
        while text[end] != UInt8(ascii: "\"") { end += text[end] == UInt8(ascii: "\\") ? 2 : 1 }
        return end + 1
    }
}
