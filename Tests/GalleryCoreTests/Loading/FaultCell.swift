import GalleryTestSupport
import Testing

/// One row of a fault matrix: a fault, and what comes of it.
struct FaultCell: Sendable, CustomTestStringConvertible {
    /// What came of asking, and how many requests it took.
    struct Outcome: Sendable, Equatable, CustomStringConvertible {
        let what: String
        let requests: Int

        static func photos(after requests: Int) -> Outcome { Outcome(what: "photos", requests: requests) }

        /// - Parameter status: the exit status that `CONTRACT.md` gives such an error.
        static func fails(_ word: String, _ status: Int, after requests: Int) -> Outcome {
            Outcome(what: "\(status) \(word)", requests: requests)
        }

        var description: String { "\(what) after \(requests)" }
    }

    let fault: APIFault
    /// Where the first request meets the fault and the others do not.
    let once: Outcome
    /// Where each request meets it.
    let always: Outcome
    /// Seconds that are waited where it is met once.
    var waits: [Double] = []

    var testDescription: String { fault.name }

    /// No fault at all: photos come whenever it is met.
    static func harmless(_ fault: APIFault) -> FaultCell {
        FaultCell(fault: fault, once: .photos(after: 1), always: .photos(after: 1))
    }

    /// A fault that passes: one more try brings the photos, or the error where one is all there may be.
    static func passing(
        _ fault: APIFault, _ word: String, _ status: Int, waits: [Double] = [0.25]
    ) -> FaultCell {
        FaultCell(
            fault: fault, once: .photos(after: 2), always: .fails(word, status, after: 2), waits: waits)
    }

    /// A fault that no further try mends.
    static func lasting(_ fault: APIFault, _ word: String, _ status: Int) -> FaultCell {
        let outcome = Outcome.fails(word, status, after: 1)
        return FaultCell(fault: fault, once: outcome, always: outcome)
    }
}

extension FaultCell {
    /// The rows that lists and details have in common: faults on the way, and hosts that are away or busy.
    static let alike: [FaultCell] = [
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
        .lasting(.status(401), "refused", 77),
        .passing(.status(408), "failed 408", 69),
        .passing(.status(429), "rate limited", 75),
        .passing(.status(429, retryAfter: "3"), "rate limited for 3", 75, waits: [3]),
        .passing(.status(429, retryAfter: "Sun, 06 Nov 1994 08:49:46 GMT"), "rate limited", 75, waits: [9]),
        .passing(.status(503), "failed 503", 69),
        .passing(.status(503, retryAfter: "3"), "rate limited for 3", 75, waits: [3]),
        .passing(.emptyWithoutLength, "cut short", 69),
        .harmless(.otherType),
        .passing(.tooLong, "cut short", 69),
        .lasting(.huge, "malformed", 69),
        .passing(.otherTag, "cut short", 69),
        .harmless(.gzip),
        .passing(.gzipCut, "cut short", 69),
        .passing(.gzipCutShort, "cut short", 69),
        .passing(.gzipReset, "cut short", 69),
        .passing(.gzipInChunks, "cut short", 69),
        FaultCell(fault: .noGzip, once: .photos(after: 2), always: .photos(after: 2)),
    ]
}
