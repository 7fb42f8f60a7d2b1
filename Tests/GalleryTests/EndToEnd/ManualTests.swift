import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

@testable import gallery

/// The README and the manual: their tables are the program's, their links lead somewhere, and their examples run.
@Suite(.fewAtOnce, .timeLimit(.minutes(2))) struct ManualTests {
    /// Those with examples that run as they stand.
    private static let withExamples = ((try? Manual.everything()) ?? []).filter { !$0.examples.isEmpty }

    @Test func `the README is short, and no page is long`() throws {
        let readme = try Manual.Page("README.md")
        #expect(readme.text.split(separator: "\n", omittingEmptySubsequences: false).count - 1 <= 160)
        #expect(readme.text.utf8.count <= 12 * 1024)
        for page in try Manual.pages() { #expect(page.lines.count - 1 <= 250, "\(page.path)") }
    }

    @Test func `the first page names every page once`() throws {
        let pages = try Manual.pages().map(\.name).filter { $0 != "gallery" }
        let topics = try Manual.Page("\(Manual.folder)/gallery.md").lines.drop { $0 != "## Topics" }
        let named = topics.compactMap { $0.firstMatch(of: /^- \[.*\]\((\w+)\.md\): ./).map { String($0.1) } }
        #expect(named.sorted() == pages.sorted())
    }

    @Test func `tables say what the program says`() throws {
        let isWriting = ProcessInfo.processInfo.environment["GALLERY_WRITE_MANUAL"] == "1"
        for page in try Manual.everything() {
            let filled = try page.filled(Manual.table)
            if isWriting, filled != page.text { try Data(filled.utf8).write(to: page.url) }
            #expect(isWriting || page.text == filled, "GALLERY_WRITE_MANUAL=1 writes \(page.path)")
        }
    }

    @Test func `every option of every command is in one table`() throws {
        let rows = Manual.rows()
        #expect(rows.count > 60)
        let markers = try Manual.pages().flatMap(\.markers).filter { $0.hasPrefix("options: ") }
        let places = markers.flatMap { Manual.rows(of: $0, in: rows) }.reduce(into: [:]) {
            $0[$1, default: 0] += 1
        }
        for row in rows { #expect(places[row] == 1, "\(row)") }
    }

    @Test func `every exit status is explained`() throws {
        let page = try Manual.Page("\(Manual.folder)/Scripting.md")
        let explained = page.lines.compactMap { $0.firstMatch(of: /^\| (\d+) \| ./).flatMap { Int32($0.1) } }
        #expect(explained == (0...255).filter { ExitStatus(rawValue: $0) != nil })
    }

    @Test func `every field of a name, and every variable of a key, is explained`() throws {
        let names = try Manual.Page("\(Manual.folder)/Downloading.md").lines.filter { $0.hasPrefix("| `{") }
            .flatMap { row in
                (row.split(separator: "|").first ?? "").matches(of: /`{(\w+)}`/).map { String($0.1) }
            }
        #expect(Set(names) == Set(NameTemplate.Field.allCases.map(\.rawValue)))
        let settings = try Manual.Page("\(Manual.folder)/Settings.md").text
        for variable in ServiceCatalog.keyVariables.values {
            #expect(settings.contains("`\(variable)`"), "\(variable)")
        }
    }

    @Test func `every link leads to a file, or to a heading of one`() throws {
        for page in try Manual.everything() {
            for link in page.text.matches(of: /\]\((?<path>[^)#]*)(?:#(?<heading>[^)]*))?\)/) {
                let path = String(link.path)
                if path.hasPrefix("http://") || path.hasPrefix("https://") { continue }
                let target =
                    path.isEmpty ? page.url : page.url.deletingLastPathComponent().appending(path: path)
                #expect(FileManager.default.fileExists(atPath: target.path), "\(page.path): \(path)")
                guard let heading = link.heading else { continue }
                let headings = try String(contentsOf: target, encoding: .utf8).split(separator: "\n")
                    .filter { $0.hasPrefix("#") }.map(Self.anchor)
                #expect(headings.contains(String(heading)), "\(page.path): #\(heading)")
            }
        }
    }

    /// What a code host makes of a heading.
    private static func anchor(_ heading: Substring) -> String {
        let words = heading.drop { $0 == "#" || $0 == " " }.lowercased().replacing(" ", with: "-")
        return words.filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
    }

    @Test func `many examples run as they stand`() {
        #expect(Self.withExamples.map(\.examples.count).reduce(0, +) >= 25)
    }

    @Test(arguments: withExamples)
    func `examples end well, one after the other`(page: Manual.Page) async throws {
        let folder = try ProductLocation.executable("gallery").deletingLastPathComponent().path
        try await withProgram(at: URL(filePath: "/bin/bash")) { shell in
            let script = page.examples.joined(separator: "\n")
            try await shell.runWell(
                ["-e", "-x", "-o", "pipefail", "-c", script],
                environment: ["PATH": "\(folder):/usr/bin:/bin", "COLUMNS": "80"])
        }
    }
}
