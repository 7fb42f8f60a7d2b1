import Basics

/// The head of a reply, taken line by line, as hosts write it rather than as RFC 9112 has it: a reason phrase is no
/// matter, and neither is text that is not UTF-8.
struct PlainHead {
    /// The status of the last head; 0 before its first line.
    private(set) var status = 0
    private var fields: [(name: String, value: String)] = []
    /// Whether the head has ended that a body follows; what comes then is a trailer.
    private(set) var isComplete = false

    /// Takes the next line, with or without its end.
    mutating func take(_ line: some Collection<UInt8>) {
        guard !isComplete else { return }
        let line = Self.trimmed(line)
        if line.isEmpty { return isComplete = status >= 200 }
        if line.starts(with: "HTTP/".utf8) {
            // After an interim reply, such as 103 with hints.
            fields = []
            status = line.split(separator: 0x20).dropFirst().first.flatMap { Int(Self.text($0, "")) } ?? 0
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            let name = Self.text(Self.trimmed(line[..<colon]), "")
            let value = Self.text(Self.trimmed(line[colon...].dropFirst()), name)
            if let same = fields.firstIndex(where: { $0.name.lowercased() == name.lowercased() }) {
                fields[same].value += ", " + value
            } else {
                fields.append((name, value))
            }
        }
    }

    /// The first value of a field.
    subscript(name: String) -> String? { fields.first { $0.name.lowercased() == name }?.value }

    /// Whether the body whose first two bytes are `start` is in gzip: where the head names it among other words, and
    /// the bytes do not disprove that.
    func isGzip(_ start: some Collection<UInt8>) -> Bool {
        let words = self["content-encoding"]?.lowercased().split { $0 == "," || $0 == " " } ?? []
        return (words.contains("gzip") || words.contains("x-gzip")) && start.starts(with: [0x1F, 0x8B])
    }

    /// The texts of a frame. An encoding is none unless it is gzip.
    func texts(isGzip: Bool) -> [String] {
        let kept = fields.filter { isGzip || $0.name.lowercased() != "content-encoding" }
        return ["\(status)"] + kept.flatMap { [$0.name, $0.value] }
    }

    private static func trimmed(_ bytes: some Collection<UInt8>) -> ArraySlice<UInt8> {
        var bytes = Array(bytes)[...]
        while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
        return bytes.drop { $0 <= 0x20 }
    }

    /// Text that is not UTF-8 is Latin-1, as of old; in an address the bytes stay what they are.
    private static func text(_ bytes: ArraySlice<UInt8>, _ name: String) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let isAddress = name.lowercased() == "location"
        return bytes.reduce(into: "") { text, byte in
            if isAddress, byte >= 0x80 {
                text += "%" + Hexadecimal.text(byte).uppercased()
            } else {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
    }
}
