import Foundation

/// A value in a reply, decoded only as far as it is asked for.
///
/// As for ``WireObject``, it must not outlive the decoding.
package struct WireNode: Decodable {
    /// The most elements of a list, so that no reply costs more than a large page.
    package static let mostElements = 10_000

    let decoder: any Decoder
    /// What it says as a text, where that is not its value.
    private var spoken: String?

    package init(from decoder: any Decoder) { self.decoder = decoder }

    /// A member of an object; `nil` where there is none, or it is `null`.
    subscript(key: String) -> WireNode? {
        (try? decoder.container(keyedBy: AnyKey.self)).flatMap { Self.member(key, of: $0) }
    }

    /// Of a container that is taken once: taking it costs time for all of its members.
    private static func member(_ key: String, of fields: KeyedDecodingContainer<AnyKey>) -> WireNode? {
        let key = AnyKey(stringValue: key)
        guard fields.contains(key), (try? fields.decodeNil(forKey: key)) != true else { return nil }
        return (try? fields.superDecoder(forKey: key)).map(WireNode.init)
    }

    /// The key under which it is in an object, as a value; `nil` of a list's elements.
    var ownKey: WireNode? {
        guard let key = decoder.codingPath.last, key.intValue == nil else { return nil }
        var node = self
        node.spoken = key.stringValue
        return node
    }

    /// The keys of an object; none of anything else.
    var keys: [String] {
        ((try? decoder.container(keyedBy: AnyKey.self))?.allKeys.map(\.stringValue) ?? [])
            .sorted { $0.compare($1, options: .numeric) == .orderedAscending }
    }

    /// The number of elements of a list; `nil` of anything else.
    var count: Int? { (try? decoder.unkeyedContainer())?.count }

    /// Elements of a list, or values of an object that is used as one; `nil` of a single value.
    package func elements(from first: Int = 0, most: Int = mostElements) -> [WireNode]? {
        guard var list = try? decoder.unkeyedContainer() else {
            guard let fields = try? decoder.container(keyedBy: AnyKey.self) else { return nil }
            return keys.dropFirst(first).prefix(most).compactMap { Self.member($0, of: fields) }
        }
        var found: [WireNode] = []
        while !list.isAtEnd, found.count < most {
            if list.currentIndex < first {
                guard (try? list.decode(Skipped.self)) != nil else { break }
            } else {
                guard let inner = try? list.superDecoder() else { break }
                found.append(WireNode(from: inner))
            }
        }
        return found
    }

    /// A text, a number, or a flag as a word; `nil` for what is empty or none of these.
    var text: String? {
        if let spoken { return spoken.isEmpty ? nil : spoken }
        guard let scalar = try? WireScalar(from: decoder) else { return nil }
        let text = scalar.text ?? scalar.flag.map { $0 ? "true" : "false" }
        return text?.isEmpty == false ? text : nil
    }

    /// Its text, or those of a list's elements.
    var texts: [String] {
        if let text { return [text] }
        return count == nil ? [] : elements()?.compactMap(\.text) ?? []
    }

    private struct Skipped: Decodable {
        init(from decoder: any Decoder) {}
    }
}
