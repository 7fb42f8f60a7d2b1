import Foundation

/// What the server does with a request: a reply, and any faults on the way.
///
/// A value, complete before the first byte is sent.
///
///     .status(404)
///     .json(#"{"photos":[]}"#)
///     .file(photo, tag: #""v1""#).cut(at: .half)
///     .file(photo).chunked().cut(at: 100, by: .reset)
public struct LocalReply: Sendable {
    struct Answer: Sendable {
        var status: Int
        var headers: LocalHeaders
        var body: LocalBody
    }

    enum Content: Sendable {
        case answer(Answer)
        case file(LocalFile)
        /// Bytes that are not an HTTP reply.
        case raw(LocalBody)
    }

    /// How the end of the body is marked.
    enum Framing: Sendable {
        case length
        case announced(Int)
        case chunked(size: Int)
        case untilClose
    }

    var content: Content
    var framing = Framing.length
    var edits: [@Sendable (inout LocalHeaders) -> Void] = []
    var latency: [ReplyStep] = []
    var interruptions: [Interruption] = []
    var drip: Drip?
    var closes = false

    /// A reply with any status, headers, and body.
    public static func status(
        _ status: Int, headers: LocalHeaders = [:], body: LocalBody = ""
    ) -> LocalReply {
        LocalReply(content: .answer(Answer(status: status, headers: headers, body: body)))
    }

    /// Status 200 and bytes, without support for conditions or ranges.
    public static func body(_ data: Data, contentType: String = "application/octet-stream") -> LocalReply {
        .status(200, headers: ["Content-Type": contentType], body: LocalBody(data))
    }

    /// A JSON document.
    public static func json(_ text: String, status: Int = 200) -> LocalReply {
        .status(
            status, headers: ["Content-Type": "application/json; charset=utf-8"],
            body: LocalBody(Data(text.utf8)))
    }

    /// An HTML page, as sent by proxies and login walls in place of the requested content.
    public static func html(_ text: String, status: Int = 200) -> LocalReply {
        .status(
            status, headers: ["Content-Type": "text/html; charset=utf-8"], body: LocalBody(Data(text.utf8)))
    }

    /// A redirect to any location, sent as given.
    public static func redirect(to location: String, status: Int = 302) -> LocalReply {
        .status(status, headers: ["Location": location])
    }

    /// A file that supports `Range`, `If-Range`, `If-None-Match`, and `If-Modified-Since`.
    ///
    /// - Parameters:
    ///   - tag: The `ETag` with its quotes: `"\"v1\""`, or weak, `"W/\"v1\""`.
    ///   - lastModified: As on the wire: `Mon, 06 Mar 2017 10:00:00 GMT`.
    ///   - ranges: Whether the server supports ranges.
    public static func file(
        _ bytes: LocalBody, tag: String? = nil, lastModified: String? = nil,
        contentType: String = "image/jpeg", ranges: Bool = true
    ) -> LocalReply {
        LocalReply(
            content: .file(
                LocalFile(
                    body: bytes, tag: tag, lastModified: lastModified, contentType: contentType,
                    knowsRanges: ranges)))
    }

    /// The same file reply for bytes in memory.
    public static func file(
        _ bytes: Data, tag: String? = nil, lastModified: String? = nil,
        contentType: String = "image/jpeg", ranges: Bool = true
    ) -> LocalReply {
        .file(
            LocalBody(bytes), tag: tag, lastModified: lastModified, contentType: contentType,
            ranges: ranges)
    }

    /// Exactly these bytes, then the end of the connection: for replies that are not HTTP.
    public static func raw(_ bytes: Data) -> LocalReply {
        LocalReply(content: .raw(LocalBody(bytes)))
    }

    /// Exactly this text, then the end of the connection: `.raw("HTTP/1.1 200 O")`.
    public static func raw(_ text: String) -> LocalReply {
        .raw(Data(text.utf8))
    }

    /// Ends the connection without sending a byte.
    public static func noAnswer(_ ending: LocalEnding = .close) -> LocalReply {
        .raw("").cut(at: 0, by: ending)
    }

    /// Sends nothing and keeps the connection open until the gate opens or the server stops.
    ///
    /// Once the gate opens, the connection is closed.
    public static func silence(until gate: Gate? = nil) -> LocalReply {
        .raw("").stalled(at: 0, until: gate)
    }
}
