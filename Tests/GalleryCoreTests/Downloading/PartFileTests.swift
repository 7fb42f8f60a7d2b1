import Foundation
import GalleryTestSupport
import PictureFiles
import Testing

@testable import GalleryCore

@Suite struct PartFileTests {
    private func withPart(_ body: (PartFile, Destination) throws -> Void) throws {
        try withTemporaryDirectory { folder in
            let destination = try DestinationFolder(existing: folder).destination(for: "a")
            try body(try #require(try PartFile.open(destination)), destination)
        }
    }

    private func write(_ data: Data, to part: PartFile) throws {
        try Array(data).withUnsafeBytes { try part.arriving.write($0, at: 0) }
    }

    private func note() throws -> PartNote {
        let url = try #require(URL(string: "https://example.org/a"))
        let head = HTTPHead(status: 200, url: url, headers: ["ETag": "\"1\"", "Content-Length": "100"])
        return PartNote(item(1, at: url), head: head, boot: System.bootSession, now: Date())
    }

    @Test func `an emptied part has no note`() throws {
        try withPart { part, _ in
            try write(Data("old bytes".utf8), to: part)
            try part.write(try note())
            #expect(PartNote(of: part.destination) != nil)
            try part.empty()
            #expect(PartNote(of: part.destination) == nil)
            #expect(try part.length() == 0)
        }
    }

    @Test func `an unlocked part can be opened though somebody still holds it`() throws {
        try withPart { part, destination in
            let locked = try PartFile.open(destination)
            #expect(locked == nil)
            part.unlock()
            let unlocked = try PartFile.open(destination)
            #expect(unlocked != nil)
            withExtendedLifetime(part) {}
        }
    }

    @Test func `whoever gets a part has the one that has its name, and nobody takes away its note`() throws {
        try withTemporaryDirectory { folder in
            let note = try note()
            let faults = Watched<[String]>([])
            DispatchQueue.concurrentPerform(iterations: 4) { worker in
                do {
                    let destination = try DestinationFolder(existing: folder).destination(for: "a")
                    for number in 0..<1500 {
                        // Another has it.
                        guard let part = try PartFile.open(destination) else { continue }
                        let named = try SystemCall.status(of: destination.part, in: destination.folder)
                        let own = try SystemCall.status(of: part.file)
                        if named?.st_ino != own.st_ino { faults.update { $0.append("another's part") } }
                        try part.write(note)
                        if PartNote(of: destination) != note { faults.update { $0.append("no note") } }
                        try part.rename(to: "\(worker)-\(number)")
                        part.unlock()
                    }
                } catch {
                    faults.update { $0.append("\(error)") }
                }
            }
            #expect(faults.value.isEmpty)
        }
    }

    @Test(arguments: [-1, 1] as [Int64])
    func `a whole picture of another length than announced is incomplete`(difference: Int64) throws {
        try withPart { part, _ in
            let picture = Pictures.jpeg(bytes: 5000, seed: 1)
            try write(picture, to: part)
            let source = HTTPRequest(url: try #require(URL(string: "https://h/photo.jpg")))
            let file = part.arriving
            #expect(try file.contents(length: 5000, total: 5000, from: source).type == .jpeg)
            #expect(try file.contents(length: 5000, total: nil, from: source).type == .jpeg)
            let error = #expect(throws: DownloadError.self) {
                try file.contents(length: 5000, total: 5000 + difference, from: source)
            }
            #expect(
                error?.description
                    == "'h' sent a broken picture: it has 5000 of \(5000 + difference) bytes.")
        }
    }
}
