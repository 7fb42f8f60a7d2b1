import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite struct PartSinkTests {
    private func withSink(_ body: (PartSink, PartFile) throws -> Void) throws {
        try withTemporaryDirectory { folder in
            let target = try DestinationFolder(creating: folder)
            let place = try target.place(for: "a")
            guard case .ours(let start) = try ResumablePart.open(place, for: wish, mayResume: true) else {
                Issue.record("somebody else has the part")
                return
            }
            let sink = PartSink(wish, start: start, segments: nil) { _, _, _ in }
            try sink.begin(
                HTTPHead(
                    status: 200, url: wish.source.url,
                    headers: ["ETag": #""v1""#, "Content-Length": "1000000"]))
            try body(sink, start.file)
        }
    }

    private let wish = item(1, at: URL(filePath: "/a"))

    private func receive(_ bytes: Data, _ sink: PartSink) throws {
        try bytes.withUnsafeBytes { try sink.receive($0) }
    }

    @Test func `the note stands before the part is longer than a small photo`() throws {
        let photo = Pictures.jpeg(bytes: 1_000_000)
        try withSink { sink, part in
            // No note for so few bytes, unless they took their time; then it is this one too.
            try receive(photo.prefix(100_000), sink)
            try receive(photo.dropFirst(100_000).prefix(170_000), sink)
            let note = try #require(part.note())
            #expect(note.validator == #""v1""#)
            #expect(note.total == 1_000_000)
            #expect(note.describes(wish))
            #expect(try part.length() == 270_000)
        }
    }
}
