import Foundation
import GalleryTestSupport

/// A server compatible with 500px: a list, batches, details, and the pictures they name.
///
/// A plain value that answers requests; ``LocalServer`` gives it a socket.
struct PixelServer: Sendable {
    /// Photos in the feed, numbered from 1, which are their ids too.
    var count = 12
    var listsFullSizes = true
    /// Whether `photos?ids=` is understood.
    var hasBatch = true
    /// The title of a photo, as JSON spells it between the quotes.
    var title: @Sendable (Int) -> String = { "Photo \($0)" }
    /// Photos that came before the first by the time of a request: what stood at 1 stands further on.
    var shift: @Sendable (LocalRequest) -> Int = { _ in 0 }
    /// A reply in the place of a picture's.
    var fault: @Sendable (LocalRequest) -> LocalReply? = { _ in nil }

    /// The bytes of a photo's full size: a real JPEG, another for every id.
    static func picture(_ id: Int) -> Data { Pictures.jpeg(bytes: 40_000 + id, seed: UInt64(id)) }

    static func thumbnail(_ id: Int) -> Data { Pictures.jpeg(bytes: 4_000 + id, seed: UInt64(1_000 + id)) }

    func reply(to request: LocalRequest) -> LocalReply {
        if let reply = fault(request) { return reply }
        let parts = request.path.split(separator: "/").map(String.init)
        switch (parts.first, parts.count) {
        case ("v1", 2) where request.query("ids") != nil:
            guard hasBatch else { return .json(#"{"error":"Not found","status":404}"#, status: 404) }
            let ids = (request.query("ids") ?? "").split(separator: ",").compactMap { Int($0) }
            let photos = ids.map { "\"\($0)\":\(photo($0, full: true, request))" }
            return .json("{\"photos\":{\(photos.joined(separator: ","))}}")
        case ("v1", 2): return list(request)
        case ("v1", 3) where parts[2] == "search": return list(request)
        case ("v1", 3):
            guard let id = Int(parts[2]), (1...count).contains(id) else {
                return .json(#"{"error":"Not found","status":404}"#, status: 404)
            }
            return .json("{\"photo\":\(photo(id, full: true, request)),\"comments\":[]}")
        case ("full", 2): return Int(parts[1]).map { .file(Self.picture($0), tag: "\"v1\"") } ?? .status(404)
        case ("thumb", 2):
            return Int(parts[1]).map { .file(Self.thumbnail($0), tag: "\"v1\"") } ?? .status(404)
        default: return .status(404)
        }
    }

    private func list(_ request: LocalRequest) -> LocalReply {
        let page = request.query("page").flatMap { Int($0) } ?? 1
        let size = request.query("rpp").flatMap { Int($0) } ?? 20
        let first = (page - 1) * size + 1
        let ids = first <= count ? Array(first...min(count, first + size - 1)) : []
        let shift = shift(request)
        let photos = ids.map { $0 > shift ? $0 - shift : 1_000_000 + shift - $0 }
            .map { photo($0, full: listsFullSizes, request) }.joined(separator: ",")
        let pages = (count + size - 1) / size
        return .json(
            """
            {"current_page":\(page),"total_pages":\(pages),"total_items":\(count),"photos":[\(photos)]}
            """)
    }

    private func photo(_ id: Int, full: Bool, _ request: LocalRequest) -> String {
        let base = request.serverURL.absoluteString
        let root = base.hasSuffix("/") ? String(base.dropLast()) : base
        let fullSize = full ? #",{"size":2048,"url":"\#(root)/full/\#(id)?sig=abc%3D"}"# : ""
        return """
            {"id":\(id),"name":"\(title(id))","width":4000,"height":3000,"votes_count":\(id),"rating":90.5,
            "user":{"id":7,"username":"ansel","fullname":"Ansel A."},"nsfw":false,
            "images":[{"size":3,"url":"\(root)/thumb/\(id)"}\(fullSize)]}
            """
    }
}

extension ProductOutcome {
    /// Standard output, standard error and status as one text, for a failed expectation.
    var all: String { "\(exit)\n\(output)\n\(errors)" }
}

/// Runs the built program against a server that answers as `pixels` does.
nonisolated(nonsending) func withGallery<Result>(
    _ pixels: PixelServer,
    _ body: (_ gallery: BuiltProduct, _ server: LocalServer, _ source: [String]) async throws -> Result
) async throws -> Result {
    try await withGallery(of: "500px", at: "v1", { pixels.reply(to: $0) }, body)
}

/// Runs the built program against a wiki.
nonisolated(nonsending) func withGallery<Result>(
    _ wiki: WikiServer,
    _ body: (_ gallery: BuiltProduct, _ server: LocalServer, _ source: [String]) async throws -> Result
) async throws -> Result {
    try await withGallery(of: "commons", at: "w/api.php", { wiki.reply(to: $0) }, body)
}

/// Runs the built program against a server of `service` whose API is at `path`.
nonisolated(nonsending) func withGallery<Result>(
    of service: String, at path: String, _ handler: @escaping LocalServer.Handler,
    _ body: (_ gallery: BuiltProduct, _ server: LocalServer, _ source: [String]) async throws -> Result
) async throws -> Result {
    try await withLocalServer(handler) { server in
        try await withBuiltProduct("gallery") { gallery in
            try await body(gallery, server, ["-s", service, "--base-url", server.url(path).absoluteString])
        }
    }
}

/// Waits until a part has grown; a file has no event to wait for that every system gives.
func waitForFile(_ url: URL, bytes: Int) async throws {
    try await until {
        ((try? FileManager.default.attributesOfItem(atPath: url.path)[.size]) as? Int ?? 0) >= bytes
    }
}

/// Kills `run` once the server has seen so many requests, or lets it end where it has nothing left to ask.
func killAfter(_ requests: Int, _ server: LocalServer, _ run: RunningProduct) async throws {
    await withTaskGroup { group in
        group.addTask { _ = try? await server.waitForRequests(requests) }
        group.addTask { _ = try? await run.outcome() }
        await group.next()
        run.send(SIGKILL)
        group.cancelAll()
    }
    _ = try await run.outcome()
}
