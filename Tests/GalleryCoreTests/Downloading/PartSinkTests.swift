import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite(.fewAtOnce, .timeLimit(.minutes(1))) struct PartSinkTests {
    private func withSink(_ body: (PartSink, PartFile) throws -> Void) throws {
        try withTemporaryDirectory { folder in
            let target = try DestinationFolder(creating: folder)
            let destination = try target.destination(for: "a")
            guard case .ours(let start) = try ResumablePart.open(destination, for: wish, mayResume: true)
            else {
                Issue.record("somebody else has the part")
                return
            }
            let sink = PartSink(wish, start: start) { _, _, _ in }
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

    @Test func `a transfer that takes its time gets its note before many bytes`() async throws {
        try await withTemporaryDirectory { folder in
            let target = try DestinationFolder(creating: folder)
            let found = try ResumablePart.open(
                try target.destination(for: "a"), for: wish, mayResume: true)
            guard case .ours(let start) = found else { throw CancellationError() }
            let sink = PartSink(wish, start: start) { _, _, _ in }
            try sink.begin(HTTPHead(status: 200, url: wish.source.url, headers: ["ETag": #""v1""#]))
            try receive(Pictures.jpeg(bytes: 1_000), sink)
            try await until { start.file.note() != nil }
            #expect(start.file.note()?.validator == #""v1""#)
        }
    }
}
