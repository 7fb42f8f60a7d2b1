import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite struct WorkerFrameTests {
    static let request = CarriedRequest(
        address: "http://h/a%20b?x=\u{e9}", headers: ["Range": "bytes=5-", "X": "", "": "y"], idleTimeout: 30)
    static let frames: [WorkerFrame] = [
        .hello, .request(1, request),
        .request(.max, CarriedRequest(address: "", headers: [:], idleTimeout: 1)),
        .cancel(7), .headOnly(8), .body(9, []), .body(9, [0, 255, 10]), .end(10, code: 0, text: ""),
        .end(11, code: -1005, text: "Verbindung weg: é"),
        .head(12, status: 200, headers: ["Content-Length": "5", "A": "b"], isFinal: true),
        .head(13, status: 302, headers: [:], isFinal: false),
    ]

    private func frames(in bytes: [UInt8]) throws -> [WorkerFrame] {
        try bytes.withUnsafeBytes { bytes in
            var rest = bytes
            var frames: [WorkerFrame] = []
            while let frame = try RawFrame(in: rest) {
                frames.append(try WorkerFrame(frame))
                rest = UnsafeRawBufferPointer(rebasing: rest[frame.length...])
            }
            return frames
        }
    }

    @Test func `what is written is read, all in a row and cut anywhere`() throws {
        let bytes = try Self.frames.flatMap { try #require($0.bytes) }
        #expect(try frames(in: bytes) == Self.frames)
        for count in bytes.indices {
            let read = try frames(in: Array(bytes.prefix(count)))
            #expect(Self.frames.starts(with: read) && read.count < Self.frames.count)
        }
    }

    @Test func `nothing longer than its limit is written`() {
        let long = String(repeating: "a", count: WorkerFrame.longestPayload + 1)
        #expect(WorkerFrame.end(1, code: 0, text: long).bytes == nil)
        #expect(
            WorkerFrame.request(1, CarriedRequest(address: long, headers: [:], idleTimeout: 1)).bytes == nil)
        #expect(
            WorkerFrame.body(1, Array(repeating: 0, count: WorkerFrame.longestPayload)).bytes?.count
                == WorkerFrame.longestPayload + WorkerFrame.headerLength)
    }

    @Test(
        arguments: [
            ("no such kind", [0, 0, 0, 0, 99, 0, 0, 0, 0]),
            ("kind 0", [0, 0, 0, 0, 0, 0, 0, 0, 0]),
            ("a payload beyond the limit", [1, 0, 16, 0, 5, 0, 0, 0, 0]),
            ("a payload of four gigabytes", [255, 255, 255, 255, 5, 0, 0, 0, 0]),
            ("a head without a status", [0, 0, 0, 0, 4, 0, 0, 0, 0]),
            ("status 99", [12, 0, 0, 0, 4, 0, 0, 0, 0, 99, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]),
            ("status -1", [12, 0, 0, 0, 4, 0, 0, 0, 0, 255, 255, 255, 255, 1, 0, 0, 0, 0, 0, 0, 0]),
            (
                "two billion fields",
                [12, 0, 0, 0, 4, 0, 0, 0, 0, 200, 0, 0, 0, 1, 0, 0, 0, 255, 255, 255, 127]
            ),
            ("minus one field", [12, 0, 0, 0, 4, 0, 0, 0, 0, 200, 0, 0, 0, 1, 0, 0, 0, 255, 255, 255, 255]),
            ("a text beyond the payload", [8, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]),
            ("a text of negative length", [8, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255]),
            ("a byte too many", [9, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]),
            ("a hello with something to say", [1, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
        ] as [(String, [UInt8])])
    func `no frame is made of`(what: String, bytes: [UInt8]) {
        #expect(throws: WorkerFrame.Malformed.self, "\(what)") { try frames(in: bytes) }
    }

    @Test func `hostile bytes are read or refused, and nothing else`() throws {
        var random = SeededGenerator(seed: 14)
        let good = try Self.frames.flatMap { try #require($0.bytes) }
        var refused = 0
        for _ in 0..<20_000 {
            var bytes: [UInt8]
            if Bool.random(using: &random) {
                bytes = (0..<Int.random(in: 0...64, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
            } else {
                bytes = good
                for _ in 0...Int.random(in: 0...4, using: &random) {
                    let index = Int.random(in: bytes.indices, using: &random)
                    bytes[index] = UInt8.random(in: 0...255, using: &random)
                }
                bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
            }
            do { _ = try frames(in: bytes) } catch { refused += 1 }
        }
        // Both happen, or it was no fuzz.
        #expect((1000..<19_000).contains(refused), "\(refused)")
    }
}
