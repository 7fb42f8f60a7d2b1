import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

/// A service whose lists need no network: what it has is what a test says.
private struct ListedService: PhotoService {
    /// The photos of every feed, newest first.
    struct Listing {
        var photos: [Int] = []
        /// The page that cannot be had.
        var brokenPage: Int?
        /// Photos that cannot be read.
        var unreadable: Set<Int> = []
        /// The photos that come first once page 1 has been sent.
        var late: [Int] = []
    }

    let listing: Locked<Listing>
    let name = "listed"

    func pageSizes(of feed: Feed) -> PageSizes { .upTo(12) }

    func page(
        _ slice: PageSlice, of feed: Feed, cursor: PageCursor?
    ) throws(ServiceError) -> Exchange<Page> {
        let now = listing.withLock { $0 }
        if slice.number == now.brokenPage {
            throw .failed(service: name, status: 500, reason: nil)
        }
        let numbers = now.photos.dropFirst(slice.firstIndex - 1).prefix(slice.size)
        let photos = numbers.enumerated().filter { !now.unreadable.contains($1) }
            .map { IndexedPhoto(index: slice.firstIndex + $0, photo: Self.photo($1)) }
        let leftOut = numbers.filter(now.unreadable.contains).map { number in
            ImportError.message(service: name, text: "\(number) cannot be read.")
        }
        let page = Page(
            photos: photos, hasMore: slice.indexes.upperBound < now.photos.count, leftOut: leftOut)
        listing.withLock { listing in
            listing.photos = listing.late + listing.photos
            listing.late = []
        }
        return .done(page)
    }

    static func photo(_ number: Int) -> Photo {
        let file = Rendition(url: URL(filePath: "/\(number).jpg"), size: nil)
        return Photo(id: PhotoID(service: "listed", value: "\(number)"), title: "\(number)", full: file)
    }

    func details(
        of photos: [Photo]
    ) throws(ServiceError) -> Exchange<[PhotoID: Result<PhotoDetail, ServiceError>]> {
        .done(Dictionary(uniqueKeysWithValues: photos.map { ($0.id, .success(PhotoDetail(photo: $0))) }))
    }

    func photo(atPage page: URL) -> PhotoID? { nil }
}

/// A folder that a job fills every day, a service that changes, and everything that happens to both.
///
/// Files come from nowhere: what matters is which are asked for, and what the manifest says of them.
private struct Year {
    var chance: SeededGenerator
    let folder: URL
    let listing = Locked(ListedService.Listing())
    var last = 0
    /// How often each photo has come.
    var arrivals: [String: Int] = [:]
    /// Photos whose file cannot be had today.
    var unreachable: Set<Int> = []

    init(seed: UInt64, folder: URL) {
        chance = SeededGenerator(seed: seed)
        self.folder = folder
    }

