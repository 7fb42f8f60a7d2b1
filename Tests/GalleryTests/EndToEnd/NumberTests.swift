import Foundation
import GalleryTestSupport
import Testing

/// The built program and the largest numbers that a line can hold: each works or is refused.
@Suite(.fewAtOnce, .inProcess, .timeLimit(.minutes(3))) struct NumberTests {
    @Test(arguments: Thorough.cases(["31536001", "9223372036854775", "9223372036854775807"], few: 1))
    func `no timeout is too long`(seconds: String) async throws {
        try await withGallery(PixelServer()) { gallery, _, source in
            let words = ["--timeout", seconds, "--refresh"] + source
            for line in [
                ["popular"], ["search", "x"], ["show", "1"], ["fetch", "1"], ["mark", "1"],
                ["popular", "--unique"],
            ] {
                let outcome = try await gallery.run(line + words)
                #expect(outcome.status == 0, "\(line): \(outcome.all)")
            }
            try gallery.remove("1_Photo 1.jpg")
            try await gallery.runWell(["verify", "--repair"] + words)
        }
    }

    @Test(arguments: ["-9223372036854775808", "9223372036854775807", "0"])
    func `a width that no terminal has breaks no text`(columns: String) async throws {
        try await withBuiltProduct { gallery in
            for line in [["--help"], ["popular"], ["popular", "--format", "grid"]] {
                let outcome = try await gallery.run(line, environment: ["COLUMNS": columns])
                #expect(outcome.status == 0 && !outcome.output.isEmpty, "\(outcome.all)")
            }
        }
    }

    @Test(arguments: [
        ("--timeout", ["9223372036854775807"]), ("--retries", ["9223372036854775807", "0"]),
        ("--limit", ["9223372036854775807"]), ("--min-width", ["9223372036854775807"]),
        ("--min-height", ["9223372036854775807"]), ("--page", []), ("--per-page", []), ("--range", []),
    ])
    func `a number works or is a usage error`(option: String, working: [String]) async throws {
        try await withGallery(PixelServer()) { gallery, _, source in
            for number in ["9223372036854775807", "9223372036854775808", "-9223372036854775808", "-1", "0"] {
                let line = ["popular", "\(option)=\(option == "--range" ? "1-" : "")\(number)"] + source
                if working.contains(number) {
                    let outcome = try await gallery.run(line)
                    #expect(outcome.status == 0, "\(line): \(outcome.all)")
                } else {
                    #expect(Refusal(of: line)?.status == 64, "\(line)")
                }
            }
        }
    }

    @Test(arguments: [
        "9223372036854775807", "-9223372036854775808", "1000000000", "0", "9223372036854775808",
    ])
    func `browse begins at no such index`(index: String) {
        #expect(Refusal(of: ["browse", "--", index])?.status == 64)
    }

    @Test(arguments: ["--jobs", "--retries", "--limit"])
    func `a number for a fetch works or is a usage error`(option: String) async throws {
        // The first try of each file fails, so that retries count.
        let pixels = PixelServer(fault: { request in
            request.path.hasPrefix("/full/") && request.attempt == 1
                ? .status(503, headers: ["Retry-After": "0"]) : nil
        })
        try await withGallery(pixels) { gallery, _, source in
            for (number, status) in [
                ("9223372036854775807", option == "--jobs" ? 64 : 0), ("-9223372036854775808", 64),
            ] {
                let outcome = try await gallery.run(
                    ["fetch", "1-2", "--overwrite", "\(option)=\(number)"] + source)
                #expect(outcome.status == Int32(status), "\(option)=\(number): \(outcome.all)")
            }
        }
    }
}
