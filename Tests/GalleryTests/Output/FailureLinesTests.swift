import Foundation
import GalleryCore
import Testing

@testable import gallery

@Suite struct FailureLinesTests {
    private func failure(_ index: Int?, _ reason: String) -> ResolvedPhotos.Failure {
        .init(
            index: index, name: index.map { "photo \($0)" } ?? "line",
            error: CommandFault(.unavailable, "\(reason)."))
    }

    @Test(
        arguments: [
            ([1, 2, 3], []), ([1, 2, 3, 4], ["Error: and 1 more, photo 4: Gone."]),
            (Array(1...2000), ["Error: and 1,997 more, photos 4–2000: Gone."]),
            ([9, 8, 7, 3, 1, 2, 5], ["Error: and 4 more, photos 1–3, 5: Gone."]),
            (
                Array(stride(from: 1, to: 40, by: 2)),
                ["Error: and 17 more, photos 7, 9, 11, 13, 15, 17, 19, 21 …: Gone."]
            ),
            ([nil, nil, nil, nil, nil], ["Error: and 2 more: Gone."]),
        ] as [([Int?], [String])])
    func `of the same words three are told, and the others counted`(indexes: [Int?], rest: [String]) {
        var lines = FailureLines()
        let told = indexes.compactMap { lines.line(of: failure($0, "Gone")) }
        #expect(told.count == 3)
        #expect(lines.rest == rest)
    }

    @Test func `those of other words are told by themselves`() {
        var lines = FailureLines()
        let told = (1...8).compactMap { lines.line(of: failure($0, $0 % 2 == 0 ? "Even" : "Odd")) }
        #expect(told.count == 6)
        #expect(lines.rest == ["Error: and 1 more, photo 7: Odd.", "Error: and 1 more, photo 8: Even."])
    }
}