    mutating func happens(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &chance) < share }

    /// A run of `selection`; after `limit` files somebody kills it.
    mutating func run(
        _ selection: Selection = .from(1), feed: Feed = .favorites(of: "ann"), isNew: Bool = true,
        filter: PhotoFilter = PhotoFilter(), killedAfter limit: Int = .max
    ) async throws {
        let loader = PhotoLoader(ListedService(listing: listing), transport: FileTransport(roots: []))
        let requested = RequestedFeed(
            address: ServiceAddress(service: "listed", base: nil), feed: .feed(feed), shown: nil)
        let loaders = ServiceLoaders(sharing: loader)
        let resolver = try SelectionResolver(
            [selection], in: IndexedFeed(requested, .feed(feed, loader)), loaders: loaders,
            filter: FilterRun(filter, limit: nil), input: PhotoInput { Data() })
        let target = TargetFolder(folder)
        var options = FetchPlanner.Options(named: .standard)
        options.isOnlyNew = isNew
        let supply = FetchSupply(
            resolver, try await FetchPlanner(into: target, options, loaders: loaders))
        var (files, hasFailed) = (0, false)
        do {
            while let plan = try await supply.next() {
                hasFailed = hasFailed || !plan.failures.isEmpty
                for file in plan.files {
                    guard files < limit else { return }
                    files += 1
                    let number = Int(file.item.photo.value) ?? 0
                    guard !unreachable.contains(number) else {
                        hasFailed = true
                        continue
                    }
                    let name = "\(number).jpg"
                    guard try target.created().manifest.entry(for: name) == nil else { continue }
                    try target.created().manifest.add(
                        ManifestEntry(file.item, file: name, bytes: 1, digest: nil, validator: nil))
                    arrivals[file.item.photo.value, default: 0] += 1
                }
            }
        } catch {
            return
        }
        if !hasFailed { try await supply.noteEnd(in: target) }
    }

    mutating func addPhotos(_ count: Int) {
        let new = Array((last + 1)..<(last + 1 + count))
        last += count
        listing.withLock { $0.photos = new.reversed() + $0.photos }
    }

    /// Whatever may happen in a day to the service, the folder, and the run.
    mutating func day() async throws {
        listing.withLock { ($0.brokenPage, $0.unreadable) = (nil, []) }
        unreachable = []
        if happens(0.4) { addPhotos(Int.random(in: 1...2, using: &chance)) }
        if happens(0.01) { addPhotos(40) }
        let photos = listing.withLock { $0 }.photos
        let (some, other) = (photos.randomElement(using: &chance), photos.randomElement(using: &chance))
        if let some, happens(0.1) { listing.withLock { $0.photos.removeAll { $0 == some } } }
        // Taken away and added again, which brings it to the front.
        if let other, happens(0.1) {
            listing.withLock { $0.photos = [other] + $0.photos.filter { $0 != other } }
        }
        if happens(0.1) { listing.withLock { $0.brokenPage = Int.random(in: 1...6, using: &chance) } }
        if happens(0.2) { unreachable = Set(photos.shuffled(using: &chance).prefix(10)) }
        if happens(0.05) { unreachable = Set(photos) }
        if happens(0.05) { listing.withLock { $0.unreadable = Set(photos.prefix(3)) } }
        // While the list is being read.
        if happens(0.1) {
            last += 1
            listing.withLock { [last] in $0.late = [last] }
        }
        if happens(0.05) { try await run(.range(5...30), isNew: false) }
        if happens(0.05) { try await run(.range(3...40)) }
        if happens(0.05) { try await run(feed: .popular(ranking: "old"), killedAfter: 20) }
        if happens(0.05) { try await run(feed: .search("x")) }
        if happens(0.05) {
            var filter = PhotoFilter()
            filter.includesAdult = true
            try await run(filter: filter, killedAfter: 50)
        }
        if happens(0.05) { try spoil() }
        if happens(0.05) { try await run(isNew: false) }
        if happens(0.03) {
            let all = listing.withLock { $0 }.photos
            listing.withLock { $0.photos = [] }
            try await run()
            listing.withLock { $0.photos = all }
        }
        try await run(killedAfter: happens(0.15) ? Int.random(in: 0...30, using: &chance) : .max)
    }

    /// Saves the manifest as another program would, or cuts off its last line.
    private mutating func spoil() throws {
        let url = folder.appending(path: ".gallery.jsonl")
        guard let text = try? String(contentsOf: url, encoding: .utf8) else { return }
        switch Int.random(in: 0...3, using: &chance) {
        case 0: try Data(text.replacing("\n", with: "\r\n").utf8).write(to: url)
        case 1: try Data(("\u{FEFF}" + text).utf8).write(to: url)
        case 2: try text.data(using: .utf16)?.write(to: url)
        default: try Data((text + #"{"file":"torn"#).utf8).write(to: url)
        }
    }
}

@Suite("A year of runs", .fewAtOnce, .timeLimit(.minutes(3)))
struct YearOfRunsTests {
    @Test(arguments: Thorough.cases([UInt64(1), 2], few: 1))
    func `every photo that is listed comes once, whatever happens on the way`(seed: UInt64) async throws {
        try await withTemporaryDirectory { folder in
            var year = Year(seed: seed, folder: folder)
            year.addPhotos(60)
            try await year.run(killedAfter: 45)
            for _ in 0..<Thorough.rounds(200, few: 40) { try await year.day() }
            year.unreachable = []
            year.listing.withLock { ($0.brokenPage, $0.unreadable, $0.late) = (nil, [], []) }
            // What is listed last has moved to the front by then.
            try await year.run()
            let missing = year.listing.withLock { $0 }.photos.filter { year.arrivals["\($0)"] == nil }
            #expect(missing.isEmpty)
            #expect(year.arrivals.values.allSatisfy { $0 == 1 })
            // And then a run costs one page.
            try await year.run()
            year.listing.withLock { $0.brokenPage = 2 }
            let before = year.arrivals.count
            year.addPhotos(3)
            try await year.run()
            #expect(year.arrivals.count == before + 3)
        }
    }
}
