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

    static let cells: [FaultCell] =
        FaultCell.alike + [
            alone(.status(304), "failed 304", 69),
            alone(.status(400), "failed 400", 69),
            // A photo that only its owner may see is none.
            alone(.status(403), "missing", 66),
            alone(.status(404), "missing", 66),
            alone(.status(416), "failed 416", 69),
            // Servers without the request for several answer so too: each is asked for alone, and tried twice.
            FaultCell(
                fault: .status(500), once: .photos(after: 2), always: .fails("failed 500", 69, after: 6),
                waits: [0.25]),
            alone(.html, "unreadable", 65),
            alone(.empty, "unreadable", 65),
            alone(.picture, "unreadable", 65),
            alone(.tooShort, "unreadable", 65),
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
