import Foundation

/// The ways in which a whole reply with status 200 may be written.
public enum ReplyForm: String, CaseIterable, Sendable {
    case plain
    case chunked
    /// Compressed, with its length.
    case gzip

    /// All bytes of a reply, from its status line on. Without the last byte of a chunked one nothing is missing.
    public func bytes(of body: Data, contentType: String) -> Data {
        var (fields, sent) = ("", body)
        switch self {
        case .plain: fields = "Content-Length: \(body.count)\r\n"
        case .chunked:
            fields = "Transfer-Encoding: chunked\r\n"
            let half = body.count / 2
            sent = Data()
            for piece in [body.prefix(half), body.dropFirst(half), Data()] {
                sent += Data("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Data("\r\n".utf8)
            }
        case .gzip:
            sent = Checksums.gzip(body)
            fields = "Content-Encoding: gzip\r\nContent-Length: \(sent.count)\r\n"
        }
        let head = "HTTP/1.1 200 OK\r\nContent-Type: \(contentType)\r\n\(fields)\r\n"
        return Data(head.utf8) + sent
    }
}
