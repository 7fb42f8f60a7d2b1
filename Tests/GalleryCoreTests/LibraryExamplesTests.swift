import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

// The README's examples: the lines between the braces of each function are the block under "As a library".

private func list() async throws {
    let loader = try PhotoLoader.sample()
    for try await photo in loader.photos(of: .popular()) {
        print(photo.title, photo.author?.name ?? "")
    }
}

private func fetch(_ folder: URL) async throws {
    let loader = try PhotoLoader.sample()
    let downloader = PhotoDownloader(loader)
    for try await photo in loader.photos(of: .search("space")) {
        let file = try await downloader.file(of: photo, into: folder)
        print(file.url.path, file.bytes)
    }
}

private func browse(_ folder: URL) async throws {
    let cursor = PhotoCursor(of: .popular(), from: try .sample(), keepingFilesIn: folder)
    await cursor.go(to: 1)
    for await state in cursor.states {
        guard case .ready(let file) = state.picture else { continue }
        print(state.current?.photo.title ?? "", file.url.path)
        if state.upcoming == nil { await cursor.close() } else { await cursor.move(by: 1) }
    }
}

@Suite(.fewAtOnce, .timeLimit(.minutes(1))) struct LibraryExamplesTests {
    @Test func `the examples run on the bundled photographs`() async throws {
        try await withTemporaryDirectory { folder in
            try await list()
            try await fetch(folder)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(!names.filter { $0.hasSuffix(".jpg") }.isEmpty, "\(names)")
            try await browse(folder)
        }
    }

    @Test func `the README shows the examples as they are compiled`() throws {
        let own = try String(contentsOfFile: #filePath, encoding: .utf8)
        let readme = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appending(path: "README.md"), encoding: .utf8)
        for name in ["list", "fetch", "browse"] {
            let body = try #require(Self.body(of: name, in: own))
            #expect(body.split(separator: "\n").count < 10)
            #expect(readme.contains("```swift\n\(body)```"), "the example '\(name)'")
        }
    }

    /// The lines of a function without its braces and its indentation.
    private static func body(of function: String, in text: String) -> String? {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(where: { $0.hasPrefix("private func \(function)(") }),
            let end = lines[start...].firstIndex(of: "}")
        else { return nil }
        return lines[(start + 1)..<end].map { $0.dropFirst(4) + "\n" }.joined()
    }
}
