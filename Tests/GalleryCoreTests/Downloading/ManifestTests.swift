import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite("Manifest", .fewAtOnce, .timeLimit(.minutes(1)))
struct ManifestTests {
    private static func entry(_ number: Int, file: String? = nil, bytes: Int64 = 10) -> ManifestEntry {
        let item = DownloadItem(
            number: number, photo: PhotoID(service: "s", value: "\(number)"),
            source: HTTPRequest(url: URL(filePath: "/")), name: "", isNameUnique: true)
        return ManifestEntry(
            item, file: file ?? "\(number).jpg", bytes: bytes, digest: nil, validator: #""v""#)
    }

    private static func url(in folder: URL) -> URL { folder.appending(path: ".gallery.jsonl") }

    private static func count(_ manifest: Manifest) throws -> Int {
        var (lines, count) = (try manifest.lines(), 0)
        while try lines.next() != nil { count += 1 }
        return count
    }

    @Test func `keeps the last line of each file, for itself and for others`() throws {
        try withTemporaryDirectory { url in
            let folder = try DestinationFolder(existing: url)
            let (one, other) = (Manifest(of: folder), Manifest(of: folder))
            #expect(try one.entry(for: "1.jpg") == nil)
            try one.add(Self.entry(1))
            try other.add(Self.entry(2))
            try one.add(Self.entry(1, bytes: 20))
            for manifest in [one, other, Manifest(of: folder)] {
                #expect(try manifest.entry(for: "1.jpg") == Self.entry(1, bytes: 20))
                #expect(try manifest.entry(for: "2.jpg") == Self.entry(2))
                #expect(try manifest.entry(for: "3.jpg") == nil)
                #expect(try Self.count(manifest) == 2)
            }
        }
    }

    @Test(arguments: [
        #"a"b\c.jpg"#, "猫 🐈.jpg", "a\u{202E}b.jpg", "Ann/2020/a.jpg", #"{"file":"x.jpg"}.jpg"#, "\\",
    ])
    func `finds any name again`(file: String) throws {
        try withTemporaryDirectory { url in
            let folder = try DestinationFolder(existing: url)
            try Manifest(of: folder).add(Self.entry(1, file: file))
            #expect(try Manifest(of: folder).entry(for: file) == Self.entry(1, file: file))
        }
    }

    @Test func `a line cut anywhere hides nothing and spoils nothing`() throws {
        let whole = Self.entry(1).line
        let torn = Self.entry(1, bytes: 99).line
        for cut in 0..<torn.count {
            try withTemporaryDirectory { url in
                try Data(whole + torn[..<cut]).write(to: Self.url(in: url))
                let folder = try DestinationFolder(existing: url)
                let manifest = Manifest(of: folder)
                #expect(try manifest.entry(for: "1.jpg") == Self.entry(1))
                try manifest.add(Self.entry(2))
                #expect(try Manifest(of: folder).entry(for: "2.jpg") == Self.entry(2))
                // All but its end is a whole line as soon as the next one begins behind it.
                let first = try Manifest(of: folder).entry(for: "1.jpg")
                #expect(first == Self.entry(1, bytes: cut == torn.count - 1 ? 99 : 10))
            }
        }
    }

    @Test func `is as readable as other files, and not written through a link`() throws {
        try withTemporaryDirectory { url in
            let folder = try DestinationFolder(existing: url)
            try Manifest(of: folder).add(Self.entry(1))
            let beside = url.appending(path: "beside")
            try Data().write(to: beside)
            let modes = try [beside, Self.url(in: url)].map {
                try FileManager.default.attributesOfItem(atPath: $0.path)[.posixPermissions] as? Int
            }
            #expect(modes[0] == modes[1])
            try FileManager.default.removeItem(at: Self.url(in: url))
            let target = url.appending(path: "target")
            try Data().write(to: target)
            try FileManager.default.createSymbolicLink(at: Self.url(in: url), withDestinationURL: target)
            #expect(throws: DownloadError.self) { try Manifest(of: folder).add(Self.entry(1)) }
            #expect(try Data(contentsOf: target).isEmpty)
        }
    }

    @Test func `who adds keeps other processes out meanwhile, who reads does not`() throws {
        try withTemporaryDirectory { url in
            let folder = try DestinationFolder(existing: url)
            let manifest = Manifest(of: folder)
            try manifest.add(Self.entry(1))
            // An open file of its own, as another process has.
            let other = try SystemCall.open(".gallery.jsonl", in: folder.root, O_RDWR)
            func isFree() -> Bool {
                defer { flock(other.number, LOCK_UN) }
                return flock(other.number, LOCK_EX | LOCK_NB) == 0
            }
            try manifest.exclusively { add throws(DownloadError) in
                #expect(!isFree())
                try add(Self.entry(2).line)
                #expect(!isFree())
                #expect(try manifest.entry(for: "2.jpg") == Self.entry(2))
            }
            #expect(isFree())
            #expect(try Manifest(of: folder).entry(for: "2.jpg") == Self.entry(2))
        }
    }

    @Test func `lines are added to the manifest that has the name, and to none that had it`() throws {
        try withTemporaryDirectory { url in
            let manifest = Manifest(of: try DestinationFolder(existing: url))
            try manifest.add(Self.entry(1))
            try manifest.add(Self.entry(2))
            // As another process does that mends it, or an editor.
            try Data(Self.entry(1).line).write(to: Self.url(in: url), options: .atomic)
            try manifest.add(Self.entry(3))
            #expect(
                try Data(contentsOf: Self.url(in: url)) == Data(Self.entry(1).line + Self.entry(3).line))
            for (number, isThere) in [(1, true), (2, false), (3, true)] {
                #expect(try (manifest.entry(for: "\(number).jpg") != nil) == isThere)
            }
        }
    }

