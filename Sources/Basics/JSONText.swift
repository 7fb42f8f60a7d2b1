import Foundation

/// A JSON text that somebody writes by hand, and where its parts are: decoders do not tell on every system.
package struct JSONText {
    /// A position, both counted from 1; columns in characters.
    package struct Place: Hashable, Sendable, CustomStringConvertible {
        package let line: Int
        package let column: Int

        package var description: String { "line \(line), column \(column)" }
    }

    /// What is wrong with the syntax; `nil` if nothing is.
    package private(set) var fault: (place: Place, problem: String)?

    /// A member of an object: where its key and its value are.
    struct Member {
        let key: Range<Int>
        fileprivate(set) var value: Range<Int>
    }

    let bytes: [UInt8]
    private var offset = 0
    /// Where the value is that everything is in.
    private(set) var root = 0..<0
    /// The members of all objects, by their paths; of several with one path the last.
    private(set) var members: [[String]: Member] = [:]
    /// The paths that several members have.
    private(set) var repeated: Set<[String]> = []

    package init(_ data: Data) {
        bytes = Array(data)
        do throws(Fault) {
            _ = next
            let start = offset
            try value([])
            root = start..<offset
            guard next == nil else { throw Fault("something follows the end") }
        } catch {
            fault = (place(at: offset), error.problem)
        }
    }

    /// Where the key at `path`, such as `["services", "club", "like"]`, is; `nil` if there is none.
    package func place(of path: [String]) -> Place? { members[path].map { place(at: $0.key.lowerBound) } }

    /// The value at `path`, as it is written; `nil` if there is none.
    package func value(at path: [String]) -> Data? { members[path].map { Data(bytes[$0.value]) } }

    /// The paths of the members of the object at `path`, in order.
    package func paths(in path: [String]) -> [[String]] {
        members.filter { $0.key.dropLast() == path[...] }
            .sorted { $0.value.key.lowerBound < $1.value.key.lowerBound }.map(\.key)
    }

    private func place(at offset: Int) -> Place {
        let before = bytes.prefix(offset)
        let line = before.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).last ?? []
        return Place(
            line: before.count { $0 == UInt8(ascii: "\n") } + 1,
            column: String(decoding: line, as: UTF8.self).count + 1)
    }

    // MARK: - Syntax

    private static let early = "it ends too early"

    private struct Fault: Error {
        let problem: String
        init(_ problem: String) { self.problem = problem }
    }

    private var next: UInt8? {
        mutating get {
            while offset < bytes.count, " \t\r\n".utf8.contains(bytes[offset]) { offset += 1 }
            return offset < bytes.count ? bytes[offset] : nil
        }
    }

    private mutating func value(_ path: [String]) throws(Fault) {
        // As deep as the system's decoder goes.
        guard path.count < 512 else { throw Fault("it is nested too deeply") }
        switch next {
        case UInt8(ascii: "{"):
            try list(until: UInt8(ascii: "}")) { (text) throws(Fault) in
                let start = text.offset
                guard text.next == UInt8(ascii: "\"") else {
                    throw Fault(text.next == nil ? Self.early : "a key in double quotes is missing")
                }
                let inner = path + [try text.string()]
                if text.members[inner] != nil { text.repeated.insert(inner) }
                text.members[inner] = Member(key: start..<text.offset, value: start..<start)
                guard text.next == UInt8(ascii: ":") else { throw Fault("a ':' is missing") }
                text.offset += 1
                _ = text.next
                let value = text.offset
                try text.value(inner)
                text.members[inner]?.value = value..<text.offset
            }
        case UInt8(ascii: "["):
            try list(until: UInt8(ascii: "]")) { (text) throws(Fault) in try text.value(path + ["[]"]) }
        case UInt8(ascii: "\""): _ = try string()
        case nil: throw Fault(Self.early)
        default:
            let start = offset
            while offset < bytes.count, !" \t\r\n,:{}[]\"".utf8.contains(bytes[offset]) { offset += 1 }
            let word = Data(bytes[start..<offset])
            let isNumber = (try? JSONDecoder().decode(Double.self, from: word)) != nil
            guard !isNumber, !["true", "false", "null"].contains(String(decoding: word, as: UTF8.self)) else {
                return
            }
            offset = start
            throw Fault("a value is missing, or a text without its double quotes")
        }
    }

    /// What stands between brackets, with commas between its members; one after the last does no harm.
    private mutating func list(
        until end: UInt8, _ member: (inout JSONText) throws(Fault) -> Void
    ) throws(Fault) {
        offset += 1
        while next != end {
            try member(&self)
            if next == UInt8(ascii: ",") {
                offset += 1
            } else if next != end {
                throw Fault(
                    next == nil ? Self.early : "a ',' or a '\(UnicodeScalar(end))' is missing")
            }
        }
        offset += 1
    }

    private mutating func string() throws(Fault) -> String {
        let start = offset
        offset += 1
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "\"") {
            guard bytes[offset] >= 0x20 else { throw Fault("a text goes beyond its line") }
            offset += bytes[offset] == UInt8(ascii: "\\") ? 2 : 1
        }
        offset = min(offset, bytes.count)
        guard offset < bytes.count else { throw Fault(Self.early) }
        offset += 1
        guard let text = try? JSONDecoder().decode(String.self, from: Data(bytes[start..<offset])) else {
            offset = start
            throw Fault("a text has an escape that there is not")
        }
        return text
    }
}
