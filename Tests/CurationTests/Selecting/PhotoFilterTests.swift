import Curation
import Foundation
import GalleryCore
import Testing

@Suite struct PhotoFilterTests {
    private let photo = Photo(
        id: PhotoID(service: "x", value: "1"), title: "",
        author: Author(id: "9", name: "Ansel Adams", username: "ansel"),
        size: PixelSize(width: 4000, height: 3000), tags: ["Sea", "night"], category: "Black and White")

    private static func filter(_ change: (inout PhotoFilter) -> Void) -> PhotoFilter {
        var filter = PhotoFilter()
        change(&filter)
        return filter
    }

    @Test(arguments: [
        (filter { $0.orientation = .landscape }, nil as PhotoFilter.Rule?),
        (filter { $0.orientation = .portrait }, .orientation),
        (filter { $0.minWidth = 4000 }, nil), (filter { $0.minWidth = 4001 }, .minWidth),
        (filter { $0.minHeight = 3001 }, .minHeight), (filter { $0.tags = ["sea"] }, nil),
        (filter { $0.tags = ["sea", "NIGHT"] }, nil), (filter { $0.tags = ["sea", "day"] }, .tag),
        (filter { $0.tags = ["black and white", "sea"] }, nil), (filter { $0.tags = ["white"] }, .tag),
        (filter { $0.author = "ANSEL" }, nil), (filter { $0.author = "ansel adams" }, nil),
        (filter { $0.author = "adams" }, .author),
    ])
    func `a photo passes when every rule does`(filter: PhotoFilter, rule: PhotoFilter.Rule?) {
        #expect(filter.rule(against: photo) == rule)
    }

    @Test(arguments: [
        ("2024", 1_704_067_200.0 as Double?), ("2024-05", 1_714_521_600), ("2024-05-01", 1_714_521_600),
        ("1850", -3_786_825_600), ("7d", 395_200), ("0d", 1_000_000), ("2024-13", nil), ("2024-00", nil),
        ("2024-02-30", nil), ("24", nil), ("2024/05", nil), ("2024-05-01T00:00:00Z", nil), ("d", nil),
        ("-7d", nil),
        ("+7d", nil), ("7", nil), ("", nil), ("99999999999999999999d", -86_398_913_600),
    ])
    func `a date begins with its year, its month, or its day, or lies some days back`(
        text: String, seconds: Double?
    ) {
        let date = PhotoFilter.date(text, now: Date(timeIntervalSince1970: 1_000_000))
        #expect(date?.timeIntervalSince1970 == seconds)
    }

    @Test func `a photo of which only the year is known counts at its beginning`() throws {
        let photo = Photo(id: PhotoID(service: "x", value: "1"), title: "").dated(taken: WrittenDate("1965"))
        func rule(_ change: (inout PhotoFilter) -> Void) -> PhotoFilter.Rule? {
            Self.filter(change).rule(against: photo)
        }
        #expect(rule { $0.after = PhotoFilter.date("1965") } == nil)
        #expect(rule { $0.after = PhotoFilter.date("1965-01-02") } == .after)
        #expect(rule { $0.before = PhotoFilter.date("1966") } == nil)
        #expect(rule { $0.before = PhotoFilter.date("1965") } == .before)
    }

    @Test(arguments: [
        (true as Bool?, PhotoFilter.Rule.generated as PhotoFilter.Rule?), (false, nil), (nil, nil),
    ])
    func `generated is what somebody says it is`(isGenerated: Bool?, rule: PhotoFilter.Rule?) {
        let photo = Photo(id: PhotoID(service: "x", value: "1"), title: "", isGenerated: isGenerated)
        #expect(Self.filter { $0.excludesGenerated = true }.rule(against: photo) == rule)
    }

    @Test func `what is unknown does not pass a rule about it`() {
        let unknown = Photo(id: PhotoID(service: "x", value: "1"), title: "")
        var filter = PhotoFilter()
        #expect(filter.rule(against: unknown) == nil)
        filter.minWidth = 1
        #expect(filter.rule(against: unknown) == .minWidth)
        filter = PhotoFilter()
        filter.orientation = .square
        #expect(filter.rule(against: unknown) == .orientation)
    }

