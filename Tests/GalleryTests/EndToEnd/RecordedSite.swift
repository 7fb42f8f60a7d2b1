import Foundation
import GalleryTestSupport

/// A service as it was recorded: answers from `fixtures/`, and pictures where they say that pictures are.
///
/// Plain values that answer requests; ``withRecordings(of:_:)`` gives them two sockets, for the pictures of
/// these services are on hosts of their own.
struct RecordedSite: Sendable {
    /// The service, as the user types it and as its folder of fixtures is named.
    let service: String
    let path: String
    /// What the line needs besides, such as a key.
    var environment: [String: String] = [:]
    /// The hosts of its pictures, or what they end in.
    let imageHosts: [String]
    /// The recording that answers a request; `nil` for none.
    let recording: @Sendable (LocalRequest) -> String?
    /// What a test needs to be otherwise than it was recorded.
    var edit: @Sendable (String, LocalRequest) -> String = { text, _ in text }

    func answer(_ request: LocalRequest, images: URL) -> LocalReply {
        guard let name = recording(request), let data = try? Fixture.data("\(service)/\(name).json") else {
            return .json(#"{"error":true,"message":"no such page","body":[]}"#, status: 404)
        }
        let text = edit(String(decoding: data, as: UTF8.self), request)
        return .json(Self.localized(text, hosts: imageHosts, at: images))
    }

    /// A picture for any address: another one for each, the same one every time.
    static func picture(_ request: LocalRequest) -> LocalReply {
        .file(Pictures.jpeg(bytes: 20_000, seed: seed(request.path)), tag: "\"\(seed(request.path))\"")
    }

    static func bytes(_ path: String) -> Data { Pictures.jpeg(bytes: 20_000, seed: seed(path)) }

    private static func seed(_ path: String) -> UInt64 {
        path.utf8.reduce(7) { ($0 &* 31) &+ UInt64($1) }
    }

    /// `json` with the addresses of pictures on `hosts` leading to `server`, their paths as they were.
    static func localized(_ json: String, hosts: [String], at server: URL) -> String {
        json.replacing(/https?:\\?\/\\?\/([A-Za-z0-9.\-]+)/) { match in
            hosts.contains { match.1.hasSuffix($0) } ? server.absoluteString : String(match.0)
        }
    }
}

/// Runs the built program against the recordings of a service; its pictures are on a server of their own.
nonisolated(nonsending) func withRecordings<Result>(
    of site: RecordedSite,
    _ body: (_ gallery: RecordedGallery, _ api: LocalServer, _ images: LocalServer) async throws -> Result
) async throws -> Result {
    try await withLocalServer({ RecordedSite.picture($0) }) { images in
        let address = images.url
        return try await withLocalServer({ site.answer($0, images: address) }) { api in
            try await withBuiltProduct("gallery") { gallery in
                try await body(
                    RecordedGallery(gallery: gallery, site: site, api: api.url(site.path)), api, images)
            }
        }
    }
}

/// The built program, and the words that send it to the recordings.
struct RecordedGallery {
    let gallery: BuiltProduct
    let site: RecordedSite
    let api: URL

    /// `-s SERVICE --base-url …`
    var source: [String] { ["-s", site.service, "--base-url", api.absoluteString] }

    /// Runs a command that reaches the service.
    func run(_ arguments: [String], input: Data? = nil) async throws -> ProductOutcome {
        try await gallery.run(arguments + source, environment: site.environment, input: input)
    }

    /// The objects that a command prints as JSON lines, by key.
    func objects(_ arguments: [String]) async throws -> [[String: any Sendable]] {
        let outcome = try await run(arguments + ["--format", "jsonl"])
        guard outcome.status == 0 else { throw Failed(outcome: outcome) }
        return try outcome.lines.compactMap {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: any Sendable]
        }
    }

    /// Files in the program's folder with their bytes, but for the record.
    func files(in folder: String = ".") throws -> [String: Data] {
        let place = gallery.folder.appending(path: folder)
        let names = try FileManager.default.contentsOfDirectory(atPath: place.path)
        return try Dictionary(
            uniqueKeysWithValues: names.filter { $0 != ".gallery.jsonl" }.map {
                ($0, try Data(contentsOf: place.appending(path: $0)))
            })
    }

    private struct Failed: Error, CustomStringConvertible {
        let outcome: ProductOutcome
        var description: String { outcome.all }
    }
}
