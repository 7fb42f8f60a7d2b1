import Foundation

extension JSONDocument {
    package enum EditFault: Error, Hashable {
        /// A key on the way is there more than once.
        case repeated([String])
        /// What is there is no object.
        case noObject([String])
    }

    /// The text with `value` at `path`, and everything else as it is, byte for byte. A new member comes last, written
    /// as the one before it; missing objects are made. The text has to be an object without a ``fault``.
    package func setting(_ path: [String], to value: JSONValue) throws(EditFault) -> Data {
        let way = try way(to: path)
        let object = way[way.count - 1]
        if way.count > path.count { return replacing(object.range, with: value.text) }
        // The innermost object that is there takes what is missing of the rest.
        let missing = path[way.count...]
        let text = missing.reversed().reduce(value.text) { "{\(JSONValue.string($1).text): \($0)}" }
        let key = JSONValue.string(path[way.count - 1]).text
        let siblings = object.members
        guard let last = siblings.last, let lastKey = last.key else {
            let member = "\(key): \(text)"
            return replacing(object.range, with: way.count == 1 ? "{\n  \(member)\n}" : "{\(member)}")
        }
        // What is between two members but the comma, and what is between a key and its value.
        let before = siblings.dropLast().last?.range.upperBound ?? object.range.lowerBound
        let gap = String(decoding: bytes[before..<lastKey.range.lowerBound], as: UTF8.self)
            .filter(\.isWhitespace)
        let colon = String(decoding: bytes[lastKey.range.upperBound..<last.range.lowerBound], as: UTF8.self)
        let end = last.range.upperBound
        let isSpaced = !gap.isEmpty || siblings.count > 1 || colon == ":"
        return replacing(end..<end, with: "," + (isSpaced ? gap : " ") + key + colon + text)
    }

    /// The text without the member at `path`, and without objects that are empty then; `nil` if there is none.
    package func removing(_ path: [String]) throws(EditFault) -> Data? {
        var way = try way(to: path)
        guard way.count > path.count, let start = way.first?.range else { return nil }
        while way.count > 2, way[way.count - 2].members.count == 1 { way.removeLast() }
        let (member, siblings) = (way[way.count - 1], way[way.count - 2].members)
        if let former = siblings.last(where: { $0.index < member.index }) {
            return replacing(former.range.upperBound..<member.range.upperBound, with: "")
        }
        if siblings.count > 1, let key = member.key, let next = siblings[1].key {
            return replacing(key.range.lowerBound..<next.range.lowerBound, with: "")
        }
        return replacing(start, with: "{}")
    }

    private func way(to path: [String]) throws(EditFault) -> [JSONNode] {
        guard let root else { throw .noObject([]) }
        var way = [root]
        for key in path {
            let (object, above) = (way[way.count - 1], Array(path.prefix(way.count - 1)))
            guard object.isObject else { throw .noObject(above) }
            // Of some of these nothing is known but that they are there.
            if let twice = object.repeatedKey { throw .repeated(above + [twice]) }
            guard let next = object.member(key) else { break }
            way.append(next)
        }
        return way
    }

    private func replacing(_ range: Range<Int>, with text: String) -> Data {
        Data(bytes[..<range.lowerBound] + Array(text.utf8) + bytes[range.upperBound...])
    }
}
