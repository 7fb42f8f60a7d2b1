import Foundation
import GalleryTestSupport
import Testing

/// The built program and ranges: what they cost, where they end, and lists that move meanwhile.
@Suite(.fewAtOnce, .inProcess, .timeLimit(.minutes(2))) struct RangeEndToEndTests {
    private func ids(_ outcome: ProductOutcome) -> [Int] {
        // `--dry-run` prints `6_Photo 6` and the address.
        outcome.lines.compactMap { Int($0.prefix { $0 != "_" }) }
    }

    @Test func `a feed that never ends and never has a photo ends after five pages`() async throws {
        var wiki = WikiServer(count: 1_000_000)
        wiki.isPicture = { _ in false }
        try await withGallery(wiki) { gallery, server, source in
            let outcome = try await gallery.run(["fetch", "1-", "--dry-run"] + source, expecting: 66)
            #expect(outcome.errors.contains("There is no photo 1 in the feed 'popular' of commons"))
            #expect(server.requests.count == 5)
            let list = try await gallery.run(["popular", "--limit", "3"] + source)
            #expect(list.errors == "No photos.\n", "\(list.all)")
            #expect(server.requests.count == 10)
        }
    }

    @Test func `five of an open range cost no request for a hundred`() async throws {
        try await withGallery(PixelServer(count: 1000)) { gallery, server, source in
            let outcome = try await gallery.run(["fetch", "90-", "--limit", "5", "--dry-run"] + source)
            #expect(ids(outcome) == Array(90...94), "\(outcome.all)")
            #expect(server.requests.map { $0.query("rpp") } == ["20"])
            let all = try await gallery.run(["fetch", "90-", "--dry-run"] + source)
            #expect(ids(all) == Array(90...1000))
            #expect(server.requests.dropFirst().map { $0.query("page") } == (1...10).map { "\($0)" })
            #expect(server.requests.dropFirst().allSatisfy { $0.query("rpp") == "100" })
        }
    }

    @Test func `ranges that cannot be had do not keep the others back`() async throws {
        let pixels = PixelServer(
            count: 1000, fault: { $0.query("page") == "9" ? .status(500) : nil })
        try await withGallery(pixels) { gallery, server, source in
            let line = ["fetch", "1-3", "170", "175-177", "900", "--retries", "0"] + source
            let outcome = try await gallery.run(line)
            #expect(
                outcome.lines.map { $0.prefix { $0 != "_" } } == ["1", "2", "3", "900"], "\(outcome.all)")
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("Error: photo 170: 500px failed with status 500.\n"))
            #expect(outcome.errors.contains("Error: photos 175-177: 500px failed with status 500.\n"))
            let alone = try await gallery.run(["fetch", "170", "--retries", "0"] + source, expecting: 69)
            #expect(alone.errors.hasPrefix("Error: 500px failed with status 500.\n"), "\(alone.all)")
        }
    }

    @Test func `a ranking that moves with every request shows no photo twice`() async throws {
        let pixels = PixelServer(
            count: 300, shift: { $0.query("page").flatMap { Int($0) }.map { $0 - 1 } ?? 0 })
        try await withGallery(pixels) { gallery, server, source in
            let listed = try await gallery.run(["popular", "--limit", "45", "--format", "jsonl"] + source)
            let rows = try listed.objects
            #expect(rows.compactMap { ($0["id"] as? String).flatMap { Int($0) } } == Array(1...45))
            // The seam's photo keeps its first place, so the index after it is left out.
            #expect(
                rows.compactMap { $0["index"] as? Int } == Array(1...20) + Array(22...40) + Array(42...47))
            for selection in [["1-"], ["1-250"], ["1-150", "120-260"]] {
                let outcome = try await gallery.run(
                    ["fetch", "--dry-run", "--feed", "popular"] + selection + source)
                let fetched = ids(outcome)
                #expect(fetched.count > 200)
                #expect(fetched == Array(1...fetched.count), "\(selection): \(outcome.errors)")
            }
        }
    }

    @Test func `an open range begins with the very photos that were shown`() async throws {
        let moved = Counter()
        let pixels = PixelServer(count: 30, shift: { _ in moved.value })
        try await withGallery(pixels) { gallery, _, source in
            _ = try await gallery.run(["popular"] + source)
            moved.increment()
            let outcome = try await gallery.run(["fetch", "1-", "--dry-run"])
            // Photo 20 was shown at 20, and stands at 21 by now.
            #expect(ids(outcome) == Array(1...29), "\(outcome.all)")
        }
    }

    @Test(arguments: [
        ("maxlag", 75), ("ratelimited", 75), ("cirrussearch-too-busy-error", 75), ("readonly", 69),
        ("badvalue", 65), ("permissiondenied", 77),
    ])
    func `a wiki that is busy is asked again, and its code is a status`(code: String, status: Int32)
        async throws
    {
        var wiki = WikiServer(count: 50)
        wiki.fault = { _ in
            .json(#"{"error":{"code":"\#(code)","info":"Not now."}}"#).header("Retry-After", "0")
        }
        try await withGallery(wiki) { gallery, server, source in
            try await gallery.run(
                ["search", "sea", "--retries", "1"] + source, expecting: status)
            #expect(server.requests.count == ([75, 69].contains(status) ? 2 : 1))
        }
    }
}
