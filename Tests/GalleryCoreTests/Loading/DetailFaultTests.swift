import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

/// The fault matrix of details: each way a host may fail, and what the details of two photos come to.
///
/// Two photos are one request. A host that only may lack that request is asked for each alone.
@Suite("Details against faults", .timeLimit(.minutes(2)))
struct DetailFaultTests {
    /// A fault of the request for both, after which each is asked for alone.
    private static func alone(_ fault: APIFault, _ word: String, _ status: Int) -> FaultCell {
        FaultCell(fault: fault, once: .photos(after: 3), always: .fails(word, status, after: 3))
    }

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
        alone(.status(304), "failed 304", 69),
        alone(.status(400), "failed 400", 69),
        .lasting(.status(401), "refused", 77),
        // A photo that only its owner may see is none.
        alone(.status(403), "missing", 66),
        alone(.status(404), "missing", 66),
        .passing(.status(408), "failed 408", 69),
        alone(.status(416), "failed 416", 69),
        .passing(.status(429), "rate limited", 75),
        .passing(.status(429, retryAfter: "3"), "rate limited for 3", 75, waits: [3]),
        .passing(.status(429, retryAfter: "Sun, 06 Nov 1994 08:49:46 GMT"), "rate limited", 75, waits: [9]),
        // Servers without the request for several answer so too: each is asked for alone, and tried twice.
        FaultCell(
            fault: .status(500), once: .photos(after: 2), always: .fails("failed 500", 69, after: 6),
            waits: [0.25]),
        .passing(.status(503), "failed 503", 69),
        .passing(.status(503, retryAfter: "3"), "rate limited for 3", 75, waits: [3]),
        alone(.html, "unreadable", 65),
        alone(.empty, "unreadable", 65),
        .passing(.emptyWithoutLength, "cut short", 69),
        .harmless(.otherType),
        alone(.picture, "unreadable", 65),
        .passing(.tooLong, "cut short", 69),
        alone(.tooShort, "unreadable", 65),
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
        let listed = try FaultyHost.listed()
        let details = try await loader.details(of: listed)
        var cameras: [String?] = []
        for photo in listed { cameras.append(try details[photo.id]?.get().camera) }
        return cameras == ["Box", "Box"]
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