    private static let lines = (1...3).map { entry($0, file: $0 == 2 ? "猫 2.jpg" : nil).line }
    private static let text = lines.map { String(decoding: $0, as: UTF8.self) }.joined()
    @Test(arguments: [text.replacing("\n", with: "\r\n"), "\u{FEFF}" + text, "\n \n" + text])
    func `a manifest that another program has saved is read and added to`(saved: String) throws {
        try withTemporaryDirectory { url in
            try Data(saved.utf8).write(to: Self.url(in: url))
            let manifest = Manifest(of: try DestinationFolder(existing: url))
            #expect(try Self.count(manifest) == 3)
            #expect(try manifest.unreadableLines().isEmpty)
            try manifest.add(Self.entry(4))
            #expect(try manifest.entry(for: "1.jpg") == Self.entry(1))
            #expect(try manifest.entry(for: "猫 2.jpg") == Self.entry(2, file: "猫 2.jpg"))
            let written = try Data(contentsOf: Self.url(in: url))
            #expect(written == Data(saved.utf8) + Self.entry(4).line)
        }
    }

    @Test(arguments: [
        ("zeros", Data(count: 700)), ("zeros on a line", Data(count: 700) + Data("\n".utf8)),
        ("UTF-16", text.data(using: .utf16) ?? Data()), ("other text", Data("nonsense\n".utf8)),
        ("layout", Data(text.replacing("{", with: "{\n").replacing("}", with: "\n}").utf8)),
    ])
    func `one of which nothing can be read is left alone until somebody says so`(
        name: String, bytes: Data
    ) throws {
        try withTemporaryDirectory { url in
            try bytes.write(to: Self.url(in: url))
            let manifest = Manifest(of: try DestinationFolder(existing: url))
            for _ in 1...2 {
                #expect(throws: DownloadError.self) { try manifest.add(Self.entry(1)) }
                #expect(throws: DownloadError.self) { try manifest.entry(for: "1.jpg") }
            }
            #expect(try Data(contentsOf: Self.url(in: url)) == bytes)
            #expect(try manifest.setAside() == ".gallery.jsonl.damaged")
            try manifest.add(Self.entry(1))
            #expect(try manifest.entry(for: "1.jpg") == Self.entry(1))
            #expect(try manifest.setAside() == nil)
            #expect(try Data(contentsOf: url.appending(path: ".gallery.jsonl.damaged")) == bytes)
            // What was damaged earlier stays.
            try bytes.write(to: Self.url(in: url))
            let next = Manifest(of: try DestinationFolder(existing: url))
            #expect(try next.setAside() == ".gallery.jsonl.damaged2")
        }
    }

