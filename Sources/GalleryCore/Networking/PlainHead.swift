import Basics

/// The head of a reply whose text need not be UTF-8.
struct PlainHead {
    var status = 0
    /// By their names in lowercase.
    private var fields: [String: String] = [:]

    /// Adds a field. Text that is not UTF-8 is Latin-1, as of old; in an address the bytes stay what they are.
    mutating func add(_ name: String, _ value: [UInt8]) {
        let name = name.lowercased()
        let escaped = { (byte: UInt8) in
            name == "location" && byte >= 0x80
                ? "%" + Hexadecimal.text(byte).uppercased() : String(Unicode.Scalar(byte))
        }
        let text = String(validating: value, as: UTF8.self) ?? value.map(escaped).joined()
        fields[name] = fields[name].map { $0 + ", " + text } ?? text
    }

    /// Whether the body whose first two bytes are `start` is gzip: the head names it among its words, and they agree.
    func isGzip(_ start: [UInt8]) -> Bool {
        let words = fields["content-encoding"]?.lowercased().split { $0 == "," || $0 == " " } ?? []
        return (words.contains("gzip") || words.contains("x-gzip")) && start.starts(with: [0x1F, 0x8B])
    }

    /// The texts of a frame. An encoding is none unless it is gzip.
    func texts(isGzip: Bool) -> [String] {
        ["\(status)"]
            + fields.filter { isGzip || $0.key != "content-encoding" }.flatMap { [$0.key, $0.value] }
    }
}
