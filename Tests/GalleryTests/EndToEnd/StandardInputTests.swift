import Foundation
import GalleryTestSupport
import Testing

/// The built program and what is piped into it: whatever stands on one line, the others are photos.
@Suite(.fewAtOnce, .inProcess, .timeLimit(.minutes(2))) struct StandardInputTests {
    private func lines(_ gallery: BuiltProduct, _ source: [String], _ range: String) async throws -> Data {
        try await gallery.run(["popular", "--range", range, "--format", "jsonl"] + source).outputData
    }

    private let bad = Data("no photo\n".utf8)

    @Test func `a bad line is one failure, and the lines around it are fetched`() async throws {
        try await withGallery(PixelServer()) { gallery, _, source in
            let input =
                try await lines(gallery, source, "1-5") + bad + Data("\n{}\n".utf8)
                + lines(gallery, source, "6-6")
            let outcome = try await gallery.run(["fetch", "-"] + source, input: input, expecting: 1)
            #expect(outcome.lines == (1...6).map { "\($0)_Photo \($0).jpg" })
            #expect(
                outcome.errors.hasPrefix(
                    """
                    Error: Line 6 of standard input is not a photo.
                    Error: Line 8 of standard input is not a photo.
                    Help: Pipe in the output of '--format jsonl', or web addresses, one per line.
                    6 fetched, 0 kept, 2 failed, 
                    """), "\(outcome.errors)")
        }
    }

    @Test(arguments: ["7", "3-9", "90-"])
    func `an index says what standard input takes`(line: String) async throws {
        try await withGallery(PixelServer()) { gallery, _, source in
            let outcome = try await gallery.run(["fetch", "-"] + source, input: Data("\(line)\n".utf8))
            #expect(outcome.status == 65, "\(outcome.all)")
            let error = "Line 1 of standard input is an index: standard input takes addresses or JSON.\n"
            #expect(outcome.errors.hasPrefix("Error: " + error), "\(outcome.errors)")
        }
    }

    @Test(arguments: ["{\n  \"id\": \"1\"\n}\n", "\n{ \r\n}"])
    func `a photo on several lines is one error`(input: String) async throws {
        try await withGallery(PixelServer()) { gallery, _, source in
            let outcome = try await gallery.run(
                ["fetch", "-"] + source, input: Data(input.utf8), expecting: 65)
            #expect(
                outcome.errors.contains(
                    """
                    Error: A photo's JSON is on several lines of standard input.
                    Help: Put each photo on one line, with 'jq -c'.

                    """), "\(outcome.errors)")
        }
    }

    @Test(arguments: [
        (["show", "-", "--format", "jsonl"], 3, ""), (["mark", "-"], 0, "3 marked\n"),
        (["fetch", "-", "--dry-run"], 3, ""),
    ])
    func `whatever is done with the photos, a bad line is said`(
        line: [String], rows: Int, message: String
    ) async throws {
        try await withGallery(PixelServer()) { gallery, _, source in
            let input = try await lines(gallery, source, "1-2") + bad + lines(gallery, source, "3-3")
            let outcome = try await gallery.run(line + source, input: input)
            #expect(outcome.status == 1 && outcome.lines.count == rows, "\(outcome.all)")
            let failure = "Error: Line 3 of standard input is not a photo.\n"
            #expect(outcome.errors.hasPrefix(message + failure), "\(outcome.errors)")
        }
    }

    @Test(arguments: [
        "no photo", "no photo\nneither\n", "[1]", "{\"service\":1}\n", "[{\"id\":\"1\"", "\u{0}\n",
    ])
    func `nothing but bad lines is status 65`(input: String) async throws {
        try await withBuiltProduct { gallery in
            for command in ["show", "mark"] {
                let outcome = try await gallery.run([command, "-"], input: Data(input.utf8))
                #expect(outcome.status == 65 && outcome.output.isEmpty, "\(command): \(outcome.all)")
                #expect(outcome.errors.contains("standard input"))
            }
        }
    }

    @Test func `a photo of a service that there is not is a failure among others`() async throws {
        try await withGallery(PixelServer()) { gallery, _, source in
            let input =
                try await Data("{\"service\":\"nowhere\",\"id\":\"7\"}\n".utf8)
                + lines(gallery, source, "1-2")
            let outcome = try await gallery.run(["fetch", "-"] + source, input: input)
            #expect(outcome.status == 1 && outcome.lines.count == 2, "\(outcome.all)")
            #expect(outcome.errors.contains("Error: photo 7: "), "\(outcome.errors)")
        }
    }
}
