import Foundation

/// A request as received.
public struct LocalRequest: Sendable {
    /// `GET`, `HEAD`, `POST`, and so on, as sent.
    public let method: String
    /// The path and query as sent, not decoded: `/v1/photos?ids=1%2C2`.
    public let target: String
    /// The header lines as sent.
    public let headers: LocalHeaders
    /// The body, if `Content-Length` announced one.
    public let body: Data
    /// Whether the client uses HTTP/1.1, and so keeps the connection open unless it says otherwise.
    let isVersion11: Bool

    /// The connection's number, from 1 in order of acceptance.
    public internal(set) var connection = 0
    /// The number among all requests to this server, from 1.
    public internal(set) var number = 0
    /// The number among requests with the same method and target, from 1.
    ///
    /// For example, a handler can fail at first and then succeed:
    /// `request.attempt == 1 ? .status(503) : .file(photo)`.
    public internal(set) var attempt = 0
    /// When the last byte was read.
    public internal(set) var arrival = ContinuousClock.now
    /// The server's URL, for replies that link to it.
    public internal(set) var serverURL = URL(filePath: "/")

    /// The path as sent, without the query: `/v1/photos`.
    public var path: String {
        String(target.prefix { $0 != "?" })
    }

    /// The query's items in order, with names and values percent-decoded, including `+`.
    public var queryItems: [(name: String, value: String)] {
        target.drop { $0 != "?" }.dropFirst().split(separator: "&").map { item in
            let name = item.prefix { $0 != "=" }
            return (decoded(name), decoded(item.dropFirst(name.count + 1)))
        }
    }

    /// The first value of a query item: `request.query("page")`.
    public func query(_ name: String) -> String? {
        queryItems.first { $0.name == name }?.value
    }

    private func decoded(_ text: Substring) -> String {
        let spaced = text.replacing("+", with: " ")
        return String(spaced).removingPercentEncoding ?? String(spaced)
    }

    var wantsClose: Bool {
        let wish = headers["Connection"]?.lowercased()
        return isVersion11 ? wish == "close" : wish != "keep-alive"
    }
}
