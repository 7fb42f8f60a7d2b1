import Curation
import Foundation
import GalleryTestSupport
import ProductTestSupport
import Testing

@testable import GalleryCore

/// A power failure at any point of a download: nothing wrong under a final name, and the next run completes.
///
/// Runs are recorded where they call the system. Every prefix of a recording is replayed into a new folder,
/// with what was not synced kept, dropped, replaced by zeros, or mixed.
@Suite(.fewAtOnce, .serialized, .timeLimit(.minutes(5)), .enabled(if: DiskJournal.isAvailable))
struct PowerFailureTests {
    private static let small = Pictures.jpeg(bytes: 20_000, seed: 1)
    private static let large = Pictures.jpeg(bytes: 600_000, seed: 2)

    private func items(_ server: LocalServer, isNameUnique: Bool = true) -> [DownloadItem] {
        [
            item(1, at: server.url("/1"), name: "1_photo", isNameUnique: isNameUnique),
            item(2, at: server.url("/2"), name: "sub/2_photo", isNameUnique: isNameUnique),
        ]
    }

    private static func handler(_ request: LocalRequest) -> LocalReply {
        .file(request.path == "/1" ? small : large, tag: "\"\(request.path.dropFirst())\"")
    }

    /// Final files by their paths.
    private static let expected = ["1_photo.jpg": small, "sub/2_photo.jpg": large]

    @Test(arguments: [(true, true), (false, true), (false, false)])
    func `a download can lose power at any point`(isCutOff: Bool, isNameUnique: Bool) async throws {
        let cut = Counter()
        let handler: LocalServer.Handler = { request in
            let reply = Self.handler(request)
            // The second request in all, which is the first for the large file.
            return isCutOff && cut.increment() == 2 ? reply.cut(at: .half) : reply
        }
        // One server, so that a part's note is about the address that the next run asks.
        try await withLocalServer(handler) { server in
            let recording = try await record { folder in
                for _ in 0..<(isCutOff ? 2 : 1) {
                    _ = await collect(
                        downloader(retries: 0, jobs: 1)
                            .fetch(items(server, isNameUnique: isNameUnique), into: folder))
                }
            }
            for crash in Thorough.cases(Crash.all(of: recording), few: 6) {
                try await check(crash, recording, items(server, isNameUnique: isNameUnique))
            }
        }
    }

    /// Once the name is free, another process may have a part there, and a note of its own beside it.
    @Test func `a part's note goes before its name`() async throws {
        try await withLocalServer(Self.handler) { server in
            let recording = try await record { folder in
                let wish = item(2, at: server.url("/2"), name: "2_photo")
                _ = await collect(downloader().fetch([wish], into: folder))
            }
            let note = recording.lastIndex { event in
                if case .remove("2_photo.part.json", _) = event { true } else { false }
            }
            let name = recording.firstIndex { event in
                if case .rename(_, "2_photo.part", _, _) = event { true } else { false }
            }
            #expect(try #require(note) < #require(name))
        }
    }

    @Test func `new folders outlast a power failure after the run`() async throws {
        try await withLocalServer(Self.handler) { server in
            let recording = try await record { folder in
                let wish = item(1, at: server.url("/1"), name: "new/deeper/1_photo")
                _ = await collect(
                    downloader().fetch(
                        [wish], into: folder.appending(path: "a/b", directoryHint: .isDirectory)))
            }
            try withTemporaryDirectory { folder in
                try Crash(length: recording.count, choice: .dropAll).replay(recording, into: folder)
                #expect(bytes("a/b/new/deeper/1_photo.jpg", in: folder) == Self.small)
                #expect(bytes("a/b/.gallery.jsonl", in: folder) != nil)
            }
        }
    }

