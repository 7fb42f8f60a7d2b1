/// A reply that lets only browsers in: a page that has them prove what they are, in the place of what was asked for.
enum BrowserCheck {
    /// How much of a body is looked at, in bytes.
    static let bytesNeeded = 1024

    private static let fields = [("cf-mitigated", "challenge"), ("x-amzn-waf-action", "challenge captcha")]
    private static let titles = ["just a moment", "checking your browser", "ddos-guard"]

    /// Whether a head says it.
    static func isTold(by head: HTTPHead) -> Bool {
        fields.contains { name, values in
            head[name].map { values.split(separator: " ").contains($0.lowercased()[...]) } ?? false
        }
    }

    /// Whether the body of a reply may say it.
    static func mayFollow(_ head: HTTPHead) -> Bool {
        [403, 503].contains(head.status) && head["Content-Type"]?.lowercased().hasPrefix("text/html") == true
    }

    /// Whether the title at the beginning of a body says it.
    static func isTold(by front: [UInt8]) -> Bool {
        let text = String(decoding: front.prefix(bytesNeeded), as: UTF8.self).lowercased()
        guard let title = text.firstRange(of: "<title>") else { return false }
        let words = text[title.upperBound...].drop(while: \.isWhitespace)
        return titles.contains { words.hasPrefix($0) }
    }
}
