import Foundation

/// A server that is three services at once: Commons below `w/api.php`, Openverse below `v1`, and Picsum at its root.
///
/// Photo 3 of Openverse has the identifier `o3`, that of Picsum `3`; a wiki of 45 files lists 45 first. A value that
/// only answers requests; ``LocalServer`` adds the socket.
public struct SeveralServer: Sendable {
    /// Photos that Openverse has.
    public var openverse = 30
    /// Photos that Picsum has.
    public var picsum = 100
    /// The page of a photo of Openverse.
    public var page: @Sendable (Int) -> String = { "https://open.example/\($0)" }
    /// A reply to send instead of the service's.
    public var fault: @Sendable (LocalRequest) -> LocalReply? = { _ in nil }

    private let wiki = WikiServer(count: 45)

    /// Creates a server without faults.
    public init() {}

    /// The addresses of the three, by name.
    public static func bases(_ server: LocalServer) -> [String: URL] {
        ["commons": server.url("w/api.php"), "openverse": server.url("v1"), "picsum": server.url("")]
    }

    /// The reply to a request.
    public func reply(to request: LocalRequest) -> LocalReply {
        if let reply = fault(request) { return reply }
        let parts = request.path.split(separator: "/").map(String.init)
        switch (parts.first, parts.dropFirst().first) {
        case ("v1", _):
            let rows = rows(openverse, request, size: "page_size") { number in
                let address = request.serverURL.appending(path: "files/\(1000 + number)").absoluteString
                return """
                    {"id":"o\(number)","title":"Open \(number)","url":"\(address)","width":1600,"height":900,
                    "foreign_landing_url":"\(page(number))","thumbnail":"\(address)"}
                    """
            }
            let pages = (openverse + 19) / 20
            return .json(
                #"{"result_count":\#(openverse),"page_count":\#(pages),"results":[\#(rows)]}"#)
        case ("v2", _):
            let rows = rows(picsum, request, size: "limit") { number in
                let address = request.serverURL.appending(path: "id/\(number)/16/16").absoluteString
                return """
                    {"id":"\(number)","author":"Ada","width":16,"height":16,"url":"https://pic.example/\(number)",
                    "download_url":"\(address)"}
                    """
            }
            return .json("[\(rows)]")
        case ("id", let number?): return .file(WikiServer.picture(2000 + (Int(number) ?? 0)))
        default: return wiki.reply(to: request)
        }
    }

    private func rows(
        _ count: Int, _ request: LocalRequest, size name: String, _ row: (Int) -> String
    ) -> String {
        let number = request.query("page").flatMap { Int($0) } ?? 1
        let size = request.query(name).flatMap { Int($0) } ?? 20
        let first = (number - 1) * size + 1
        return first > count ? "" : (first...min(count, first + size - 1)).map(row).joined(separator: ",")
    }
}
