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
}
