import Foundation

/// What can be read of a manifest that another program has saved: with other line ends, a byte order mark, in
/// another encoding, or with objects laid out over several lines.
struct MendedManifest {
    /// The lines as a manifest has them.
    private(set) var text: [UInt8] = []
    /// The numbers of the lines that cannot be read, from 1.
    private(set) var unreadable: [Int] = []

    /// The byte order mark of UTF-8.
    static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    init(_ bytes: [UInt8]) {
        var object: (text: String, line: Int)?
        let lines = Self.decoded(bytes).split(omittingEmptySubsequences: false) { $0.isNewline }
        for (number, line) in zip(1..., lines) {
            let line = line.trimmingPrefix { $0.isWhitespace || $0 == "\0" }
            guard !line.isEmpty else { continue }
            // A line that begins an object ends one that was never closed.
            if let open = object, line.first == "{" {
                unreadable.append(open.line)
                object = nil
            }
            let whole = (object?.text ?? "") + line
            let isClosed = line.last { !$0.isWhitespace } == "}"
            if isClosed, let entry = Self.entry(whole) {
                text += entry
                object = nil
            } else if object != nil || line == "{" {
                object = (whole + "\n", object?.line ?? number)
            } else {
                unreadable.append(number)
            }
        }
        if let object { unreadable.append(object.line) }
    }

    private static func decoded(_ bytes: [UInt8]) -> String {
        let isWide = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        if isWide, let text = String(bytes: bytes, encoding: .utf16) { return text }
        return String(decoding: bytes.trimmingPrefix(mark), as: UTF8.self)
    }

    /// The line that describes the same as `text`, an object laid out in any way; `nil` if it is not one of ours.
    private static func entry(_ text: String) -> [UInt8]? {
        let text = Data(text.utf8)
        // The key of one kind is a member of no other.
        func line<Line: ManifestLine>(_ kind: Line.Type) -> [UInt8]? {
            (try? JSONDecoder().decode(kind, from: text))?.line
        }
        return line(ManifestEntry.self) ?? line(DuplicateEntry.self) ?? line(BrokenEntry.self)
            ?? line(CompleteEntry.self) ?? line(ForgottenEntry.self) ?? line(ArchiveEntry.self)
    }
}
