import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

/// The fault matrix of lists: each way a host may fail, and what a page of photos comes to.
@Suite("Lists against faults", .timeLimit(.minutes(2)))
struct ListFaultTests {
    static let cells: [FaultCell] = [
        .passing(.refused, "unreachable", 69),
        .passing(.closedAtOnce, "cut short", 69),
        .passing(.resetAtOnce, "cut short", 69),
        .passing(.reset(at: 0), "cut short", 69),
        .passing(.reset(at: 1), "cut short", 69),
        .passing(.reset(at: .half), "cut short", 69),
        .passing(.reset(at: .last), "cut short", 69),
        .passing(.cut(at: .half), "cut short", 69),
        .passing(.cut(at: .last), "cut short", 69),
        .passing(.cutWithoutLength(at: 0), "cut short", 69),
        .passing(.cutWithoutLength(at: .half), "cut short", 69),
        .passing(.cutWithoutLength(at: .last), "cut short", 69),
        .harmless(.cutWithoutLength(at: .end)),
        .passing(.cutInChunks(at: .half), "cut short", 69),
        .passing(.cutInChunks(at: .end), "cut short", 69),
        .passing(.stall, "timed out", 69),
        .harmless(.drip),
        .lasting(.noHTTP, "malformed", 69),
        FaultCell(
            fault: .redirectLoop, once: .photos(after: 2), always: .fails("redirect", 69, after: 11)),
        .lasting(.redirectToFile, "redirect", 69),
        .harmless(.redirectElsewhere),
        .lasting(.redirectWithKey, "redirect", 69),
        .lasting(.status(304), "failed 304", 69),
        .lasting(.status(400), "failed 400", 69),
        .lasting(.status(401), "refused", 77),
        .lasting(.status(403), "refused", 77),
        .lasting(.status(404), "missing", 66),
        .passing(.status(408), "failed 408", 69),
        .lasting(.status(416), "failed 416", 69),
        .passing(.status(429), "rate limited", 75),
        .passing(.status(429, retryAfter: "3"), "rate limited for 3", 75, waits: [3]),
        .passing(.status(429, retryAfter: "Sun, 06 Nov 1994 08:49:46 GMT"), "rate limited", 75, waits: [9]),
        .passing(.status(500), "failed 500", 69),
        .passing(.status(503), "failed 503", 69),
        .passing(.status(503, retryAfter: "3"), "rate limited for 3", 75, waits: [3]),
        .lasting(.html, "unreadable", 65),
        .lasting(.empty, "unreadable", 65),
        .passing(.emptyWithoutLength, "cut short", 69),
        .harmless(.otherType),
        .lasting(.picture, "unreadable", 65),
        .passing(.tooLong, "cut short", 69),
        .lasting(.tooShort, "unreadable", 65),
        .lasting(.huge, "malformed", 69),
        .passing(.otherTag, "cut short", 69),
        .harmless(.gzip),
        .passing(.gzipCut, "cut short", 69),
        .passing(.gzipCutShort, "cut short", 69),
        .passing(.gzipReset, "cut short", 69),
        .passing(.gzipInChunks, "cut short", 69),
        .lasting(.noGzip, "malformed", 69),
    ]

    private func ask(_ loader: PhotoLoader) async throws(ServiceError) -> Bool {
        let page = try await loader.page(PageSlice(number: 1, size: 20), of: .popular())
        return page.photos.map(\.photo.id.value) == ["1", "2"] && page.total == 2
    }

    @Test(arguments: cells)
    func `a fault met once`(cell: FaultCell) async throws {
        let (outcome, waits) = try await FaultyHost.outcome(cell.fault, always: false, ask)
        #expect(outcome == cell.once, "\(outcome)")
        #expect(waits == cell.waits)
    }

    @Test(arguments: cells)
    func `a fault met each time`(cell: FaultCell) async throws {
        let outcome = try await FaultyHost.outcome(cell.fault, always: true, ask).outcome
        #expect(outcome == cell.always, "\(outcome)")
    }
}
