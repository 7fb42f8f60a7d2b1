import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

/// The parser of definitions, the schema, and the manual: each knows the same keys.
@Suite struct SourceReferenceTests {
    private func page() throws -> String {
        try String(
            contentsOf: Fixture.packageRoot.appending(path: "Sources/gallery/gallery.docc/Sources.md"),
            encoding: .utf8)
    }

    /// The block of code on it that begins so.
    private func block(_ start: String) throws -> String {
        let rest = try #require(try page().components(separatedBy: "```\(start)").dropFirst().first)
        return try #require(rest.components(separatedBy: "```").first)
    }

    /// The words in backticks.
    private func quoted(_ text: some StringProtocol) -> [String] {
        text.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    }

    private func keys(_ object: Any?) throws -> Set<String> {
        let object = try #require(object as? [String: Any])
        return Set(try #require(object["properties"] as? [String: Any]).keys)
    }

    @Test func `the schema has the parser's keys, and none else`() throws {
        let text = try Fixture.data("sources.schema.json")
        let schema = try #require(JSONSerialization.jsonObject(with: text) as? [String: Any])
        let members = try #require(schema["properties"] as? [String: [String: Any]])
        let parts = try #require(schema["$defs"] as? [String: [String: Any]])
        let places = try #require(members["key"]?["anyOf"] as? [Any])
        let forms = try #require(parts["expression"]?["anyOf"] as? [Any])
        let files = try #require(parts["file"]?["anyOf"] as? [Any])
        #expect(try keys(schema) == Set(SourceDefinition.names))
        #expect(try keys(members["feeds"]) == Set(SourceDefinition.feedNames))
        #expect(try keys(members["detail"]) == Set(SourceDefinition.Detail.names))
        #expect(try keys(members["pages"]) == Set(SourcePages.names))
        #expect(try Set(places.flatMap { try keys($0) }) == Set(SourceDefinition.keyNames))
        #expect(try keys(forms.last) == Set(DefinitionReader.expressionNames))
        #expect(try keys(parts["photo"]) == Set(SourceFields.names + ["files"]))
        #expect(try keys(files.first) == Set(SourceFields.File.names))
    }

    @Test func `the manual's tables have the parser's keys, and none else`() throws {
        let tables = try page().components(separatedBy: "| key | what |\n|---|---|\n").dropFirst().map {
            $0.components(separatedBy: "\n").prefix { $0.hasPrefix("| `") }
        }
        try #require(tables.count == 2)
        let keys = tables.map { rows in
            rows.flatMap { quoted($0.dropFirst(2).prefix { $0 != "|" }) }
        }
        let sources = ["path", "all", "text"]
        #expect(Set(sources + keys[0]) == Set(DefinitionReader.expressionNames))
        #expect(Set(keys[1]) == Set(SourceDefinition.names + ["files"]))
        // What has keys of its own explains them in its row.
        let inner = [
            "feeds": SourceDefinition.feedNames, "photo": SourceFields.names,
            "files": SourceFields.File.names, "detail": SourceDefinition.Detail.names,
            "pages": SourcePages.names,
        ]
        for (key, names) in inner {
            let row = try #require(tables[1].first { $0.hasPrefix("| `\(key)`") })
            #expect(Set(names).subtracting(quoted(row)) == [], "\(key)")
        }
    }

    @Test func `every bundled definition keeps to the schema`() throws {
        let schema = JSONSchema(try Fixture.data("sources.schema.json"))
        for name in try Fixture.names(in: "sources") {
            #expect(try schema.faults(of: Fixture.data(name)) == [], "\(name)")
        }
    }

    @Test func `the manual's example reads the manual's reply`() throws {
        let example = Data(try block("json\n").utf8)
        #expect(try JSONSchema(Fixture.data("sources.schema.json")).faults(of: example) == [])
        let definition = try SourceDefinition(example, file: "sea.json")
        let service = DefinedService(definition: definition, api: definition.entry.api())
        var conversation = Conversation(
            (suffix: "/", status: 200, body: Data(("{" + (try block("\n{"))).utf8)))
        let page = try conversation.run(
            service.page(PageSlice(number: 1, size: 50), of: .popular(), cursor: nil))
        #expect(conversation.asked == [["https://api.sea.example/v2/photos?sort=new&page=1&per_page=50"]])
        #expect(page.total == 812)
        let photo = try #require(page.photos.first?.photo)
        #expect(photo.title == "Surf" && photo.author?.name == "ann")
        #expect(photo.tags == ["sea", "foam"] && photo.license == "CC BY 4.0")
        #expect(photo.thumbnail?.size == PixelSize(width: 320, height: 240))
        #expect(photo.full?.url.absoluteString == "https://www.sea.example/f/17.jpg")
        #expect(photo.full?.size == PixelSize(width: 4000, height: 3000))
    }
}
