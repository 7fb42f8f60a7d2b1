import Foundation
import GalleryTestSupport
import Testing

/// Everything that the built program prints as JSON, against the schema it prints itself.
@Suite(.fewAtOnce, .inProcess, .timeLimit(.minutes(3))) struct SchemaEndToEndTests {
    private static let schema = Result { JSONSchema(try Fixture.data("output.schema.json")) }

    /// What is wrong with an output as `name`; with `lines` each line is a value of its own.
    private func faults(_ outcome: ProductOutcome, as name: String, lines: Bool) throws -> [String] {
        let schema = try Self.schema.get()
        if lines { return try outcome.lines.flatMap { try schema.faults(of: Data($0.utf8), as: name) } }
        let list = try JSONSerialization.jsonObject(with: outcome.outputData) as? [Any]
        var faults = try schema.faults(of: outcome.outputData)
        for element in list ?? [] {
            faults += try schema.faults(of: JSONSerialization.data(withJSONObject: element), as: name)
        }
        return faults
    }

    @Test(arguments: [[], ["output"], ["sources"]])
    func `the program prints the schema that is recorded`(name: [String]) async throws {
        try await withBuiltProduct("gallery") { gallery in
            let outcome = try await gallery.run(["services", "--schema"] + name)
            let recorded = try Fixture.data("\(name.first ?? "output").schema.json")
            #expect(outcome.outputData == recorded, "\(outcome.errors)")
            try await gallery.run(["services", "--schema", "nasa"], expecting: 64)
        }
    }

    @Test(arguments: [
        ["popular"], ["search", "nasa"], ["user", "spacex"], ["search", "nothing at all"], ["show", "3"],
        ["show", "1-3", "7"],
    ])
    func `lists and details of the sample keep to it`(command: [String]) async throws {
        try await withBuiltProduct("gallery") { gallery in
            for format in ["json", "jsonl"] {
                let outcome = try await gallery.runWell(command + ["--format", format])
                let isObject = outcome.output.hasPrefix("{")
                #expect(try faults(outcome, as: "photo", lines: format == "jsonl" || isObject) == [])
            }
        }
    }

    @Test(arguments: [
        (RecordedSite.fiveHundredPixels, "https://500px.com/photo/12539831/x"),
        (.flickr, "https://www.flickr.com/photos/jeremybrooks/14118630850/"),
        (.pixiv, "https://www.pixiv.net/artworks/87598468"),
        (.commons, "https://commons.wikimedia.org/wiki/File:Minchinmavida_Volcano.jpg"),
    ])
    func `lists and details of every service keep to it`(site: RecordedSite, page: String) async throws {
        try await withRecordings(of: site) { gallery, _, _ in
            let list = try await gallery.runWell(["popular", "--format", "json", "--per-page", "50"])
            #expect(list.lines.count > 2)
            #expect(try faults(list, as: "photo", lines: false) == [])
            let details = try await gallery.run(["show", page, "--format", "jsonl"])
            #expect(details.lines.count == 1, "\(details.all)")
            #expect(try faults(details, as: "photo", lines: true) == [])
        }
    }

    @Test func `lines of fetch keep to it, whatever became of a photo`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            let line = ["fetch", "1-3", "99", "--format", "jsonl"]
            let plan = try await gallery.run(line + ["--dry-run"])
            #expect(plan.output.contains(#""status":"planned""#), "\(plan.all)")
            #expect(try faults(plan, as: "file", lines: true) == [])
            let first = try await gallery.run(line)
            #expect(first.lines.count == 4, "\(first.all)")
            #expect(try faults(first, as: "file", lines: true) == [])
            let again = try await gallery.run(line)
            #expect(again.output.contains(#""status":"kept""#))
            #expect(try faults(again, as: "file", lines: true) == [])
        }
    }

    @Test func `services are listed as JSON, with whether a key is set but never the key`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            let outcome = try await gallery.runWell(
                ["services", "--format", "json"],
                environment: ["GALLERY_FLICKR_KEY": "hushhush", "GALLERY_SERVICE": "flickr"])
            #expect(try faults(outcome, as: "service", lines: false) == [])
            #expect(!outcome.all.contains("hushhush"))
            let list = try #require(
                JSONSerialization.jsonObject(with: outcome.outputData) as? [[String: Any]])
            #expect(
                list.compactMap { $0["name"] as? String }
                    == [
                        "sample", "500px", "flickr", "pixiv", "commons", "feed", "iiif", "folder",
                        "artic", "cleveland", "inaturalist", "met", "nasa", "openverse", "picsum",
                        "wallhaven",
                    ])
            #expect(
                list.filter { $0["default"] as? Bool == true }.map { $0["name"] as? String } == ["flickr"])
            let isSet = list.map { ($0["key"] as? [String: Any])?["set"] as? Bool }
            #expect(isSet == [nil, false, true, false] + [Bool?](repeating: nil, count: 11) + [false])
        }
    }

    @Test func `settings and findings are listed as JSON, without any secret`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            _ = try await gallery.run(["config", "set", "excludeTags", "a", "b"])
            let environment = ["GALLERY_FLICKR_KEY": "hushhush", "GALLERY_SERVICE": "commons"]
            for (words, name) in [(["config", "list"], "setting"), (["doctor"], "finding")] {
                let outcome = try await gallery.runWell(
                    words + ["--format", "json"], environment: environment)
                #expect(try faults(outcome, as: name, lines: false) == [])
                #expect(outcome.output.contains("flickr") && !outcome.all.contains("hushhush"))
            }
        }
    }

    @Test(arguments: [
        (#"{"name":"x"}"#, "service: 'default' is missing"),
        (
            #"{"index":0,"path":null,"id":"1","bytes":-1,"status":"gone","error":null}"#,
            "file.index: 0 is below 1.0"
        ),
    ])
    func `the schema itself refuses what is wrong`(text: String, fault: String) throws {
        let name = String(fault.prefix { $0 != ":" && $0 != "." })
        #expect(try Self.schema.get().faults(of: Data(text.utf8), as: name).contains(fault))
    }
}
