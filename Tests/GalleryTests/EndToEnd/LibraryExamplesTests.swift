import Foundation
import GalleryCore
import GalleryTestSupport
import Synchronization
import Testing

// The examples of the manual's page on the library: the lines between the braces of each function are its blocks, to the
// letter. Only `PhotoLoader.sample()` and `print` are not the library's and Swift's but those below, so that the same
// lines also run on another feed, and tell what they print.

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
    let loader = try PhotoLoader.sample()
    let cursor = PhotoCursor(of: .popular(), from: loader, keepingFilesIn: folder)
    await cursor.go(to: 1)
    for await state in cursor.states {
        guard let isLast = state.isLast, state.picture.isSettled else { continue }
        if case .ready(let file) = state.picture { print(state.current?.photo.title ?? "", file.url.path) }
        if isLast { await cursor.close() } else { await cursor.move(by: 1) }
    }
}

private enum PhotoLoader {
    /// What stands in the place of the bundled photographs; `nil` for nothing.
    @TaskLocal static var other: GalleryCore.PhotoLoader?

    static func sample() throws -> GalleryCore.PhotoLoader { try other ?? .sample() }
}

private final class Printed: Sendable {
    @TaskLocal static var current = Printed()

    let lines = Mutex<[String]>([])
}

private func print(_ items: Any...) {
    let line = items.map { "\($0)" }.joined(separator: " ")
    Printed.current.lines.withLock { $0.append(line) }
}

/// The library as its documentation promises it.
@Suite(.fewAtOnce, .timeLimit(.minutes(2))) struct LibraryExamplesTests {
    @Test func `the examples go through all of the bundled photographs`() async throws {
        try await runExamples()
    }

    @Test(.thorough) func `the examples go through all of a service's 200 photos`() async throws {
        let pixels = PixelServer(count: 200)
        try await withLocalServer({ pixels.reply(to: $0) }) { server in
            let loader = try GalleryCore.PhotoLoader(service: "500px", at: server.url.appending(path: "v1"))
            try await PhotoLoader.$other.withValue(loader) {
                #expect(try await titles(of: .popular()).count == 200)
                try await runExamples()
            }
        }
    }

    /// Runs each example; looks at what it printed, and for the files that it told of.
    private func runExamples() async throws {
        try await withTemporaryDirectory { folder in
            let popular = try await titles(of: .popular())
            let listed = try await printed { try await list() }
            #expect(listed.count == popular.count)
            for (line, title) in zip(listed, popular) { #expect(line.hasPrefix(title + " ")) }

            let fetched = try await printed { try await fetch(folder) }
            #expect(try await fetched.count == titles(of: .search("space")).count && !fetched.isEmpty)
            for line in fetched {
                let bytes = try #require(line.split(separator: " ").last.flatMap { Int($0) })
                #expect(
                    try Data(contentsOf: URL(filePath: String(line.dropLast("\(bytes)".count + 1)))).count
                        == bytes)
            }

            let browsed = try await printed { try await browse(folder.appending(path: "browsed")) }
            #expect(browsed.count == popular.count)
            for (line, title) in zip(browsed, popular) {
                #expect(line.hasPrefix(title + " "))
                #expect(FileManager.default.fileExists(atPath: String(line.dropFirst(title.count + 1))))
            }
        }
    }

    private func titles(of feed: Feed) async throws -> [String] {
        var titles: [String] = []
        for try await photo in try PhotoLoader.sample().photos(of: feed) { titles.append(photo.title) }
        return titles
    }

    private func printed(_ example: () async throws -> Void) async throws -> [String] {
        let printed = Printed()
        try await Printed.$current.withValue(printed) { try await example() }
        return printed.lines.withLock { $0 }
    }

    // MARK: - What is printed in the documentation

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private static let documentation = "Sources/GalleryCore/GalleryCore.docc/GalleryCore.md"

    @Test func `the manual shows the examples as they are compiled`() throws {
        let own = try String(contentsOfFile: #filePath, encoding: .utf8)
        let examples = try ["list", "fetch", "browse"].map { try #require(Self.body(of: $0, in: own)) }
        #expect(try Self.blocks(of: "Sources/gallery/gallery.docc/Library.md") == examples)
        #expect(try Self.blocks(of: Self.documentation) == [examples[0]])
    }

    @Test func `the documentation's topics name every public type`() throws {
        let topics = try Self.text(of: Self.documentation)
        let files = try FileManager.default.subpathsOfDirectory(
            atPath: Self.root.appending(path: "Sources").path)
        var types: Set<Substring> = []
        for file in files where file.hasSuffix(".swift") && !file.hasPrefix("Arguments/") {
            let text = try Self.text(of: "Sources/\(file)")
            for match in text.matches(
                of: /(?m)^public (?:final )?(?:struct|enum|class|actor|protocol|typealias) (\w+)/)
            {
                types.insert(match.1)
            }
        }
        #expect(types.count > 30)
        #expect(types.filter { !topics.contains("- ``\($0)``\n") }.sorted() == [])
    }

    private static func text(of path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The Swift in a file of Markdown.
    private static func blocks(of path: String) throws -> [String] {
        try text(of: path).components(separatedBy: "```swift\n").dropFirst().map {
            String($0[..<($0.range(of: "```")?.lowerBound ?? $0.endIndex)])
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