    /// What an archive has is asked for nowhere again.
    @Test func `an archive has no file that a power failure takes`() async throws {
        let name = "had.gallery.jsonl"
        try await withLocalServer(Self.handler) { server in
            let items = items(server)
            let recording = try await record { folder in
                let archive = DownloadArchive(folder.appending(path: name))
                _ = await collect(downloader(jobs: 1, archive: archive).fetch(items, into: folder))
            }
            for crash in Thorough.cases(Crash.all(of: recording), few: 20) {
                try withTemporaryDirectory { folder in
                    try crash.replay(recording, into: folder)
                    var history = DownloadHistory()
                    try? DownloadArchive(folder.appending(path: name)).add(to: &history, .full)
                    for item in items {
                        let isHad = history.contains(Photo(id: item.photo, title: ""))
                        let isThere = bytes(item.name + ".jpg", in: folder) != nil
                        #expect(!isHad || isThere, "\(crash)")
                        // And without any trouble it has all.
                        if crash.length == recording.count, crash.choice == .dropAll { #expect(isThere) }
                        if crash.length == recording.count, crash.choice == .keepAll { #expect(isHad) }
                    }
                }
            }
        }
    }

    private func check(
        _ crash: Crash, _ recording: [DiskJournal.Event], _ items: [DownloadItem]
    ) async throws {
        try await withTemporaryDirectory { folder in
            try crash.replay(recording, into: folder)
            let comment = Comment("\(crash) \(recording.count)")
            // Zeros, of which a run says that it cannot read them.
            _ = try await TargetFolder(folder).setManifestAside()
            let before = try finalFiles(in: folder)
            for (path, bytes) in before { #expect(Self.expected[path] == bytes, comment) }
            let recorded = try await verified(folder, comment)
            let history = try FolderRecord(
                of: TargetFolder(folder).existing(), named: .standard, size: .full, looksForFiles: false
            ).history
            for item in items where before[item.name + ".jpg"] == nil {
                #expect(!history.contains(Photo(id: item.photo, title: "")), comment)
            }
            if crash.length == recording.count {
                #expect(before == Self.expected, comment)
                #expect(recorded == Set(Self.expected.keys), comment)
            }
            let result = await collect(downloader(jobs: 1).fetch(items, into: folder))
            #expect(result.failures.isEmpty, comment)
            #expect(try finalFiles(in: folder) == Self.expected, comment)
            #expect(try await verified(folder, comment) == Set(Self.expected.keys), comment)
        }
    }

    /// The paths of the files that a check finds whole; it finds none broken.
    private func verified(_ folder: URL, _ comment: Comment) async throws -> Set<String> {
        var whole: Set<String> = []
        try await FolderCheck(of: TargetFolder(folder)).forEachFinding { finding in
            switch finding.state {
            case .whole: whole.insert(finding.entry.file)
            case .missing: break
            case .changed, .damaged, .broken, .incomplete, .moved:
                Issue.record("\(finding.entry.file): \(finding.state), \(comment)")
            }
        }
        return whole
    }

    private func finalFiles(in folder: URL) throws -> [String: Data] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        let files = paths.filter { $0.hasSuffix(".jpg") }.map { ($0, bytes($0, in: folder) ?? Data()) }
        let others = paths.filter {
            !$0.hasSuffix(".jpg") && !$0.hasSuffix(".part") && !$0.hasSuffix(".part.json")
        }
        // Zeros between two lines are damage, which is kept.
        #expect(Set(others).isSubset(of: [".gallery.jsonl", ".gallery.jsonl.damaged", "sub"]))
        return Dictionary(uniqueKeysWithValues: files)
    }

    @Test func `marks survive a power failure at any point`() async throws {
        let photos = (1...3).map { Photo(id: PhotoID(service: "test", value: "\($0)"), title: "\($0)") }
        var ends: [Int] = []
        let recording = try await record { folder, journal in
            let store = MarkStore(file: folder.appending(path: "marks.jsonl"))
            for photo in photos {
                _ = try await store.mark([photo])
                ends.append(journal.events.count)
            }
        }
        for crash in Thorough.cases(Crash.all(of: recording), few: 20) {
            try await withTemporaryDirectory { folder in
                try crash.replay(recording, into: folder)
                let marks = try await MarkStore(file: folder.appending(path: "marks.jsonl")).marks()
                let done = ends.count { $0 <= crash.length }
                let found = Array(marks.photos.reversed())
                #expect(marks.damaged.isEmpty, "\(crash)")
                #expect(found.count >= done && found == Array(photos.prefix(found.count)), "\(crash)")
            }
        }
    }

    // MARK: - Recording

    private func record(
        _ body: (URL, DiskJournal) async throws -> Void
    ) async throws -> [DiskJournal.Event] {
        try await withTemporaryDirectory { folder in
            let journal = DiskJournal(of: folder)
            defer { journal.detach() }
            try await body(folder, journal)
            #expect(!journal.events.isEmpty)
            return journal.events
        }
    }

    private func record(_ body: (URL) async throws -> Void) async throws -> [DiskJournal.Event] {
        try await record { folder, _ in try await body(folder) }
    }
}

/// A power failure after the first events of a recording, and what of them reached the storage device.
struct Crash: CustomStringConvertible {
    enum Choice: Hashable {
        /// Everything: only the process was killed.
        case keepAll
        /// Only what was synced.
        case dropAll
        /// Names, but no contents.
        case names
        /// Names, and the lengths of contents, which are zeros.
        case zeros
        /// Contents, but no names.
        case contents
        /// The manifest, and nothing else that was not synced.
        case manifest
        /// Everything but what was not synced of the manifest.
        case allButManifest
        /// Each event or not, at random.
        case mixed(seed: UInt64)
    }

    let length: Int
    let choice: Choice

    var description: String { "\(choice) after \(length)" }

    static func all(of recording: [DiskJournal.Event]) -> [Crash] {
        let choices: [Choice] = [
            .keepAll, .dropAll, .names, .zeros, .contents, .manifest, .allButManifest, .mixed(seed: 1),
            .mixed(seed: 2),
        ]
        return (0...recording.count).flatMap { length -> [Crash] in
            // In a long row of writes, every eighth will do.
            if length > 0, length < recording.count, length % 8 != 0,
                case .write = recording[length - 1], case .write = recording[length]
            {
                return []
            }
            return choices.map { Crash(length: length, choice: $0) }
        }
    }

    private enum Fate {
        case keep, drop, zero
    }

    /// Builds what is in the folder after the failure.
    func replay(_ recording: [DiskJournal.Event], into folder: URL) throws {
        var random = SeededGenerator(seed: UInt64(length))
        if case .mixed(let seed) = choice { random = SeededGenerator(seed: seed &* 1_000 &+ UInt64(length)) }
        let events = recording[..<length]
        let manifests = Set(events.compactMap(Self.manifest))
        var contents: [DiskJournal.FileID: [UInt8]] = [:]
        var folders: [DiskJournal.FileID: [String: DiskJournal.FileID]] = [0: [:]]
        for (index, event) in events.enumerated() {
            let fate = isSynced(index, events) ? .keep : fate(of: event, manifests, &random)
            Self.apply(event, fate, &contents, &folders)
        }
        try Self.write(0, contents, folders, to: folder, isNewBoot: choice != .keepAll)
    }

    private func isSynced(_ index: Int, _ events: ArraySlice<DiskJournal.Event>) -> Bool {
        let target =
            switch events[index] {
            case .create(_, _, let folder), .makeFolder(_, _, let folder), .rename(_, _, _, let folder),
                .remove(_, let folder):
                folder
            case .write(let file, _, _), .truncate(let file, _): file
            case .sync: -1
            }
        return events[index...].contains(.sync(target))
    }

    /// The file that an event makes a manifest, or an archive.
    private static func manifest(_ event: DiskJournal.Event) -> DiskJournal.FileID? {
        switch event {
        case .create(let file, let name, _) where name.hasSuffix(".gallery.jsonl"),
            .rename(let file, _, let name, _) where name.hasSuffix(".gallery.jsonl"):
            file
        default: nil
        }
    }

    private static func isAbout(_ files: Set<DiskJournal.FileID>, _ event: DiskJournal.Event) -> Bool {
        switch event {
        case .create(let file, _, _), .makeFolder(let file, _, _), .write(let file, _, _),
            .truncate(let file, _), .rename(let file, _, _, _), .sync(let file):
            files.contains(file)
        case .remove: false
        }
    }

    private func fate(
        of event: DiskJournal.Event, _ manifests: Set<DiskJournal.FileID>,
        _ random: inout SeededGenerator
    ) -> Fate {
        let isContent =
            switch event {
            case .write, .truncate: true
            case .create, .makeFolder, .rename, .remove, .sync: false
            }
        switch choice {
        case .keepAll: return .keep
        case .dropAll: return .drop
        case .names: return isContent ? .drop : .keep
        case .zeros: return isContent ? .zero : .keep
        case .contents: return isContent ? .keep : .drop
        case .manifest: return Self.isAbout(manifests, event) ? .keep : .drop
        case .allButManifest: return Self.isAbout(manifests, event) ? .drop : .keep
        case .mixed: return [.keep, .drop, isContent ? .zero : .keep].randomElement(using: &random) ?? .keep
        }
    }

    private static func apply(
        _ event: DiskJournal.Event, _ fate: Fate, _ contents: inout [DiskJournal.FileID: [UInt8]],
        _ folders: inout [DiskJournal.FileID: [String: DiskJournal.FileID]]
    ) {
        guard fate != .drop else { return }
        switch event {
        case .create(let file, let name, let folder): folders[folder, default: [:]][name] = file
        case .makeFolder(let file, let name, let folder):
            folders[folder, default: [:]][name] = file
            folders[file] = folders[file] ?? [:]
        case .write(let file, let bytes, let offset):
            var all = contents[file] ?? []
            let end = Int(offset) + bytes.count
            if all.count < end { all += [UInt8](repeating: 0, count: end - all.count) }
            if fate == .keep { all.replaceSubrange(Int(offset)..<end, with: bytes) }
            contents[file] = all
        case .truncate(let file, let length):
            let all = contents[file] ?? []
            contents[file] =
                all.prefix(Int(length)) + [UInt8](repeating: 0, count: max(0, Int(length) - all.count))
        case .rename(let file, let from, let to, let folder):
            if folders[folder]?[from] == file { folders[folder]?[from] = nil }
            folders[folder, default: [:]][to] = file
        case .remove(let name, let folder): folders[folder]?[name] = nil
        case .sync: break
        }
    }

    private static func write(
        _ id: DiskJournal.FileID, _ contents: [DiskJournal.FileID: [UInt8]],
        _ folders: [DiskJournal.FileID: [String: DiskJournal.FileID]], to folder: URL, isNewBoot: Bool
    ) throws {
        for (name, file) in folders[id] ?? [:] {
            let url = folder.appending(path: name)
            if folders[file] != nil {
                try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
                try write(file, contents, folders, to: url, isNewBoot: isNewBoot)
            } else {
                var data = Data(contents[file] ?? [])
                // The system has been started again since.
                if isNewBoot, name.hasSuffix(".part.json"), !System.bootSession.isEmpty {
                    let text = String(decoding: data, as: UTF8.self)
                    data = Data(text.replacing(System.bootSession, with: "earlier").utf8)
                }
                if isNewBoot, name == ".gallery.jsonl" {
                    data.replace(Data("\"\(SyncGroup.boot)-".utf8), with: Data("\"00000000-".utf8))
                }
                try data.write(to: url)
            }
        }
    }
}
