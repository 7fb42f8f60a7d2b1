import Foundation
import GalleryCore
import TerminalPictures
import Testing

@testable import gallery

@Suite struct FetchTallyTests {
    private func item(_ number: Int) throws -> DownloadItem {
        let url = try #require(URL(string: "http://a.example/\(number)"))
        return DownloadItem(
            number: number, photo: PhotoID(service: "x", value: "\(number)"), source: HTTPRequest(url: url),
            name: "\(number)", isNameUnique: true)
    }

    private func file(_ bytes: Int64, _ status: DownloadedFile.Status) -> DownloadedFile {
        DownloadedFile(url: URL(filePath: "/x"), bytes: bytes, status: status)
    }

    @Test func `bytes that were there already are not counted as fetched`() throws {
        var tally = FetchTally(planned: 4, failed: 1)
        let (first, second, third) = (try item(0), try item(1), try item(2))
        tally.take(.started(first, offset: 600, expected: 1_000), now: .zero)
        tally.take(.progress(first, received: 900, expected: 1_000), now: .zero)
        tally.take(.finished(first, file(1_000, .resumed)), now: .zero)
        tally.take(.finished(second, file(5_000, .kept)), now: .zero)
        tally.take(.failed(third, .empty(host: "a.example")), now: .zero)
        #expect(tally.summary(after: .seconds(41)) == "1 fetched, 1 kept, 2 failed, 400 B in 41 s")
        #expect(tally.done == 4)
    }

    @Test func `bytes that came after the last progress count with the next try`() throws {
        var tally = FetchTally(planned: 3)
        let (first, second, third) = (try item(0), try item(1), try item(2))
        let pause = DownloadError.refused(host: "h", status: 503, seconds: 1)
        // 250 KB come, of which 16 are told; the next try goes on from there.
        tally.take(.started(first, offset: 0, expected: 300_000), now: .zero)
        tally.take(.progress(first, received: 16_000, expected: 300_000), now: .zero)
        tally.take(.waiting(first, delay: .seconds(1), because: .empty(host: "h")), now: .zero)
        tally.take(.started(first, offset: 250_000, expected: 300_000), now: .seconds(1))
        #expect(tally.bytes == 250_000)
        tally.take(.finished(first, file(300_000, .fetched)), now: .seconds(1))
        #expect(tally.bytes == 300_000)
        // One that starts over brings all of it once more.
        tally.take(.started(second, offset: 0, expected: 9_000), now: .zero)
        tally.take(.progress(second, received: 5_000, expected: 9_000), now: .zero)
        tally.take(.started(second, offset: 0, expected: 9_000), now: .zero)
        tally.take(.finished(second, file(9_000, .fetched)), now: .zero)
        #expect(tally.bytes == 314_000)
        // What was there before it was first asked for did not come.
        tally.take(.waiting(third, delay: .seconds(1), because: pause), now: .zero)
        tally.take(.started(third, offset: 600, expected: 1_000), now: .seconds(1))
        #expect(tally.bytes == 314_000)
    }

    @Test(arguments: [
        (9, ["a", "b", "c", "d", "e"]), (7, ["a", "b", "c", "d", "e"]), (6, ["a", "b", "c", "d"]),
        (5, ["b", "c", "d"]), (4, ["b", "c"]), (3, ["b"]), (2, []),
    ])
    func `where there is no room for all, files that move are shown, the earliest first`(
        rows: Int, shown: [String]
    ) throws {
        var tally = FetchTally(planned: 5)
        let pause = DownloadError.refused(host: "h", status: 503, seconds: 9)
        for number in [4, 0] {
            tally.take(.waiting(try item(number), delay: .seconds(9), because: pause), now: .zero)
        }
        for number in [3, 1, 2] {
            tally.take(.started(try item(number), offset: 0, expected: nil), now: .zero)
        }
        let lines = tally.lines(now: .seconds(1), .init(columns: 50, rows: rows)) {
            ["a", "b", "c", "d", "e"][$0]
        }
        #expect(lines.dropLast().map { String($0.prefix(1)) } == shown)
        #expect(lines.last == "0/5 · 0 B")
    }

    @Test func `one row is the cursor's`() {
        #expect(FetchTally(planned: 1).lines(now: .zero, .init(rows: 1)) { _ in "a" }.isEmpty)
    }

    @Test func `each running file has a bar and the whole has a line`() throws {
        var tally = FetchTally(planned: 3)
        let (first, second) = (try item(0), try item(1))
        tally.take(.started(first, offset: 0, expected: 2_000_000), now: .zero)
        tally.take(.progress(first, received: 1_000_000, expected: 2_000_000), now: .seconds(1))
        tally.take(
            .waiting(second, delay: .seconds(9), because: .refused(host: "h", status: 429, seconds: 9)),
            now: .seconds(1))
        #expect(
            tally.lines(now: .seconds(2), .init(columns: 50)) {
                ["a long title that does not fit", "b", "c"][$0]
            } == [
                "a long title th… ████████░░░░░░░░░  50 % of 2 MB",
                "b                waits 8 s",
                "0/3 · 1 MB · 500 KB/s · 10 s left",
            ])
    }

    @Test func `what is still to be planned counts as well, until one knows better`() throws {
        var tally = FetchTally()
        tally.add(planned: 2, failed: 1, expected: 340)
        #expect(tally.lines(now: .zero, .init(columns: 50)) { _ in "" } == ["1/340 · 0 B"])
        #expect(!tally.isSettled)
        tally.take(.finished(try item(0), file(5, .kept)), now: .zero)
        tally.take(.finished(try item(1), file(5, .kept)), now: .zero)
        #expect(tally.isSettled && tally.total == 340)
        tally.add(planned: 0, failed: 0, expected: nil)
        #expect(tally.total == 3 && tally.done == 3)
    }

    @Test(arguments: [1, 8, 20, 40, 80, 300])
    func `no line is wider than the terminal`(width: Int) throws {
        var tally = FetchTally(planned: 1)
        tally.take(.progress(try item(0), received: 999, expected: 10_000), now: .seconds(3))
        let lines = tally.lines(now: .seconds(4), .init(columns: width)) { _ in
            String(repeating: "題", count: 90)
        }
        #expect(lines.allSatisfy { DisplayWidth.usual.of($0) <= width })
    }

    @Test(arguments: [
        (0, "0 B"), (999, "999 B"), (1_000, "1 KB"), (4_230, "4.2 KB"), (9_949, "9.9 KB"), (9_950, "10 KB"),
        (999_499, "999 KB"), (999_500, "1 MB"), (128_000_000, "128 MB"), (8_200_000_000, "8.2 GB"),
        (Int64.max, "9223372 TB"),
    ])
    func `an amount has two figures below ten`(bytes: Int64, text: String) {
        #expect(ByteText.amount(bytes) == text)
    }

    @Test(arguments: [
        (0.0, "0 s"), (0.04, "0 s"), (0.42, "0.4 s"), (9.94, "9.9 s"), (41.2, "41 s"), (59.4, "59 s"),
        (110, "1:50"),
        (7509, "2:05:09"),
    ])
    func `a span is read at a glance`(seconds: Double, text: String) {
        #expect(ByteText.time(.seconds(seconds)) == text)
    }
}
