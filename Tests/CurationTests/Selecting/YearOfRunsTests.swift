import Curation
import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

/// Jobs that fill folders every day, a service that changes, and everything that happens to all of them.
private struct Year {
    /// One line of a crontab.
    struct Job {
        let feed: Feed
        let folder: Int
        let template: NameTemplate
        var tellsTotal = false
        var filter = PhotoFilter()

        var key: String { "\(feed)" }
    }

    /// What was done to a folder.
    struct Folder {
        let url: URL
        let hasUniqueNames: Bool
        /// How often each photo may have come: more than once after the folder has lost it.
        var allowed: [Int: Int] = [:]
        var arrivals: [Int: Int] = [:]
        /// Photos that the user deleted, and pictures that the user made, by their names.
        var deleted: Set<Int> = []
        var own: [String: Data] = [:]
    }

    private(set) var chance: SeededGenerator
    private(set) var jobs: [Job] = []
    private(set) var folders: [Folder] = []
    let service = ListedService(listings: Locked([:]), files: Locked(.init()))
    private let day = Locked(20_000)
    private var last = 0

    init(seed: UInt64, in url: URL) throws {
        chance = SeededGenerator(seed: seed)
        let title = try NameTemplate("{title}")
        var adults = PhotoFilter()
        adults.includesAdult = true
        jobs = [
            Job(feed: .favorites(of: "ann"), folder: 0, template: .standard),
            Job(feed: .user("bob"), folder: 0, template: .standard, tellsTotal: true),
            Job(feed: .favorites(of: "cat"), folder: 1, template: title, tellsTotal: true),
            Job(feed: .user("dan"), folder: 2, template: .standard),
            Job(
                feed: .favorites(of: "eve"), folder: 3, template: .standard, tellsTotal: true, filter: adults),
        ]
        folders = (0..<4).map { Folder(url: url.appending(path: "\($0)"), hasUniqueNames: $0 != 1) }
        for job in jobs { change(job) { $0.tellsTotal = job.tellsTotal } }
        for job in jobs { addPhotos(30, to: job) }
    }

    private mutating func happens(_ share: Double) -> Bool {
        Double.random(in: 0..<1, using: &chance) < share
    }

    private func change(_ job: Job, _ body: (inout ListedService.Listing) -> Void) {
        service.listings.withLock { body(&$0[job.key, default: .init()]) }
    }

    func listing(_ job: Job) -> ListedService.Listing {
        service.listings.withLock { $0[job.key] ?? .init() }
    }

    private mutating func addPhotos(_ count: Int, to job: Job) {
        let new = Array((last + 1)..<(last + 1 + count))
        last += count
        change(job) { $0.photos = new.reversed() + $0.photos }
    }

    // MARK: - Runs

    /// What a run needs of its folder and the service, without the rest of the year.
    private struct Run: Sendable {
        let service: ListedService
        let job: Job
        let folder: URL
        let day: Int
        let selection: Selection
        let isNew: Bool
        /// After so many files somebody kills it.
        let limit: Int

        func come() async -> [Int] {
            var come: [Int] = []
            let timekeeper = Timekeeper(
                clock: TestClock.skipping(),
                date: { [day] in Date(timeIntervalSince1970: Double(day) * 86_400) },
                chance: { 0.5 })
            let shared = APIClient.Shared(timekeeper: timekeeper)
            let loader = PhotoLoader(
                service: service, client: APIClient(transport: service, shared: shared))
            var configuration = Downloader.Configuration()
            configuration.retries = 0
            let downloader = Downloader(
                transport: service, configuration: configuration, timekeeper: timekeeper)
            let requested = RequestedFeed(
                address: ServiceAddress(service: "listed", base: nil), feed: .feed(job.feed), shown: nil)
            let loaders = ServiceLoaders(sharing: loader)
            let target = TargetFolder(folder)
            var options = FetchPlanner.Options(named: job.template)
            options.isOnlyNew = isNew
            await target.clearLeftovers()
            var hasFailed = false
            do {
                let resolver = try SelectionResolver(
                    [selection], in: IndexedFeed(requested, .feed(job.feed, loader)), loaders: loaders,
                    filter: FilterRun(job.filter, limit: nil), input: PhotoInput { Data() })
                let supply = FetchSupply(
                    resolver, try await FetchPlanner(into: target, options, loaders: loaders))
                while let plan = try await supply.next() {
                    hasFailed = hasFailed || !plan.failures.isEmpty
                    // Killed before the others: what has come by then is not synced, and no end is noted.
                    let items = plan.files.prefix(limit - come.count).map(\.item)
                    for await event in downloader.fetch(items, into: target) {
                        switch event {
                        case .finished(let item, let file):
                            if file.status != .kept { come.append(Int(item.photo.value) ?? 0) }
                        case .failed: hasFailed = true
                        default: break
                        }
                    }
                    if come.count >= limit { return come }
                }
                if !hasFailed { try await supply.noteEnd(in: target) }
            } catch DownloadError.unreadableManifest {
                // Who reads that begins a new one.
                _ = try? await target.setManifestAside()
            } catch {}
            return come
        }
    }

