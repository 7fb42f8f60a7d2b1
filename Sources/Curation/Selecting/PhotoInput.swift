import Foundation
import GalleryCore

/// Photos given by JSON, one a line or as one array, or by their addresses, one a line, read as the bytes arrive.
package struct PhotoInput: Sendable {
    enum Entry: Sendable {
        case photo(DescribedPhoto)
        case address(URL, line: Int)
        /// A line that is neither; those after it are read all the same.
        case failure(ResolvedPhotos.Failure)
    }

    private enum Form {
        case lines
        /// One array, which cannot be read before its end.
        case array(Data)
    }

    private let read: @Sendable () async throws -> Data
    private let name: String
    /// The folder of a page, if it is that page's description: relative addresses are of its files.
    package let page: URL?
    private var form: Form?
    private var lines = InputLines()
    private var isOver = false

    /// Photos in what `read` returns, a piece at a time; an empty piece is the end. It may be the description of a page
    /// in the folder of `file`, which is read, or else in `folder`.
    package init(
        named name: String = "standard input", from file: Int32? = nil, ofPage folder: URL? = nil,
        read: @escaping @Sendable () async throws -> Data
    ) {
        (self.name, self.read) = (name, read)
        let own = file.flatMap(System.path).map { URL(filePath: $0).deletingLastPathComponent() }
        page = [own, folder].compactMap(\.self).first { folder in
            (try? SystemCall.openFolder(folder.path)).map(PageMark.isThere) == true
        }
    }

    /// Some of the lines, in their order; `nil` at the end. Throws what `read` does, and ``SelectionError`` for an
    /// array with anything else in it, or an object on several lines.
    mutating func next() async throws -> [Entry]? {
        while !isOver {
            let bytes = try await read()
            isOver = bytes.isEmpty
            let entries = try take(bytes)
            if !entries.isEmpty { return entries }
        }
        return nil
    }

    private mutating func take(_ bytes: Data) throws(SelectionError) -> [Entry] {
        // Whatever pieces a byte order mark comes in, it does not decide.
        if form == nil,
            let first = bytes.first(where: { !Self.isBlank($0) && !Self.byteOrderMark.contains($0) })
        {
            if Self.beginsObjectOfLines(bytes) { throw .severalLines(in: name) }
            form = first == UInt8(ascii: "[") ? .array(Data()) : .lines
        }
        guard case .array(var array)? = form else {
            let ended = lines.take(bytes) + [bytes.isEmpty ? lines.end() : nil].compactMap(\.self)
            guard lines.length <= Self.longestArray else {
                throw .tooLong(what: "A line of \(name)", limit: InputLines.longest >> 20)
            }
            return photos(in: ended)
        }
        // Moved out of `form`, so that the bytes are not copied.
        form = .lines
        guard array.count + bytes.count <= Self.longestArray else {
            throw .tooLong(what: "The array in \(name)", limit: Self.longestArray >> 20)
        }
        array += bytes
        guard bytes.isEmpty else {
            form = .array(array)
            return []
        }
        let text = array.drop(while: Self.byteOrderMark.contains)
        guard let photos = JSONDocument(text).root?.elements else {
            throw .notAPhoto(what: "An element of the array in \(name)")
        }
        return try photos.map { (fields) throws(SelectionError) in
            guard let photo = DescribedPhoto(fields) else {
                throw .notAPhoto(what: "An element of the array in \(name)")
            }
            return .photo(photo.found(in: page))
        }
    }

    private func photos(in lines: [InputLines.Line]) -> [Entry] {
        var result: [Entry] = []
        for line in lines {
            let bytes = line.number == 1 ? line.text?.trimmingPrefix(Self.byteOrderMark) : line.text
            // A line without anything, or with a comment.
            if let text = bytes, [nil, UInt8(ascii: "#")].contains(text.first { !Self.isBlank($0) }) {
                continue
            }
            if let text = bytes, let photo = DescribedPhoto(json: text) {
                result.append(.photo(photo.found(in: page)))
            } else if let text = bytes, text.count <= Self.longestAddress,
                let url = PageAddress.url(typed: String(decoding: text, as: UTF8.self))
            {
                result.append(.address(url, line: line.number))
            } else {
                let what = "Line \(line.number) of \(name)"
                let error: SelectionError =
                    switch line.text.map({ try? Selection(String(decoding: $0, as: UTF8.self)) }) {
                    case nil: .tooLong(what: what, limit: InputLines.longest >> 20)
                    case .index?, .range?, .from?: .indexInList(what: what, list: name)
                    default: .notAPhoto(what: what)
                    }
                result.append(.failure(.init(index: nil, name: "line \(line.number)", error: error)))
            }
        }
        return result
    }

    /// Bytes, of an array, or of a line that may have no end. Lines may be as many as there are.
    private static let longestArray = 64 << 20
    /// Bytes: longer than the longest address that sites use.
    private static let longestAddress = 8192

    /// Whether the first line is a brace alone: what `jq` prints without `-c`.
    private static func beginsObjectOfLines(_ bytes: Data) -> Bool {
        let text = bytes.drop { isBlank($0) || byteOrderMark.contains($0) }
        let line = text.prefix { $0 != UInt8(ascii: "\n") }
        return line.endIndex < bytes.endIndex && line.filter { !isBlank($0) } == Data("{".utf8)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { " \t\r\n".utf8.contains(byte) }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}

/// Splits bytes into lines as they arrive, looking at each byte once.
struct InputLines: Sendable {
    struct Line: Equatable, Sendable {
        let number: Int
        /// The line without its end; `nil` where it is longer than allowed and was skipped.
        let text: Data?
    }

    /// The most bytes in a line, since a whole line is held in memory.
    static let longest = 16 << 20

    private let longest: Int
    private var number = 0
    private var partial = Data()
    /// The bytes so far of the line that has not ended.
    private(set) var length = 0
    private var isTooLong: Bool { length > longest }

    init(longest: Int = longest) { self.longest = longest }

    /// The lines that end in `bytes`, which follow the bytes taken before.
    mutating func take(_ bytes: Data) -> [Line] {
        // Byte by byte, `Data` itself is many times slower.
        let pieces = Array(bytes).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        var lines: [Line] = []
        for (offset, piece) in pieces.enumerated() {
            length += piece.count
            if isTooLong { partial = Data() } else { partial += piece }
            if offset < pieces.count - 1 { lines.append(finish()) }
        }
        return lines
    }

    /// The last line, where it has no line end of its own; `nil` where there is none.
    mutating func end() -> Line? { partial.isEmpty && !isTooLong ? nil : finish() }

    private mutating func finish() -> Line {
        number += 1
        defer {
            partial = Data()
            length = 0
        }
        return Line(number: number, text: isTooLong ? nil : partial)
    }
}
