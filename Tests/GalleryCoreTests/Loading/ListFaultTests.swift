import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

/// The fault matrix of lists: each way a host may fail, and what a page of photos comes to.
@Suite("Lists against faults", .timeLimit(.minutes(2)))
struct ListFaultTests {
    static let cells: [FaultCell] =
        FaultCell.alike + [
            .lasting(.status(304), "failed 304", 69),
            .lasting(.status(400), "failed 400", 69),
            .lasting(.status(403), "refused", 77),
            .lasting(.status(404), "missing", 66),
            .lasting(.status(416), "failed 416", 69),
            .passing(.status(500), "failed 500", 69),
            .lasting(.html, "unreadable", 65),
            .lasting(.empty, "unreadable", 65),
            .lasting(.picture, "unreadable", 65),
            .lasting(.tooShort, "unreadable", 65),
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
