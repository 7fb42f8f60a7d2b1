import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite(.fewAtOnce, .timeLimit(.minutes(1))) struct FileSinkTests {
    private func withSink(_ body: (FileSink, PartFile) throws -> Void) throws {
        try withTemporaryDirectory { folder in
            let target = try DestinationFolder(creating: folder)
            let destination = try target.destination(for: "a")
            let start = try #require(
                try ResumablePart.open(destination, for: wish, mayResume: true))
            let sink = FileSink(wish.source, to: start.file.arriving, of: start) { _, _, _ in }
            try sink.begin(
                HTTPHead(
                    status: 200, url: wish.source.url,
                    headers: ["ETag": #""v1""#, "Content-Length": "1000000"]))
            try body(sink, start.file)
        }
    }

    private let wish = item(1, at: URL(filePath: "/a"))

    private func receive(_ bytes: Data, _ sink: FileSink) throws {
        try bytes.withUnsafeBytes { try sink.receive($0) }
    }

    @Test func `the note stands with the first bytes of a file of which more is to come`() throws {
        try withSink { sink, part in
            try receive(Pictures.jpeg(bytes: 1_000_000).prefix(1_000), sink)
            let note = try #require(PartNote(of: part.destination))
            #expect(note.validator == #""v1""#)
            #expect(note.total == 1_000_000)
            #expect(note.describes(wish))
            #expect(try part.length() == 1_000)
        }
    }

    @Test func `a file that comes at once needs no note`() throws {
        try withSink { sink, part in
            try receive(Pictures.jpeg(bytes: 1_000_000), sink)
            #expect(PartNote(of: part.destination) == nil)
        }
    }

    @Test func `of an error's body no more is read than keeps the connection`() throws {
        try withSink { sink, part in
            try sink.begin(HTTPHead(status: 500, url: wish.source.url))
            try receive(Data(count: 65_536), sink)
            #expect(throws: FileSink.TooMuch.self) { try receive(Data(count: 1), sink) }
            #expect(try part.length() == 0)
        }
    }
}