    private func planned(
        _ job: Job, _ selection: Selection = .from(1), isNew: Bool = true, killedAfter limit: Int = .max
    ) -> Run {
        Run(
            service: service, job: job, folder: folders[job.folder].url, day: day.withLock { $0 },
            selection: selection, isNew: isNew, limit: limit)
    }

    private mutating func run(_ run: Run) async { take(await run.come(), run.job) }

    private mutating func take(_ photos: [Int], _ job: Job) {
        for photo in photos { folders[job.folder].arrivals[photo, default: 0] += 1 }
    }

    // MARK: - Days

    /// Whatever may happen in a day to the service, the folders, and the runs.
    mutating func pass() async throws {
        day.withLock { $0 += 1 }
        service.files.withLock { $0.unreachable = [] }
        for job in jobs { try await trouble(job) }
        // The computer is off every other day.
        if happens(0.5) { return }
        // Two jobs of one folder at once, or one after the other.
        let limits = jobs.map { _ in
            happens(0.1) ? Int.random(in: 1...10, using: &chance) : Int.max
        }
        let runs = zip(jobs, limits).map { planned($0, killedAfter: $1) }
        if happens(0.5) {
            async let one = runs[0].come()
            async let other = runs[1].come()
            let (first, second) = await (one, other)
            take(first, jobs[0])
            take(second, jobs[1])
        } else {
            for number in [0, 1] { await run(runs[number]) }
        }
        for run in runs.dropFirst(2) { await self.run(run) }
        for place in folders.indices where happens(0.15) { try befall(place) }
    }

    /// What happens to a feed, and the runs that somebody makes by hand.
    private mutating func trouble(_ job: Job) async throws {
        change(job) { listing in
            (listing.brokenPage, listing.emptyPage, listing.unreadable) = (nil, nil, [])
            (listing.hidden, listing.isTotalShort) = ([], false)
        }
        // Few: what a run costs is the length of its manifest.
        if happens(0.25) { addPhotos(Int.random(in: 1...2, using: &chance), to: job) }
        if happens(0.004) { addPhotos(30, to: job) }
        let photos = listing(job).photos
        let some = Array(photos.shuffled(using: &chance).prefix(3))
        let early = photos.prefix(10).randomElement(using: &chance)
        let page = Int.random(in: 1...4, using: &chance)
        if let early, happens(0.05) { change(job) { $0.removed = [early] } }
        if let first = some.first, happens(0.05) {
            change(job) { listing in listing.photos.removeAll { $0 == first } }
        }
        // Taken away and added again, which brings it to the front.
        if let first = some.first, happens(0.05) {
            change(job) { listing in listing.photos = [first] + listing.photos.filter { $0 != first } }
        }
        if happens(0.05) { change(job) { $0.brokenPage = page } }
        if happens(0.05) { change(job) { $0.emptyPage = page } }
        if happens(0.05) { change(job) { $0.unreadable = Set(some) } }
        if happens(0.05) {
            let isShort = happens(0.5)
            change(job) { ($0.hidden, $0.isTotalShort) = (Set(some), isShort) }
        }
        if happens(0.05) {
            last += 1
            change(job) { [last] in $0.late = [last] }
        }
        if happens(0.1) { service.files.withLock { $0.unreachable.formUnion(photos.prefix(5)) } }
        if happens(0.02) { service.files.withLock { $0.broken.formUnion(photos.prefix(1)) } }
        if happens(0.05) { service.files.withLock { $0.broken = [] } }
        if happens(0.02) { await run(planned(job, .range(5...30))) }
    }