    @Test func `a line behind zeros is read, and they are damage`() throws {
        try withTemporaryDirectory { url in
            try Data(Self.lines[0] + [UInt8](repeating: 0, count: 20_000) + Self.lines[2])
                .write(to: Self.url(in: url))
            let manifest = Manifest(of: try DestinationFolder(existing: url))
            #expect(try manifest.entry(for: "3.jpg") == Self.entry(3) && Self.count(manifest) == 2)
            #expect(try manifest.unreadableLines() == [2])
            try manifest.add(Self.entry(4))
            #expect(
                try Data(contentsOf: Self.url(in: url))
                    == Data(Self.lines[0] + Self.lines[2] + Self.entry(4).line))
        }
    }

    @Test func `lines that cannot be read are counted, and kept elsewhere`() throws {
        try withTemporaryDirectory { url in
            let bytes = Data(Self.lines[0] + Array("nonsense\n{\"file\":\"cut\n\n".utf8) + Self.lines[1])
            try bytes.write(to: Self.url(in: url))
            let manifest = Manifest(of: try DestinationFolder(existing: url))
            #expect(try manifest.unreadableLines() == [2, 3])
            try manifest.add(Self.entry(4))
            #expect(try Data(contentsOf: url.appending(path: ".gallery.jsonl.damaged")) == bytes)
            let again = Manifest(of: try DestinationFolder(existing: url))
            #expect(try again.unreadableLines().isEmpty && Self.count(again) == 3)
        }
    }

    @Test(arguments: [
        ("https://mirror.example.org/v1", true), ("http://127.0.0.1:8080/", true), ("file:///photos/", true),
        ("https://user@mirror.example.org/", false), ("https://user:secret@mirror.example.org/", false),
        ("https://mirror.example.org/?token=secret", false), ("https://mirror.example.org/#secret", false),
        ("https://mirror.example.org/" + String(repeating: "x", count: 3000), false),
    ])
    func `where a service is stands in the manifest unless there is a secret in it`(
        base: String, isShown: Bool
    ) {
        let item = DownloadItem(
            number: 1, photo: PhotoID(service: "s", value: "1"), source: HTTPRequest(url: URL(filePath: "/")),
            name: "", isNameUnique: true, base: URL(string: base))
        let entry = ManifestEntry(item, file: "1.jpg", bytes: 1, digest: nil, validator: nil)
        #expect(entry.base == (isShown ? base : nil))
        #expect(isShown || !String(decoding: entry.line, as: UTF8.self).contains("secret"))
    }

    @Test func `many writers at once lose no line`() async throws {
        try await withTemporaryDirectory { url in
            let folder = try DestinationFolder(existing: url)
            await withTaskGroup(of: Void.self) { group in
                for writer in 0..<4 {
                    group.addTask {
                        let manifest = Manifest(of: folder)
                        for number in 0..<50 { try? manifest.add(Self.entry(writer * 50 + number)) }
                    }
                }
            }
            let manifest = Manifest(of: folder)
            let missing = (0..<200).filter { (try? manifest.entry(for: "\($0).jpg")) == nil }
            #expect(missing.isEmpty)
        }
    }

    private func history(in folder: URL, _ size: PhotoFileSize) throws -> DownloadHistory {
        try FolderRecord(
            of: TargetFolder(folder).existing(), named: .standard, size: size, looksForFiles: false
        ).history
    }

    @Test func `remembers photos whose files are gone, in one size or a larger one`() throws {
        try withTemporaryDirectory { url in
            let manifest = Manifest(of: try DestinationFolder(existing: url))
            func item(_ id: String, page: Int = 0, size: PhotoFileSize = .full) -> DownloadItem {
                DownloadItem(
                    number: 0, photo: PhotoID(service: "s", value: id), page: page, size: size,
                    source: HTTPRequest(url: url), name: id, isNameUnique: true)
            }
            func photo(_ id: String, pages: Int = 1) -> Photo {
                Photo(id: PhotoID(service: "s", value: id), title: "", pageCount: pages)
            }
            for item in [item("1"), item("2", size: .thumbnail), item("3"), item("3", page: 1)] {
                try manifest.add(
                    ManifestEntry(
                        item, file: "\(item.name)_\(item.page).jpg", bytes: 1, digest: nil, validator: nil))
            }
            let copy = UniqueFiles.Fingerprint(bytes: 1, digest: "00")
            try manifest.add(DuplicateEntry(item("a:b c"), sameAs: "1_0.jpg", copy))
            let (full, small) = (try history(in: url, .full), try history(in: url, .thumbnail))
            #expect(full.contains(photo("1")) && small.contains(photo("1")))
            #expect(!full.contains(photo("2")) && small.contains(photo("2")))
            #expect(full.contains(photo("3", pages: 2)) && !full.contains(photo("3", pages: 3)))
            #expect(full.contains(photo("a:b c")))
            #expect(!full.contains(photo("4")))
        }
    }
}
