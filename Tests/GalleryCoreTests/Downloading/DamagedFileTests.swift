import Curation
import Foundation
import GalleryTestSupport
import PictureFiles
import Testing

@testable import GalleryCore

/// Files whose bytes are not those that were downloaded.
@Suite(.fewAtOnce, .timeLimit(.minutes(1))) struct DamagedFileTests {
    /// What happens to a picture, what `verify` says of it then, and the next download.
    private enum Fate: String, CaseIterable {
        case nothing, copied, flipped, flippedAndArchived, lengthened, edited, ofEarlierVersion, dated,
            datedLater

        var expected: (finding: String, outcome: String) {
            switch self {
            case .nothing, .copied: ("whole", "kept")
            case .lengthened: (#"damaged("it has 20001 of 20000 bytes")"#, "damaged")
            case .edited, .ofEarlierVersion: ("changed", "kept")
            default: (#"damaged("its bytes have changed")"#, "damaged")
            }
        }

        /// - Parameter time: When the file was modified before.
        func befall(_ file: URL, _ time: Date) throws {
            var bytes = try Data(contentsOf: file)
            switch self {
            case .nothing: return
            case .copied: break
            case .lengthened: bytes.append(0)
            default: bytes[10_000] ^= 1
            }
            try bytes.write(to: file)
            if self == .edited { return }
            let whole = Date(timeIntervalSince1970: time.timeIntervalSince1970.rounded(.down))
            try FileManager.default.setAttributes(
                [.modificationDate: self == .flippedAndArchived ? whole : time], ofItemAtPath: file.path)
        }
    }

    @Test func `bytes that differ are damage where nobody has written to the file, and else its owner's`()
        async throws
    {
        try await withLocalServer({
            .file(Pictures.jpeg(bytes: 20_000, seed: UInt64($0.path.dropFirst()) ?? 0))
        }) { server in
            try await withTemporaryDirectory { folder in
                let date = Date(timeIntervalSince1970: 1_320_508_477.25)
                let fates = Array(Fate.allCases.enumerated())
                func items(_ hasDate: (Fate) -> Bool) -> [DownloadItem] {
                    fates.map { number, fate in
                        DownloadItem(
                            number: number, photo: PhotoID(service: "test", value: "\(number)"),
                            source: HTTPRequest(url: server.url("/\(number)")), name: fate.rawValue,
                            isNameUnique: true, date: hasDate(fate) ? date : nil)
                    }
                }
                _ = await collect(downloader(jobs: 1).fetch(items { $0 == .dated }, into: folder))
                _ = await collect(
                    downloader(jobs: 1).fetch(items { $0 == .dated || $0 == .datedLater }, into: folder))
                for (_, fate) in fates {
                    let file = folder.appending(path: fate.rawValue + ".jpg")
                    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
                    let time = try #require(attributes[.modificationDate] as? Date)
                    if fate == .dated || fate == .datedLater { #expect(time == date) }
                    try fate.befall(file, time)
                }
                let record = folder.appending(path: ".gallery.jsonl")
                let text = try String(contentsOf: record, encoding: .utf8)
                let lines = text.split(separator: "\n").map { line in
                    line.contains("ofEarlierVersion")
                        ? String(line.replacing(/,"modified":\d+,"changed":\d+/, with: "")) : String(line)
                }
                #expect(lines.count { $0.contains(#""modified""#) } >= fates.count - 1)
                try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: record)
                for turn in 1...2 {
                    var findings: [String: String] = [:]
                    try await FolderCheck(of: TargetFolder(folder)).forEachFinding { finding in
                        findings[finding.entry.file] = "\(finding.state)"
                    }
                    let again = await collect(downloader(jobs: 1).fetch(items { _ in false }, into: folder))
                    for (number, fate) in fates {
                        #expect(findings[fate.rawValue + ".jpg"] == fate.expected.finding, "\(fate), \(turn)")
                        #expect(again.outcome(number) == fate.expected.outcome, "\(fate), \(turn)")
                    }
                }
                let all = downloader(jobs: 1, overwrites: true)
                _ = await collect(all.fetch(items { _ in false }, into: folder))
                try await FolderCheck(of: TargetFolder(folder)).forEachFinding { #expect($0.state == .whole) }
            }
        }
    }

    @Test(.needsOrdinaryUser)
    func
        `a file of which a copy has only another time of its change is kept, also where nothing can be noted`()
        async throws
    {
        try await withLocalServer(.file(Pictures.jpeg(bytes: 20_000, seed: 1))) { server in
            try await withTemporaryDirectory { folder in
                let wish = item(1, at: server.url("/a"), name: "a")
                _ = await collect(downloader().fetch([wish], into: folder))
                for (name, mode) in [("a.jpg", 0o600), (".gallery.jsonl", 0o400)] {
                    try FileManager.default.setAttributes(
                        [.posixPermissions: mode], ofItemAtPath: folder.appending(path: name).path)
                }
                for _ in 1...2 {
                    #expect(await collect(downloader().fetch([wish], into: folder)).outcome(1) == "kept")
                }
                #expect(server.requests.count == 1)
            }
        }
    }
}
