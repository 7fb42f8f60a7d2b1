import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

/// The fault matrix of lists and of details: each way a host may fail, and what a page of photos, or the
/// details of two, come to.
///
/// The details of two photos are one request. A host that only may lack that request is asked for each alone.
@Suite("Lists and details against faults", .fewAtOnce, .timeLimit(.minutes(3)))
struct APIFaultTests {
    /// What the host is asked for.
    enum Question: Sendable {
        case list
        case details
    }

    static let rows: [(Question, FaultCell)] =
        lists.map { (.list, $0) } + details.map { (.details, $0) }

    @Test(arguments: Thorough.cases(rows, few: 14))
    func `a fault met once`(question: Question, cell: FaultCell) async throws {
        let (outcome, waits) = try await outcome(of: question, cell.fault, isAlways: false)
        #expect(outcome == cell.once, "\(outcome)")
        #expect(waits == cell.waits)
    }

    @Test(arguments: Thorough.cases(rows, few: 10))
    func `a fault met each time`(question: Question, cell: FaultCell) async throws {
        let outcome = try await outcome(of: question, cell.fault, isAlways: true).outcome
        #expect(outcome == cell.always, "\(outcome)")
    }

    private func outcome(
        of question: Question, _ fault: APIFault, isAlways: Bool
    ) async throws -> (outcome: FaultCell.Outcome, waits: [Double]) {
        try await FaultyHost.outcome(fault, always: isAlways) { loader async throws(ServiceError) in
            switch question {
            case .list:
                let page = try await loader.page(PageSlice(number: 1, size: 20), of: .popular())
                return page.photos.map(\.photo.id.value) == ["1", "2"] && page.total == 2
            case .details:
                let listed = try FaultyHost.listed()
                let details = try await loader.details(of: listed)
                var cameras: [String?] = []
                for photo in listed { cameras.append(try details[photo.id]?.get().camera) }
                return cameras == ["Box", "Box"]
            }
        }
    }

    // MARK: - Rows

    private static let lists: [FaultCell] =
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

    private static let details: [FaultCell] =
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

    /// A fault of the request for both, after which each is asked for alone.
    private static func alone(_ fault: APIFault, _ word: String, _ status: Int) -> FaultCell {
        FaultCell(fault: fault, once: .photos(after: 3), always: .fails(word, status, after: 3))
    }
}
