import Foundation

/// A server compatible with MediaWiki's query API: one category whose cursors name the next file,
/// files by number and by title, and their pictures.
///
/// A value that only answers requests; ``LocalServer`` adds the socket.
public struct WikiServer: Sendable {
    /// The number of files in the category, numbered from 1; the highest was added last and is listed first.
    public var count: @Sendable () -> Int
    /// Whether a cursor is accepted; others are answered as the wiki does.
    public var takes: @Sendable (_ cursor: String) -> Bool = { _ in true }
    /// Whether a file is a picture; otherwise it is a drawing, which lists leave out.
    public var isPicture: @Sendable (Int) -> Bool = { _ in true }
    /// A reply to send instead of the wiki's.
    public var fault: @Sendable (LocalRequest) -> LocalReply? = { _ in nil }

    /// Creates a wiki with `count` files.
    public init(count: @autoclosure @escaping @Sendable () -> Int) {
        self.count = count
    }

    /// The contents of a file.
    public static func picture(_ id: Int) -> Data { Pictures.jpeg(bytes: 4_000 + id, seed: UInt64(id)) }

    /// The reply to a request.
    public func reply(to request: LocalRequest) -> LocalReply {
        if let reply = fault(request) { return reply }
        let parts = request.path.split(separator: "/").map(String.init)
        if parts.first == "files" { return Int(parts[1]).map { .file(Self.picture($0)) } ?? .status(404) }
        let isWalk = request.query("list") != nil
        if isWalk || request.query("generator") == "categorymembers" { return list(request, isWalk) }
        let ids = (request.query("pageids") ?? "").split(separator: "|").compactMap { Int($0) }
        let titles = (request.query("titles") ?? "").split(separator: "|").compactMap {
            Int($0.replacing("File:Picture ", with: "").replacing(".jpg", with: ""))
        }
        return .json(query((ids + titles).map { file($0, request) }, of: "pages"))
    }

    private func list(_ request: LocalRequest, _ isWalk: Bool) -> LocalReply {
        let (letters, name) = isWalk ? ("cm", "categorymembers") : ("gcm", "pages")
        let cursor = request.query(letters + "continue")
        if let cursor, !takes(cursor) {
            return .json(#"{"error":{"code":"badcontinue","info":"Invalid continue param."}}"#)
        }
        let limit = request.query(letters + "limit").flatMap { Int($0) } ?? 10
        let first = cursor.flatMap { Int($0) } ?? count()
        let ids = stride(from: first, to: max(0, first - limit), by: -1)
        let rows = ids.map { isWalk ? #"{"pageid":\#($0)}"# : file($0, request) }
        let rest = first - limit
        let more = rest > 0 ? #""continue":{"\#(letters)continue":"\#(rest)","continue":"-||"},"# : ""
        return .json(query(rows, of: name, more: more))
    }

    private func query(_ rows: [String], of name: String, more: String = "") -> String {
        #"{"batchcomplete":true,\#(more)"query":{"\#(name)":[\#(rows.joined(separator: ","))]}}"#
    }

    private func file(_ id: Int, _ request: LocalRequest) -> String {
        let address = request.serverURL.appending(path: "files/\(id)").absoluteString
        return """
            {"pageid":\(id),"title":"File:Picture \(id).jpg","imageinfo":[{"url":"\(address)",
            "mime":"\(isPicture(id) ? "image/jpeg" : "image/svg+xml")","width":16,"height":16,"user":"Someone","thumburl":"\(address)",
            "descriptionurl":"https://commons.wikimedia.org/wiki/File:Picture_\(id).jpg"}]}
            """
    }
}
