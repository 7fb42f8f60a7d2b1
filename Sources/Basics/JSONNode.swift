/// A value in a JSON text, or a key of an object as a value.
package struct JSONNode: Sendable {
    package let document: JSONDocument
    let index: Int

    private var entry: JSONEntry { document.entries[index] }
    var range: Range<Int> { entry.range }

    private var first: UInt8 { document.bytes[range.lowerBound] }

    // MARK: - Way

    package var isObject: Bool { first == UInt8(ascii: "{") }
    package var isList: Bool { first == UInt8(ascii: "[") }
    package var isNull: Bool { first == UInt8(ascii: "n") }

    /// What it is in; `nil` for the root.
    private var parent: JSONNode? { entry.parent < 0 ? nil : sibling(Int(entry.parent)) }
    private func sibling(_ index: Int) -> JSONNode { JSONNode(document: document, index: index) }

    /// The key under which it is in an object, as a value; `nil` of a list's elements.
    package var key: JSONNode? { parent?.isObject == true ? sibling(index - 1) : nil }

    /// The keys and the numbers that lead to it.
    package var path: [(key: String?, position: Int)] {
        guard let parent else { return [] }
        return parent.path + [(key?.string, Int(entry.position))]
    }

    /// Where its key is, or that of the list that it is in; `nil` for the root.
    package var place: JSONDocument.Place? {
        key.map { document.place(of: $0.range.lowerBound) } ?? parent?.place
    }

    private var inner: some Sequence<Int> {
        let step = isObject ? 1 : 0
        let (start, end) = (index + 1 + step, isObject || isList ? Int(entry.end) : 0)
        return sequence(state: start) { [document] next -> Int? in
            guard next < end else { return nil }
            defer { next = Int(document.entries[next].end) + step }
            return next
        }
    }

    /// The member of an object with this key, of several the last; `nil` where there is none.
    package func member(_ key: String) -> JSONNode? {
        guard isObject else { return nil }
        var (key, found) = (key, Int?.none)
        key.withUTF8 { key in
            for index in inner where sibling(index - 1).says(key) { found = index }
        }
        return found.map(sibling)
    }

    /// A member that is not `null`.
    package subscript(key: String) -> JSONNode? { member(key).flatMap { $0.isNull ? nil : $0 } }

    /// The values of an object, in order, of several with one key the last; none of anything else.
    package var members: [JSONNode] {
        var keys: Set<String> = []
        let last =
            isObject ? inner.reversed().filter { keys.insert(sibling($0 - 1).string ?? "").inserted } : []
        return last.reversed().map(sibling)
    }

    var repeatedKey: String? {
        var keys: Set<String> = []
        return inner.lazy.compactMap { sibling($0).key?.string }.first { !keys.insert($0).inserted }
    }

    /// The elements of a list, or the values of an object that is used as one; `nil` of a single value.
    package var elements: [JSONNode]? { isList ? inner.map(sibling) : isObject ? members : nil }

    // MARK: - Values

    /// A text as it was sent; `nil` of anything else.
    package var string: String? {
        guard first == UInt8(ascii: "\"") else { return nil }
        let written = document.bytes[(range.lowerBound + 1)..<(range.upperBound - 1)]
        return written.contains(UInt8(ascii: "\\"))
            ? JSONEscapes.text(written).text : String(decoding: written, as: UTF8.self)
    }

    /// Whether it is this text, in UTF-8.
    private func says(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let written = document.bytes[(range.lowerBound + 1)..<(range.upperBound - 1)]
        for (byte, wanted) in zip(written, text) where byte != wanted {
            return byte == UInt8(ascii: "\\") && string?.utf8.elementsEqual(text) == true
        }
        return written.count == text.count
    }

    package var bool: Bool? {
        switch first {
        case UInt8(ascii: "t"): true
        case UInt8(ascii: "f"): false
        default: nil
        }
    }

    /// A number; `nil` of anything else.
    package var number: Double? {
        "-0123456789".utf8.contains(first)
            ? Double(String(decoding: document.bytes[range], as: UTF8.self)) : nil
    }

    /// A number that is whole, however it is written.
    package var whole: Int? {
        guard let number else { return nil }
        return Int(String(decoding: document.bytes[range], as: UTF8.self)) ?? Int(exactly: number)
    }
}