    @Test func `a run stops at its limit and counts what it leaves out`() {
        func photo(_ index: Int, adult: Bool, width: Int) -> IndexedPhoto {
            IndexedPhoto(
                index: index,
                photo: Photo(
                    id: PhotoID(service: "x", value: "\(index)"), title: "",
                    size: PixelSize(width: width, height: 100), isAdult: adult))
        }
        var filter = PhotoFilter()
        filter.orientation = .landscape
        var run = FilterRun(filter, limit: 2)
        var photos: ArraySlice = [
            photo(1, adult: true, width: 200), photo(2, adult: false, width: 50),
            photo(3, adult: false, width: 200),
            photo(4, adult: false, width: 200), photo(5, adult: false, width: 50),
        ]
        let passed = run.passing(&photos)
        #expect(passed.map(\.index) == [3, 4])
        #expect(run.isFull && photos.map(\.index) == [5])
        #expect(run.droppedByRule == [.orientation: 1, .adult: 1])
    }

    // MARK: - Days

    private static func day(_ number: Int) -> Date { Date(timeIntervalSince1970: Double(number) * 86_400) }

    private static func photo(_ index: Int, taken: Int? = nil, published: Int? = nil) -> IndexedPhoto {
        IndexedPhoto(
            index: index,
            photo: Photo(
                id: PhotoID(service: "x", value: "\(index)"), title: "", published: published.map(day),
                taken: taken.map(day)))
    }

    @Test(
        arguments: [
            // The days it was taken and published; whether it passes `after` and `before` the tenth.
            (10, nil, true, false), (9, nil, false, true), (nil, 10, true, false), (nil, 9, false, true),
            (10, 9, true, false), (9, 10, false, true), (nil, nil, false, false),
        ] as [(Int?, Int?, Bool, Bool)])
    func `the day of the shot counts, else that of publication, and none passes no day`(
        taken: Int?, published: Int?, passesAfter: Bool, passesBefore: Bool
    ) {
        let photo = Self.photo(1, taken: taken, published: published).photo
        let (after, before) = (
            Self.filter { $0.after = Self.day(10) }, Self.filter { $0.before = Self.day(10) }
        )
        #expect(after.rule(against: photo) == (passesAfter ? nil : .after))
        #expect(before.rule(against: photo) == (passesBefore ? nil : .before))
    }

    /// A run of photos that are early (`e`), late (`l`), or without a day (`u`).
    private static func run(_ days: String, isInDateOrder: Bool) -> FilterRun {
        var run = FilterRun(filter { $0.after = day(10) }, limit: nil)
        run.isInDateOrder = isInDateOrder
        var photos = days.enumerated().map { index, letter in
            photo(index + 1, published: letter == "u" ? nil : letter == "e" ? 9 : 10)
        }[...]
        _ = run.passing(&photos)
        return run
    }

    private static let early = String(repeating: "e", count: 19)

    @Test(arguments: [
        (early, true, false), (early + "e", true, true), (early + "e", false, false),
        (early + "l" + early, true, false), (early + "u" + early, true, false),
        (String(repeating: "u", count: 25), true, false),
    ])
    func `twenty early photos in a row end a search in the order of days`(
        days: String, isInDateOrder: Bool, isOver: Bool
    ) {
        #expect(Self.run(days, isInDateOrder: isInDateOrder).isFull == isOver)
    }

    @Test(
        arguments: [
            // Photos that do not match, photos that do, photos that do not; the limit; whether the search goes on.
            (999, 0, 0, 5, true), (1000, 0, 0, 5, false), (999, 1, 999, 5, true), (999, 1, 1000, 5, false),
            (1001, 0, 0, nil, true), (1999, 0, 0, 2000, true), (2000, 0, 0, 2000, false),
        ] as [(Int, Int, Int, Int?, Bool)])
    func `a search with a limit is given up after as many photos in a row as do not match`(
        misses: Int, matches: Int, more: Int, limit: Int?, goesOn: Bool
    ) {
        var run = FilterRun(Self.filter { $0.after = Self.day(10) }, limit: limit)
        let days = [(misses, 9), (matches, 10), (more, 9)].flatMap { Array(repeating: $1, count: $0) }
        var photos = days.enumerated().map { Self.photo($0 + 1, published: $1) }[...]
        _ = run.passing(&photos)
        #expect(run.goesOn() == goesOn && run.isGivenUp == !goesOn)
    }
}
