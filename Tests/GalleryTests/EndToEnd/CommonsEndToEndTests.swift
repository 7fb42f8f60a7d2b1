import Foundation
import GalleryTestSupport
import Testing

/// The built program against a wiki on a real socket.
@Suite(.fewAtOnce, .inProcess, .timeLimit(.minutes(2))) struct CommonsEndToEndTests {
    @Test func `each next page is one list request, run by run`() async throws {
        try await withGallery(WikiServer(count: 500)) { gallery, server, source in
            for number in 1...4 {
                let outcome = try await gallery.runWell(
                    ["popular", "--page", "\(number)", "--format", "jsonl"] + source)
                #expect(
                    try outcome.objects.map { $0["index"] as? Int } == Array(20 * number - 19...20 * number))
                #expect(server.requests.count == number)
            }
            // The index after what was listed, and back in what was.
            #expect(try await gallery.run(["show", "81", "--format", "url"]).status == 0)
            #expect(server.requests.filter { $0.query("pageids") == nil }.count == 5)
            #expect(!server.requests.contains { $0.query("list") != nil })
        }
    }

    @Test func `the cursors go with the cache`() async throws {
        try await withGallery(WikiServer(count: 500)) { gallery, server, source in
            _ = try await gallery.run(["popular"] + source)
            #expect(try await gallery.run(["cache", "clear"]).status == 0)
            _ = try await gallery.run(["popular", "--page", "2"] + source)
            #expect(server.requests.map { $0.query("list") } == [nil, "categorymembers", nil])
        }
    }

    @Test(arguments: [
        ["1", "https://commons.wikimedia.org/wiki/File:Picture_50.jpg"],
        ["https://commons.wikimedia.org/wiki/File:Picture_50.jpg", "1"],
        ["https://commons.wikimedia.org/w/index.php?curid=50", "1-1", "-"],
    ])
    func `a photo named by its address and by its index is one photo`(selection: [String]) async throws {
        try await withGallery(WikiServer(count: 50)) { gallery, server, source in
            let line = Data(#"{"service":"commons","id":"File:Picture 50.jpg"}"#.utf8)
            let input = selection.contains("-") ? line : nil
            let fetched = try await gallery.run(["fetch"] + selection + source, input: input)
            #expect(fetched.lines == ["50_Picture 50.jpg"], "\(fetched.all)")
            #expect(server.requests(to: "/files/50").count == 1)
            let marked = try await gallery.run(["mark"] + selection + source, input: input)
            #expect(marked.errors == "1 marked\n", "\(marked.all)")
            let again = try await gallery.run(["mark"] + selection.reversed() + source, input: input)
            #expect(again.errors == "0 marked, 1 already marked\n", "\(again.all)")
            let shown = try await gallery.run(
                ["show", "--format", "jsonl"] + selection + source, input: input)
            #expect(shown.lines.count == 1)
            #expect(shown.output.contains(#""service":"commons","id":"50","title":"Picture 50""#))
            // Kept: by whichever name it is asked for, it is the photo of the record.
            let kept = try await gallery.run(["fetch", selection[0]] + source, input: input)
            #expect(kept.errors.hasPrefix("0 fetched, 1 kept"), "\(kept.all)")
        }
    }

    @Test func `what standard input names and the wiki lacks is a failure with its name`() async throws {
        try await withGallery(WikiServer(count: 50)) { gallery, _, source in
            let lines = Data(
                #"{"service":"commons","id":"File:Gone.jpg"}\#n{"service":"commons","id":"7"}"#.utf8)
            let outcome = try await gallery.run(
                ["show", "-", "--format", "url"] + source, input: lines, expecting: 1)
            #expect(outcome.lines.count == 1)
            #expect(
                outcome.errors == "Error: commons has no photo File:Gone.jpg.\n")
        }
    }
}
