import Foundation
import Testing

@testable import GalleryCore

@Suite struct SegmentPlanTests {
    private let plan = SegmentPlan(length: 100)
    private static let ranges = ["Accept-Ranges": "bytes"]

    private func end(
        _ decision: ResumeDecision, _ headers: [String: String] = ranges, offer length: Int64? = nil,
        total: Int64? = nil, validator: String? = #""v1""#
    ) throws -> Int64? {
        let url = try #require(URL(string: "http://host/a"))
        let head = HTTPHead(status: length == nil ? 200 : 206, url: url, headers: headers)
        let offer = length.map { ResumeOffer(length: $0, validator: #""v1""#, total: total) }
        return plan.end(of: head, decision, offer: offer, validator: validator)
    }

    @Test(
        arguments: [
            (0, nil), (100, nil), (101, 100), (1_000, 100), (nil, nil),
        ] as [(Int64?, Int64?)])
    func `a file longer than a segment is taken up to its first one's end`(
        total: Int64?, expected: Int64?
    ) throws {
        #expect(try end(.startOver(total: total)) == expected)
    }

    @Test(
        arguments: [
            (1, 101, nil), (1, 102, 101), (350, 450, nil), (350, 451, 450), (350, nil, nil),
        ] as [(Int64, Int64?, Int64?)])
    func `a part is gone on from by a segment`(length: Int64, total: Int64?, expected: Int64?) throws {
        let offer = ResumeOffer(length: length, validator: #""v1""#, total: total)
        #expect(plan.end(from: offer) == expected)
        #expect(try end(.append(total: total), [:], offer: length, total: total) == expected)
    }

    @Test func `the reply may know a length that the part did not`() throws {
        #expect(try end(.append(total: 1_000), [:], offer: 350, total: nil) == 450)
    }

    @Test(
        arguments: [
            [:], ["Accept-Ranges": "none"], ["Accept-Ranges": ""], ["Accept-Ranges": "kilobytes"],
        ])
    func `who does not say that it serves ranges is not asked for one`(headers: [String: String]) throws {
        #expect(try end(.startOver(total: 1_000), headers) == nil)
    }

    @Test(arguments: ["bytes", "Bytes", " bytes ", "other, bytes"])
    func `who says so is`(field: String) throws {
        #expect(try end(.startOver(total: 1_000), ["Accept-Ranges": field]) == 100)
    }

    @Test func `bytes that nothing names may be another file's by the next request`() throws {
        #expect(try end(.startOver(total: 1_000), validator: nil) == nil)
    }

    @Test func `who sent everything though asked for the rest would do so again`() throws {
        #expect(try end(.startOver(total: 1_000), offer: 350, total: 1_000) == nil)
    }

    @Test(arguments: [.complete, .discard, .refuse(status: 404)] as [ResumeDecision])
    func `what brings no bytes has no end`(decision: ResumeDecision) throws {
        #expect(try end(decision, offer: 350, total: 1_000) == nil)
    }
}
