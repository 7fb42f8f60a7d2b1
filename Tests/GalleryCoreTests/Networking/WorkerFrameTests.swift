import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite struct WorkerFrameTests {
    private static let frames: [(kind: WorkerFrame.Kind, texts: [String])] = [
        (.hello, [""]), (.request, ["30", "http://h/a%20b?x=\u{e9}", "Range", "bytes=5-", "X", "", "", "y"]),
        (.cancel, [""]), (.body, ["\u{1}é"]), (.end, ["0", ""]), (.end, ["-1005", "Verbindung weg: é"]),
        (.head, ["200", "Content-Length", "5", "A", "b"]),
    ]

    private static func bytes() throws -> [UInt8] {
        try frames.flatMap { try #require(WorkerFrame.bytes($0.kind, $0.texts)) }
    }

    private func frames(in bytes: [UInt8]) throws -> [(kind: WorkerFrame.Kind, texts: [String])] {
        try bytes.withUnsafeBytes { bytes in
            var rest = bytes
            var frames: [(kind: WorkerFrame.Kind, texts: [String])] = []
            while let frame = try WorkerFrame(in: rest) {
                frames.append((frame.kind, frame.texts))
                rest = UnsafeRawBufferPointer(rebasing: rest[(5 + frame.payload.count)...])
            }
            return frames
        }
    }

    @Test func `what is written is read, all in a row and cut anywhere`() throws {
        let bytes = try Self.bytes()
        for count in 0...bytes.count {
            let read = try frames(in: Array(bytes.prefix(count)))
            #expect((read.count == Self.frames.count) == (count == bytes.count))
            for (read, written) in zip(read, Self.frames) {
                #expect(read.kind == written.kind && read.texts == written.texts)
            }
        }
    }

    @Test func `a text cannot end before its end`() throws {
        let bytes = try #require(WorkerFrame.bytes(.end, ["1", "a\0b"]))
        #expect(try frames(in: bytes).first?.texts == ["1", "ab"])
    }

    @Test func `names have values`() {
        #expect(WorkerFrame.fields(["a", "1", "b", ""]) == ["a": "1", "b": ""])
        #expect(WorkerFrame.fields([]) == [:])
        #expect(WorkerFrame.fields(["a"]) == nil)
    }

    @Test func `nothing longer than its limit is written`() {
        let long = String(repeating: "a", count: WorkerFrame.longestPayload)
        #expect(WorkerFrame.bytes(.end, [long])?.count == WorkerFrame.longestPayload + 5)
        #expect(WorkerFrame.bytes(.end, [long, ""]) == nil)
    }

    @Test(
        arguments: [
            ("no such kind", [0, 0, 0, 0, 99]), ("kind 0", [0, 0, 0, 0, 0]),
            ("a payload beyond the limit", [1, 0, 16, 0, 5]),
            ("a payload of four gigabytes", [255, 255, 255, 255, 5]),
        ] as [(String, [UInt8])])
    func `no frame is made of`(what: String, bytes: [UInt8]) {
        #expect(throws: WorkerFrame.Unreadable.self, "\(what)") { try frames(in: bytes) }
    }

    @Test(arguments: [[], ["soon", "http://h/"], ["5", "http://[h/"], ["5"]])
    func `a worker ends a request that it cannot read`(request: [String]) throws {
        let (ours, theirs) = try #require(WorkerSocket.pair())
        NetworkWorker.start(on: theirs)
        let reader = FrameReader(ours.number)
        WorkerSocket.limitWaiting(at: ours.number, to: .seconds(10))
        #expect(try reader.next()?.kind == .hello)
        let frame = try #require(WorkerFrame.bytes(.request, request))
        WorkerSocket.send(frame, to: ours.number)
        let answer = try #require(try reader.next())
        #expect(answer.kind == .end && answer.texts == ["-1000", ""])
        _ = shutdown(ours.number, Int32(SHUT_RDWR))
    }

    @Test func `hostile bytes are read or refused, and nothing else`() throws {
        var random = SeededGenerator(seed: 14)
        let good = try Self.bytes()
        var refused = 0
        let rounds = Thorough.rounds(20_000, few: 2_000)
        for _ in 0..<rounds {
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
        #expect((rounds / 20..<rounds * 19 / 20).contains(refused), "\(refused)")
    }
}
