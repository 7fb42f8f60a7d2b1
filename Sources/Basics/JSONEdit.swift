import Foundation

extension JSONText {
    package enum EditFault: Error, Hashable {
        /// A key on the way is there more than once.
        case repeated([String])
        /// What is there is no object.
        case noObject([String])
    }

    /// The text with `value` at `path`, and everything else as it is, byte for byte.
    ///
    /// A new member comes last, written as the one before it; objects that are missing are made. The text has to be
    /// without a ``fault``, and an object.
    package func setting(_ path: [String], to value: JSONValue) throws(EditFault) -> Data {
        try check(path)
        if let member = members[path] { return replacing(member.value, with: value.text) }
        // The innermost object that is there takes what is missing of the rest.
        var parent = Array(path.dropLast())
        while !parent.isEmpty, members[parent] == nil { parent.removeLast() }
        let object = parent.isEmpty ? root : members[parent]?.value ?? root
        let missing = path[(parent.count + 1)...]
        let text = missing.reversed().reduce(value.text) { "{\(JSONValue.string($1).text): \($0)}" }
        let key = JSONValue.string(path[parent.count]).text
        let siblings = paths(in: parent).compactMap { members[$0] }
        guard let last = siblings.last else {
            let member = "\(key): \(text)"
            return replacing(object, with: parent.isEmpty ? "{\n  \(member)\n}" : "{\(member)}")
        }
        // What is between two members but the comma, and what is between a key and its value.
        let before = siblings.dropLast().last?.value.upperBound ?? object.lowerBound
        let gap = String(decoding: bytes[before..<last.key.lowerBound], as: UTF8.self).filter(\.isWhitespace)
        let colon = String(decoding: bytes[last.key.upperBound..<last.value.lowerBound], as: UTF8.self)
        let end = last.value.upperBound
        let isSpaced = !gap.isEmpty || siblings.count > 1 || colon == ":"
        return replacing(end..<end, with: "," + (isSpaced ? gap : " ") + key + colon + text)
    }

    /// The text without the member at `path`, and without objects that are empty then; `nil` if there is none.
    package func removing(_ path: [String]) throws(EditFault) -> Data? {
        try check(path)
        guard members[path] != nil else { return nil }
        var path = path
        while path.count > 1, paths(in: path.dropLast()).count == 1 { path.removeLast() }
        guard let member = members[path] else { return nil }
        let parent = Array(path.dropLast())
        let siblings = paths(in: parent)
        let place = siblings.firstIndex(of: path) ?? 0
        if place > 0, let former = members[siblings[place - 1]] {
            return replacing(former.value.upperBound..<member.value.upperBound, with: "")
        }
        if siblings.count > 1, let next = members[siblings[1]] {
            return replacing(member.key.lowerBound..<next.key.lowerBound, with: "")
        }
        return replacing(root, with: "{}")
    }

    private func check(_ path: [String]) throws(EditFault) {
        guard root.first.map({ bytes[$0] }) == UInt8(ascii: "{") else { throw .noObject([]) }
        for count in path.indices.map({ $0 + 1 }) {
            let part = Array(path.prefix(count))
            // Of some of these nothing is known but that they are there.
            if let twice = repeated.first(where: { $0.dropLast() == part.dropLast() }) {
                throw .repeated(twice)
            }
            if count < path.count, let member = members[part],
                bytes[member.value.lowerBound] != UInt8(ascii: "{")
            {
                throw .noObject(part)
            }
        }
    }

    private func replacing(_ range: Range<Int>, with text: String) -> Data {
        Data(bytes[..<range.lowerBound] + Array(text.utf8) + bytes[range.upperBound...])
    }
}
