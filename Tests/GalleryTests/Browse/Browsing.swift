import Foundation
import GalleryTestSupport
import Testing

/// `gallery browse` in a terminal of its own: keys go in, screens come out.
struct Browsing {
    let product: RunningProduct
    private let picture: Watched<TerminalPicture>

    init(
        _ gallery: BuiltProduct, _ arguments: [String] = [], size: TerminalSize = TerminalSize(),
        environment: [String: String] = [:]
    ) throws {
        try self.init(
            gallery.start(
                ["browse"] + (arguments.contains("--picture") ? [] : ["--picture", "none"]) + arguments,
                environment: environment, terminal: size),
            size: size)
    }

    /// `product` is whatever draws on a terminal of `size`.
    init(_ product: RunningProduct, size: TerminalSize = TerminalSize()) {
        self.product = product
        picture = Watched(TerminalPicture(columns: size.columns, rows: size.rows))
    }

    func type(_ keys: String) { product.type(keys) }

    func resize(to size: TerminalSize) {
        picture.update { $0.resize(columns: size.columns, rows: size.rows) }
        product.resize(to: size)
    }

    /// Returns once the screen is, or has been since the last call, as `condition` says; fails where the program
    /// ends before. Every update counts, since what is shown for a moment may be gone by the time it is read.
    @discardableResult
    func screen(
        _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
        where condition: (TerminalPicture) -> Bool
    ) async throws -> TerminalPicture {
        var seen = 0
        while true {
            let output = try await product.waitForOutput(longerThan: seen)
            for picture in updates(of: output) where condition(picture) { return picture }
            let picture = after(output)
            guard output.count > seen, product.isRunning else {
                let shown = picture.lines.joined(separator: "\n")
                Issue.record("It ended with this screen:\n\(shown)", sourceLocation: sourceLocation)
                return picture
            }
            seen = output.count
        }
    }

    /// The screen before anything new of `output`, after each synchronized update in it, and after all of it.
    private func updates(of output: Data) -> [TerminalPicture] {
        picture.update { picture in
            var pictures = [picture]
            let end = Data("\u{1B}[?2026l".utf8)
            while let range = output[min(picture.taken, output.count)...].range(of: end) {
                picture.take(output[..<range.upperBound])
                pictures.append(picture)
            }
            picture.take(output)
            return pictures + [picture]
        }
    }

    /// The screen after all of `output`.
    private func after(_ output: Data) -> TerminalPicture {
        picture.update { picture in
            picture.take(output)
            return picture
        }
    }

    /// Returns once some line of the screen holds `text`.
    @discardableResult
    func shows(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) async throws
        -> TerminalPicture
    {
        try await screen(sourceLocation: sourceLocation) { $0.lines.contains { $0.contains(text) } }
    }

    /// Quits, and returns its status once the terminal is as it was.
    func quit() async throws -> Int32? {
        type("q")
        return try await end()
    }

    /// Its status once it has ended; the screen and the cursor are back then.
    func end() async throws -> Int32? {
        let outcome = try await product.outcome()
        let last = after(outcome.outputData)
        #expect(!last.isAlternate && !last.isCursorHidden)
        return outcome.status
    }
}

/// Browses with these words, and quits.
func withBrowsing(
    _ arguments: [String] = [], size: TerminalSize = TerminalSize(), _ body: (Browsing) async throws -> Void
) async throws {
    try await withBuiltProduct { gallery in
        let browse = try Browsing(gallery, arguments, size: size)
        try await body(browse)
        #expect(try await browse.quit() == 0)
    }
}

/// Browses the photos of a server like 500px, and quits.
func withBrowsing(
    _ handler: @escaping LocalServer.Handler, _ arguments: [String] = [], size: TerminalSize = TerminalSize(),
    _ body: (Browsing, LocalServer) async throws -> Void
) async throws {
    try await withGallery(of: "500px", at: "v1", handler) { gallery, server, source in
        let browse = try Browsing(gallery, arguments + source, size: size)
        try await body(browse, server)
        #expect(try await browse.quit() == 0)
    }
}

/// A 500px-like server of made-up photos, for tests that count requests.
struct PhotoServer: Sendable {
    var count = 100
    /// Of each full file.
    var bytes = 20_000
    /// Changes an answer, or makes another one: by path.
    var changes: @Sendable (LocalRequest, LocalReply) -> LocalReply = { $1 }

    func answer(_ request: LocalRequest) -> LocalReply { changes(request, plainAnswer(request)) }

    private func plainAnswer(_ request: LocalRequest) -> LocalReply {
        if request.path == "/v1/photos" { return .json(list(request)) }
        let name = request.path.split(separator: "/").last ?? ""
        guard let id = UInt64(name.prefix { $0.isNumber }) else { return .status(404) }
        return .file(
            Pictures.jpeg(bytes: request.path.hasPrefix("/thumb") ? 2000 : bytes, seed: id), tag: "\"\(id)\"")
    }

    private func list(_ request: LocalRequest) -> String {
        let indexes: [Int]
        if let ids = request.query("ids") {
            indexes = ids.split(separator: ",").compactMap { Int($0) }
        } else {
            let size = request.query("rpp").flatMap { Int($0) } ?? 20
            let first = ((request.query("page").flatMap { Int($0) } ?? 1) - 1) * size + 1
            indexes = Array((first..<(first + size)).prefix { $0 <= count })
        }
        let size = request.query("rpp").flatMap { Int($0) } ?? 20
        let photos = indexes.map { photo($0, request.serverURL) }.joined(separator: ",")
        return #"{"total_items":\#(count),"total_pages":\#((count + size - 1) / size),"photos":[\#(photos)]}"#
    }

    private func photo(_ index: Int, _ server: URL) -> String {
        #"""
        {"id":\#(index),"name":"Photo \#(index)","width":640,"height":427,"camera":"Camera \#(index)",
        "images":[{"size":3,"url":"\#(server.absoluteString)/thumb/\#(index).jpg"},
        {"size":2048,"url":"\#(server.absoluteString)/full/\#(index).jpg"}],
        "user":{"id":\#(index % 5),"username":"user\#(index % 5)","fullname":"User \#(index % 5)"}}
        """#
    }
}

/// Runs the built program against a server of made-up photos.
nonisolated(nonsending) func withGallery<Result>(
    _ photos: PhotoServer,
    _ body: (_ gallery: BuiltProduct, _ server: LocalServer, _ source: [String]) async throws -> Result
) async throws -> Result {
    try await withGallery(of: "500px", at: "v1", { photos.answer($0) }, body)
}

extension LocalServer {
    /// How often each full file was asked for, by its index.
    var fullRequests: [Int: Int] {
        let paths = requests.map(\.path).filter { $0.hasPrefix("/full/") }
        return Dictionary(grouping: paths.compactMap { Int($0.dropFirst(6).prefix { $0.isNumber }) }) { $0 }
            .mapValues(\.count)
    }

    /// The words that make `gallery` ask this server.
    var service: [String] { ["-s", "500px", "--base-url", url("v1").absoluteString] }
}