    /// What happens to a folder: its user, other programs, kills, and power failures.
    private mutating func befall(_ place: Int) throws {
        let url = folders[place].url
        let manifest = url.appending(path: ".gallery.jsonl")
        guard let text = try? String(contentsOf: manifest, encoding: .utf8) else { return }
        switch Int.random(in: 0..<9, using: &chance) {
        case 0: try Data(text.replacing("\n", with: "\r\n").utf8).write(to: manifest)
        case 1: try Data(("nonsense\n" + text).utf8).write(to: manifest)
        case 2: try Data((text + #"{"file":"torn"#).utf8).write(to: manifest)
        case 3: try beKilled(place, text)
        case 4: try losePower(place, text)
        case 5: try loseManifest(place)
        case 6: try delete(place, text)
        case 7: try edit(place)
        default:
            let part = url.appending(path: "left.part")
            try Data().write(to: part)
            folders[place].own["left.part"] = Data()
        }
    }

    private func entries(_ text: String) -> [ManifestEntry] {
        text.split(separator: "\n").compactMap { ManifestEntry(line: Array($0.utf8)) }
    }

    /// Killed between giving a file its name and adding the line.
    private mutating func beKilled(_ place: Int, _ text: String) throws {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: true)
        guard let last = lines.last(where: { $0.hasPrefix(#"{"file""#) }),
            let entry = ManifestEntry(line: Array(last.utf8)),
            // What the user has deleted since was not there when the process was killed.
            let number = Int(entry.id), !folders[place].deleted.contains(number)
        else { return }
        let rest = lines.filter {
            $0 != last && !$0.hasPrefix(#"{"complete""#) && !$0.hasPrefix(#"{"walked""#)
        }
        try Data((rest.joined(separator: "\n") + "\n").utf8).write(
            to: folders[place].url.appending(path: ".gallery.jsonl"))
        if !folders[place].hasUniqueNames { folders[place].allowed[number, default: 1] += 1 }
    }

    /// A power failure in a run after which the manifest has its lines, and the folder has none of the names: they were
    /// not synced.
    private mutating func losePower(_ place: Int, _ text: String) throws {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: true)
        guard let group = entries(text).last?.group else { return }
        let rest = lines.filter {
            $0 != #"{"synced":"\#(group)"}"# && !$0.hasPrefix(#"{"complete""#) && !$0.hasPrefix(#"{"walked""#)
        }
        let later = (rest.joined(separator: "\n") + "\n").replacing(
            "\"\(SyncGroup.boot)-", with: "\"00000000-")
        try Data(later.utf8).write(to: folders[place].url.appending(path: ".gallery.jsonl"))
        for entry in entries(text) where entry.group == group {
            guard let number = Int(entry.id), folders[place].own[entry.file] == nil else { continue }
            try? FileManager.default.removeItem(at: folders[place].url.appending(path: entry.file))
            // It had one chance; and what was deleted in that run comes again.
            folders[place].allowed[number, default: 1] += 1
        }
    }

    /// Zeros after a power failure, in the manifest of a folder whose names say whose they are.
    private mutating func loseManifest(_ place: Int) throws {
        guard folders[place].hasUniqueNames else { return }
        try Data(count: 900).write(to: folders[place].url.appending(path: ".gallery.jsonl"))
        for number in folders[place].deleted { folders[place].allowed[number, default: 1] += 1 }
        folders[place].deleted = []
    }

    private mutating func pictures(_ place: Int) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folders[place].url.path)) ?? []
        return names.filter { $0.hasSuffix(".jpg") }.sorted()
    }

    private func number(_ name: String, _ place: Int) -> Int? {
        let bytes = try? Data(contentsOf: folders[place].url.appending(path: name))
        return (1...max(1, last)).first { ListedService.picture($0) == bytes }
    }

    private mutating func delete(_ place: Int, _ manifest: String) throws {
        guard
            let name = pictures(place).filter({ folders[place].own[$0] == nil }).randomElement(
                using: &chance),
            let number = number(name, place)
        else { return }
        try FileManager.default.removeItem(at: folders[place].url.appending(path: name))
        folders[place].deleted.insert(number)
        // What a manifest that was begun anew does not have yet comes again.
        if !manifest.contains("\"\(number)\"") { folders[place].allowed[number, default: 1] += 1 }
    }

    /// The user's own version of a picture.
    private mutating func edit(_ place: Int) throws {
        guard folders[place].hasUniqueNames,
            let name = pictures(place).filter({ folders[place].own[$0] == nil }).randomElement(using: &chance)
        else { return }
        let picture = Pictures.jpeg(bytes: 700, seed: UInt64.random(in: 1 << 40...1 << 50, using: &chance))
        try picture.write(to: folders[place].url.appending(path: name))
        folders[place].own[name] = picture
    }

    // MARK: - The end

    /// Everything works again, and a month passes.
    mutating func settle() async {
        service.files.withLock { ($0.unreachable, $0.broken) = ([], []) }
        for job in jobs {
            change(job) { listing in
                (listing.brokenPage, listing.emptyPage, listing.unreadable) = (nil, nil, [])
                (listing.hidden, listing.late, listing.removed) = ([], [], [])
            }
        }
        for days in [0, 30] {
            day.withLock { $0 += days }
            for job in jobs { await run(planned(job)) }
        }
    }

    /// What is wrong with the folders, in words.
    ///
    /// - Parameter looksAtFiles: Whether every picture is read, which takes its time.
    mutating func faults(looksAtFiles: Bool = true) -> [String] {
        var faults: [String] = []
        for job in jobs {
            let folder = folders[job.folder]
            let missing = listing(job).photos.filter { folder.arrivals[$0] == nil }
            if !missing.isEmpty { faults.append("\(job.key) has not got \(missing)") }
        }
        for (place, folder) in folders.enumerated() {
            for (photo, count) in folder.arrivals where count > folder.allowed[photo] ?? 1 {
                faults.append("photo \(photo) came \(count) times to \(place)")
            }
            guard looksAtFiles else { continue }
            let files = pictures(place).map { try? Data(contentsOf: folder.url.appending(path: $0)) }
            if Set(files).count != files.count { faults.append("\(place) has a picture twice") }
            for (name, bytes) in folder.own
            where (try? Data(contentsOf: folder.url.appending(path: name))) != bytes {
                faults.append("\(name) in \(place) was touched")
            }
        }
        return faults
    }

    /// Which of two new photos do not come, of each feed whose second page cannot be had: what is known need not come
    /// again.
    mutating func newPhotosMissed() async -> [Int] {
        var missed: [Int] = []
        for job in jobs {
            addPhotos(2, to: job)
            change(job) { $0.brokenPage = 2 }
            let photos = listing(job).photos.prefix(2)
            await run(planned(job))
            missed += photos.filter { folders[job.folder].arrivals[$0] != 1 }
        }
        return missed
    }
}

@Suite("A year of runs", .fewAtOnce, .timeLimit(.minutes(30)))
struct YearOfRunsTests {
    /// All at once, since each waits for the disk.
    @Test func `every photo that is listed comes once, whatever happens on the way`() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for seed in 1...UInt64(Thorough.rounds(20, few: 1)) {
                group.addTask { try await Self.passYear(seed: seed) }
            }
        }
    }

    private static func passYear(seed: UInt64) async throws {
        try await withTemporaryDirectory { folder in
            var year = try Year(seed: seed, in: folder)
            for day in 1...(Thorough.isOn ? 365 : 40) {
                try await year.pass()
                let faults = year.faults(looksAtFiles: day % 7 == 0).filter { !$0.contains("has not got") }
                #expect(faults.isEmpty, "seed \(seed), day \(day)")
                if !faults.isEmpty { return }
            }
            await year.settle()
            #expect(year.faults().isEmpty, "seed \(seed)")
            let missed = await year.newPhotosMissed()
            #expect(missed.isEmpty, "seed \(seed)")
        }
    }
}
