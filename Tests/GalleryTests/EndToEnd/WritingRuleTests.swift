import Basics
import Foundation
import GalleryTestSupport
import PictureFiles
import Testing

@testable import Curation
@testable import GalleryCore
@testable import Publishing
@testable import gallery

/// The one rule of writing: what is there stays, unless it is the program's own or the user said `--force`.
@Suite(.fewAtOnce, .timeLimit(.minutes(1))) struct WritingRuleTests {
    /// What has the name already.
    enum Obstacle: String, CaseIterable {
        case file, link, folder, pipe, device, others, readOnly, vanished

        /// Puts it at `url`; false where this user, or this system, cannot.
        func put(at url: URL, mine: Data = WritingRuleTests.mine) throws -> Bool {
            let files = FileManager.default
            try files.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            switch self {
            case .file: try mine.write(to: url)
            case .link:
                let target = url.deletingLastPathComponent().appending(
                    path: "target of " + url.lastPathComponent)
                try mine.write(to: target)
                try files.createSymbolicLink(at: url, withDestinationURL: target)
            case .folder:
                try files.createDirectory(at: url, withIntermediateDirectories: true)
                try mine.write(to: url.appending(path: "inside"))
            case .pipe: return mkfifo(url.path, 0o600) == 0
            case .device:
                // The null device.
                return mknod(url.path, S_IFCHR | 0o666, 0x103) == 0
            case .others:
                try mine.write(to: url)
                return chown(url.path, 12_345, 12_345) == 0
            case .readOnly:
                try mine.write(to: url)
                return chmod(url.path, 0o444) == 0
            case .vanished: break
            }
            return true
        }

        /// Whether it is as it was; of one that has vanished, whether there is a file now.
        func isThere(at url: URL, mine: Data = WritingRuleTests.mine) -> Bool {
            var status = stat()
            guard lstat(url.path, &status) == 0 else { return false }
            let kind = status.st_mode & S_IFMT
            func isMine(_ url: URL) -> Bool { (try? Data(contentsOf: url)) == mine }
            return switch self {
            case .file: isMine(url)
            case .link: kind == S_IFLNK && isMine(url.resolvingSymlinksInPath())
            case .folder: isMine(url.appending(path: "inside"))
            case .pipe: kind == S_IFIFO
            case .device: kind == S_IFCHR
            case .others: status.st_uid == 12_345 && isMine(url)
            case .readOnly: status.st_mode & 0o777 == 0o444 && isMine(url)
            case .vanished: kind == S_IFREG
            }
        }
    }

    fileprivate static let mine = Data("mine, and nobody else's\n".utf8)

    /// Whoever writes a file.
    struct Writer: Sendable {
        let name: String
        /// The path of what it writes, below a folder.
        let path: String
        let write: @Sendable (_ folder: URL) async throws -> Void
    }

    private static let photo = Photo(id: PhotoID(service: "s", value: "1"), title: "One")

    private static func item(_ url: URL) -> DownloadItem {
        DownloadItem(
            number: 0, photo: photo.id, source: HTTPRequest(url: url), name: "a", isNameUnique: true,
            metadata: Data("{}".utf8))
    }

    /// The file `name` of a site with nothing else of anybody's in it.
    private static func page(_ path: String) -> Writer {
        Writer(name: "web: \(path)", path: path) { folder in
            var options = SiteOptions()
            options.hasMetadata = true
            let publisher = SitePublisher(folder)
            try await publisher.prepare(for: options)
            try await publisher.publish(PhotoSite(PhotoShelf(), options: options))
        }
    }

    private static let writers: [Writer] = [
        page("index.html"), page("style.css"), page("photos.json"), page("gallery-web"),
        Writer(name: "web: a picture", path: "full/a.jpg") { folder in
            try await SitePublisher(folder).pictures(.safe)
                .write(Array(Pictures.jpeg(width: 4, height: 4)), .jpeg, at: "full/a.jpg")
        },
        Writer(name: "collage", path: "c.svg") { folder in
            try await NamedFile(folder.appending(path: "c.svg")).write(Array("<svg></svg>\n".utf8))
        },
        Writer(name: "fetch -o", path: "o.jpg") { folder in
            try await NamedFile(folder.appending(path: "o.jpg"), isForced: false).write { try $0([1, 2, 3]) }
        },
        Writer(name: "fetch: a part", path: "a.part") { folder in
            let part = try PartFile.open(DestinationFolder(creating: folder).destination(for: "a"))
            try part?.rename(to: "other.jpg", over: .nothing)
        },
        Writer(name: "fetch: a note", path: "a.part.json") { folder in
            let part = try PartFile.open(DestinationFolder(creating: folder).destination(for: "a"))
            try part?.rename(to: "other.jpg", over: .nothing)
        },
        Writer(name: "fetch: the manifest", path: ".gallery.jsonl") { folder in
            try Manifest(of: DestinationFolder(creating: folder)).add(SidecarEntry(beside: "a", digest: "0"))
        },
        Writer(name: "--metadata", path: "a.json") { folder in
            let file = DownloadedFile(url: folder.appending(path: "a.jpg"), bytes: 1, status: .fetched)
            try DownloadFolder(DestinationFolder(creating: folder))
                .write(Data("{}".utf8), of: item(folder), beside: file)
        },
        Writer(name: "--archive", path: "archive") { folder in
            try DownloadArchive(folder.appending(path: "archive")).add(item(folder))
        },
        Writer(name: "a sidecar", path: "a.jpg.xmp") { folder in
            let picture = folder.appending(path: "a.jpg")
            try Pictures.jpeg(width: 4, height: 4).write(to: picture)
            if let fault = await RatingWriter.write(4, to: picture) { throw fault }
        },
        Writer(name: "the trash", path: "Trash/files/t.jpg") { folder in
            let file = folder.appending(path: "t.jpg")
            try Data("in the trash".utf8).write(to: file)
            try Trash(environment: ["XDG_DATA_HOME": folder.path]).moveToHomeTrash(file)
        },
        Writer(name: "marks", path: "marks.jsonl") { folder in
            try await MarkStore(file: folder.appending(path: "marks.jsonl")).mark([photo])
        },
        Writer(name: "ratings", path: "ratings.jsonl") { folder in
            try await RatingStore(file: folder.appending(path: "ratings.jsonl")).rate([photo], 4)
        },
        Writer(name: "settings", path: "config.json") { folder in
            try PrivateFile.replace(folder.appending(path: "config.json"), with: Data("{}".utf8))
        },
    ]

    /// Files of the program's own names outside folders of pictures, which are edited, and links to them followed.
    private static let own: Set = ["marks", "ratings", "settings"]

    @Test func `what has the name of a file that is written stays, whoever writes, and whatever it is`()
        async throws
    {
        var counts: [Obstacle: Int] = [:]
        for writer in Self.writers {
            for obstacle in Obstacle.allCases where try await Self.meets(obstacle, writer) {
                counts[obstacle, default: 0] += 1
            }
        }
        let sum = counts.values.reduce(0, +)
        print("\(Self.writers.count) writers, \(sum) cases:", counts.map { "\($0.key) \($0.value)" }.sorted())
        #expect(sum >= Self.writers.count * 6)
    }

    /// Lets a writer write where an obstacle is; false where that cannot be made here.
    private static func meets(_ obstacle: Obstacle, _ writer: Writer) async throws -> Bool {
        try await withTemporaryDirectory { folder in
            let target = folder.appending(path: writer.path)
            guard try obstacle.put(at: target) else { return false }
            // Somebody reads from the pipe.
            let reader = obstacle == .pipe ? open(target.path, O_RDWR | O_NONBLOCK) : -1
            defer { close(reader) }
            var result = "written"
            do { try await writer.write(folder) } catch { result = "\(error)" }
            let comment: Comment = "\(writer.name), \(obstacle): \(result)"
            if own.contains(writer.name), [.file, .link].contains(obstacle) {
                let kind = try FileManager.default.attributesOfItem(atPath: target.path)[.type]
                let expected: FileAttributeType = obstacle == .link ? .typeSymbolicLink : .typeRegular
                #expect(kind as? FileAttributeType == expected && result == "written", comment)
                #expect(
                    try writer.name == "settings" || Data(contentsOf: target).starts(with: mine), comment)
            } else if !writer.name.hasPrefix("fetch: a ") || obstacle != .vanished {
                #expect(obstacle.isThere(at: target), comment)
            }
            let left = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            #expect(!left.contains { $0.hasSuffix(FileDraft.suffix) }, comment)
            return true
        }
    }

    @Test func `fetch leaves what has the names of its files, and gives its own another one`() async throws {
        try await withBuiltProduct { gallery in
            let folder = gallery.folder.appending(path: "out")
            let obstacles = Obstacle.allCases.filter { $0 != .vanished }
            let places = obstacles.enumerated().map { ($1, folder.appending(path: "\(1001 + $0).jpg")) }
            let beside = obstacles.enumerated().map { ($1, folder.appending(path: "\(1001 + $0).json")) }
            let made = try (places + beside).filter { try $0.0.put(at: $0.1) }
            #expect(made.count >= 2 * 5)
            for _ in 1...2 {
                let run = try await gallery.run([
                    "fetch", "1-8", "-s", "sample", "-d", "out", "--name", "{id}", "--metadata",
                ])
                #expect(run.status == 1 || run.status == 0, "\(run.all)")
                for (obstacle, url) in made {
                    #expect(obstacle.isThere(at: url), "\(url.lastPathComponent), \(obstacle): \(run.all)")
                }
            }
            #expect(FileManager.default.fileExists(atPath: folder.appending(path: "1001_1001.jpg").path))
            #expect(FileManager.default.fileExists(atPath: folder.appending(path: "1008.jpg").path))
        }
    }

    @Test
    func `a page leaves what fetch has put into its folder, and a folder that is called like its drafts`()
        async throws
    {
        try await withBuiltProduct { gallery in
            func run(_ words: String...) async throws {
                let outcome = try await gallery.run(words + ["-s", "sample"])
                #expect(outcome.status == 0, "\(outcome.all)")
            }
            let site = gallery.folder.appending(path: "site")
            let drafts = site.appending(path: ".gallery-web")
            try FileManager.default.createDirectory(at: drafts, withIntermediateDirectories: true)
            try Self.mine.write(to: drafts.appending(path: "notes"))
            try await run("web", "1-2", "-o", "site", "--size", "full")
            try await run("fetch", "5-6", "-d", "site", "--name", "full/mine_{id}")
            // The same file under the very name that the page would give it.
            try await run("fetch", "3", "-d", "site", "--name", "full/sample_{id}")
            try await run("web", "1-3", "-o", "site", "--size", "full", "--metadata-in-pictures", "keep")
            try await run("web", "1-2", "-o", "site", "--size", "full")
            let left = try FileManager.default.subpathsOfDirectory(atPath: site.path)
            for path in [
                "full/mine_1005.jpg", "full/mine_1006.jpg", "full/sample_1003.jpg", ".gallery.jsonl",
            ] {
                #expect(left.contains(path), "\(path)")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: drafts.path) == ["notes"])
        }
    }

    @Test func `a collage replaces collages that nobody has changed, and with --force any file`() async throws
    {
        try await withTemporaryDirectory { folder in
            let ends: [String: [UInt8]] = [
                "svg": Array("<svg>\n</svg>\n".utf8), "png": Array(Pictures.png(width: 4, height: 4)),
                "jpg": Array(Pictures.jpeg(width: 4, height: 4)),
            ]
            for (ending, bytes) in ends {
                let file = folder.appending(path: "c.\(ending)")
                func publish(isForced: Bool = false) async -> String {
                    do {
                        try await NamedFile(file, isForced: isForced).write(bytes)
                        return "written"
                    } catch { return "\((error as? PublishError)?.description ?? "\(error)")" }
                }
                for _ in 1...2 { #expect(await publish() == "written") }
                let marked = try Data(contentsOf: file)
                #expect(marked.range(of: Data("gallery collage ".utf8)) != nil)
                if ending != "svg" {
                    let opened = try SystemCall.open(file.path, O_RDONLY)
                    let found = try PictureFile.examine(
                        descriptor: opened.number, length: Int64(marked.count), named: "")
                    guard case .whole = found else {
                        Issue.record("\(ending): \(found)")
                        continue
                    }
                }
                var changed = marked
                changed[9] ^= 1
                try changed.write(to: file)
                #expect(await publish() == "'\(file.path)' is there already.")
                #expect(try Data(contentsOf: file) == changed)
                #expect(await publish(isForced: true) == "written")
                try Data().write(to: file)
                #expect(await publish() == "written")
            }
        }
    }

    @Test func `fetch -o writes one photo, over nothing but with --force, and into a pipe`() async throws {
        try await withBuiltProduct { gallery in
            let file = gallery.folder.appending(path: "a.jpg")
            let first = try await gallery.run(["fetch", "1", "-s", "sample", "-o", "a.jpg"])
            #expect(first.status == 0 && first.output == "a.jpg\n", "\(first.all)")
            let bytes = try Data(contentsOf: file)
            #expect(bytes.starts(with: [0xFF, 0xD8]))
            let second = try await gallery.run(["fetch", "2", "-s", "sample", "-o", "a.jpg"])
            #expect(second.status == 73 && second.errors.contains("'--force'"), "\(second.all)")
            #expect(try Data(contentsOf: file) == bytes)
            let forced = try await gallery.run(["fetch", "2", "-s", "sample", "-o", "a.jpg", "--force"])
            #expect(try forced.status == 0 && Data(contentsOf: file) != bytes, "\(forced.all)")
        }
    }

    @Test func `a list of a stranger's does nothing to files that the user did not name`() async throws {
        try await withBuiltProduct { gallery in
            let folder = gallery.folder.appending(path: "private")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let picture = folder.appending(path: "a.jpg")
            try Pictures.jpeg(bytes: 5000, seed: 1).write(to: picture)
            let line =
                #"{"service":"folder","id":"a.jpg","title":"x","full":{"url":"\#(picture.absoluteString)"}}"#
            let list = Data((line + "\n").utf8)
            try list.write(to: gallery.folder.appending(path: "trip.jsonl"))
            let lines = [
                ["mark", "-"], ["mark", "-", "--rating", "4", "--write-ratings"],
                ["fetch", "-", "--exec", "rm"],
                ["web", "-", "-o", "site"], ["collage", "-", "-o", "c.svg"],
                ["fetch", "--input", "trip.jsonl"],
            ]
            for words in lines {
                let run = try await gallery.run(words, input: list)
                #expect(run.status != 0, "\(words): \(run.all)")
                #expect(run.errors.contains("is not in the folder of this command."), "\(words): \(run.all)")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.jpg"])
            #expect(try await gallery.run(["marked"]).lines.isEmpty)
            let named = try await gallery.run(["mark", "-", "--folder", folder.path], input: list)
            #expect(named.status == 0, "\(named.all)")
        }
    }

    @Test func `the trash takes a name that is long, and none that a folder or a file without a note has`()
        throws
    {
        try withTemporaryDirectory { folder in
            let trash = Trash(environment: ["XDG_DATA_HOME": folder.path])
            for name in [String(repeating: "n", count: 248) + ".jpg", String(repeating: "世", count: 84)] {
                let file = folder.appending(path: name)
                for _ in 1...2 {
                    try Self.mine.write(to: file)
                    let place = try trash.moveToHomeTrash(file)
                    #expect(try Data(contentsOf: place.file) == Self.mine)
                    #expect(place.file.path.hasSuffix(file.pathExtension))
                }
            }
            let notes = try FileManager.default.contentsOfDirectory(
                atPath: folder.appending(path: "Trash/info").path)
            #expect(notes.count == 4 && notes.allSatisfy { $0.utf8.count <= 255 })
        }
    }
}
