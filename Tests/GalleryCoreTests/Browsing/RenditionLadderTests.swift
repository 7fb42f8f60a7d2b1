import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

struct RenditionLadderTests {
    @Test(arguments: [
        (6000, 4000, 1200, 800, 1.0, 1200), (6000, 4000, 1200, 400, 1, 600), (4000, 6000, 1200, 800, 1, 800),
        (6000, 4000, 1200, 800, 1.5, 1800), (6000, 4000, 1200, 800, 8, 9600), (1000, 1000, 1200, 800, 1, 800),
        // A small photo is enlarged: it is all there is.
        (60, 40, 1200, 800, 1, 1200), (1, 60_000, 1200, 800, 1, 800),
    ])
    func `a window takes as many pixels of the longer edge as the photo has in it`(
        width: Int, height: Int, columns: Int, rows: Int, zoom: Double, edge: Int
    ) throws {
        let view = ViewSize.filling(try #require(PixelSize(width: columns, height: rows)))
        #expect(view.edge(of: PixelSize(width: width, height: height), zoom: zoom) == edge)
    }

    @Test func `of a photo of unknown size the window's longer edge is taken`() throws {
        let view = ViewSize.filling(try #require(PixelSize(width: 1200, height: 800)))
        #expect(view.edge(of: nil, zoom: 2) == 2400)
    }

    // MARK: - Which file

    /// The name of a file is its longer edge; `c` is cropped, `?` of unknown size, `!` the thumbnail, `*` the full one.
    private static func photo(_ names: String, size: Int? = 6000) -> Photo {
        func file(_ mark: Character) -> Rendition? {
            names.split(separator: " ").first { $0.hasSuffix(String(mark)) }.map { rendition(String($0)) }
        }
        return Photo(
            id: PhotoID(service: "s", value: "1"), title: "", size: size.flatMap { pixels($0) },
            thumbnail: file("!"), full: file("*"),
            renditions: names.split(separator: " ").map { rendition(String($0)) })
    }

    private static func pixels(_ edge: Int) -> PixelSize? { PixelSize(width: edge, height: edge * 2 / 3) }

    private static func rendition(_ name: String) -> Rendition {
        Rendition(
            url: URL(filePath: "/" + name.trimmingCharacters(in: ["!", "*"])),
            size: name.contains("?") ? nil : pixels(Int(name.filter(\.isNumber)) ?? 0),
            isCropped: name.contains("c"))
    }

    private static let window =
        PixelSize(width: 1200, height: 800).map { ViewSize.filling($0) } ?? .file(.full)
    private static let small = PixelSize(width: 150, height: 100).map { ViewSize.filling($0) } ?? .file(.full)
    private static let commons = "120 330! 500 960 1280 1920 3840 6000*"

    @Test(arguments: [
        (commons, window, 1.0, "1280"), (commons, window, 1.5, "1920"), (commons, window, 4, "6000"),
        (commons, small, 1, "330"), ("120 330c! 250 6000*", small, 1, "250"),
        ("120 330! 6000*", small, 8, "6000"),
        (commons, .file(.full), 1, "6000"), (commons, .file(.full), 8, "6000"),
        (commons, .file(.thumbnail), 8, "330"), (commons, .file(.pixels(900)), 8, "960"),
        (commons, .file(.pixels(9000)), 1, "6000"), ("150c! 2048*", window, 1, "2048"),
        ("1200* 150c!", window, 1, "1200"), ("240! 640 1024*", window, 1, "1024"),
        ("150c! 9?*", window, 1, "9?"), ("150c!", window, 1, nil), ("", window, 1, nil),
        ("150c!", .file(.thumbnail), 1, "150c"), ("5? 330! 1280 2000*", window, 1, "1280"),
    ])
    func `the first file is the smallest that fills the window, or the one that is named`(
        names: String, view: ViewSize, zoom: Double, first: String?
    ) {
        let found = RenditionLadder().next(of: Self.photo(names), isComplete: true, at: view, zoom: zoom)
        #expect(found?.url.lastPathComponent == first)
    }

    @Test(arguments: [
        // Large enough whatever details say, or larger than the thumbnail.
        ("330! 1280", window, "1280"), ("250c! 540 1000", window, "1000"), ("1300!", window, "1300"),
        // The thumbnail is on the screen by itself.
        ("330!", window, nil), ("150c!", window, nil), ("", window, nil), ("330! 1280", .file(.full), nil),
        ("330! 1280 6000*", .file(.full), "6000"), ("330!", .file(.thumbnail), "330"),
        ("330! 640", .file(.pixels(600)), "640"),
    ])
    func `before the details are there it is what is better than the thumbnail`(
        names: String, view: ViewSize, first: String?
    ) {
        let found = RenditionLadder().next(of: Self.photo(names), isComplete: false, at: view)
        #expect(found?.url.lastPathComponent == first)
    }

    /// What happens to a photo's files, one after the other.
    enum Step: Sendable {
        /// The file that is wanted is this one, and comes as large as its service says, or of another size.
        case comes(String), comesAs(String, Int)
        case fails(String), failsForGood(String)
        case zoom(Double)
        case window(Int, Int)
        case retry
        /// No other file is wanted, and that of so many pixels is shown.
        case done(Int)
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var names = RenditionLadderTests.commons
        let steps: [Step]
    }

    private static let many = (1...999).map { "\($0 * 10)" }.joined(separator: " ") + " 330! 20000*"

    static let cases = [
        Case(
            testDescription: "zoom brings the next larger ones, and nothing on the way back",
            steps: [
                .comes("1280"), .done(1280), .zoom(1.5), .comes("1920"), .zoom(2), .comes("3840"), .zoom(3),
                .done(3840), .zoom(4), .comes("6000"), .zoom(8), .done(6000), .zoom(1), .done(6000),
            ]),
        Case(
            testDescription: "a window that grows asks anew only where what is there is too small",
            steps: [
                .comes("1280"), .window(1280, 2000), .done(1280), .window(400, 300), .done(1280),
                .window(1281, 2000), .comes("1920"),
            ]),
        Case(
            testDescription: "one that fails is stepped over, to larger ones first, then to the largest",
            steps: [.fails("1280"), .fails("1920"), .comes("3840"), .done(3840)]),
        Case(
            testDescription: "after three the full-size file is the last",
            steps: [.fails("1280"), .fails("1920"), .fails("3840"), .fails("6000"), .done(0)]),
        Case(
            testDescription: "where the larger ones fail the largest smaller one is shown",
            names: "330! 500 960 6000*",
            steps: [.fails("6000"), .comes("960"), .done(960), .zoom(8), .done(960)]),
        Case(
            testDescription: "a larger one that fails leaves the one that is there, unless one tries again",
            steps: [
                .comes("1280"), .zoom(1.5), .fails("1920"), .comes("3840"), .zoom(4), .failsForGood("6000"),
                .done(3840), .zoom(8), .done(3840), .retry, .comes("6000"), .done(6000),
            ]),
        Case(
            testDescription: "one that is smaller than its service says is followed by the next, once",
            steps: [
                .comesAs("1280", 640), .comesAs("1920", 800), .done(800), .zoom(1.5), .comesAs("3840", 900),
                .done(900),
            ]),
        Case(
            testDescription: "one that is smaller than what is shown is not",
            steps: [
                .comesAs("1280", 640), .comesAs("1920", 320), .done(640), .window(1201, 900), .comes("3840"),
            ]),
        Case(
            testDescription: "rounded in another way is no lie",
            steps: [.window(1280, 900), .comesAs("1280", 1279), .done(1280)]),
        Case(
            testDescription: "one that is larger than its service says will do",
            steps: [.comesAs("1280", 6000), .zoom(4), .done(6000)]),
        Case(
            testDescription: "a small one whose size is smaller than the window's is enough",
            names: "120! 600*",
            steps: [.comes("600"), .done(600), .zoom(8), .done(600)]),
        Case(
            testDescription: "the full-size file is the largest, whatever it turns out to be",
            names: "330! 9?*",
            steps: [.comesAs("9?", 200), .done(200)]),
        Case(
            testDescription: "files of unknown size are not tried one after the other",
            names: "1? 2? 3? 4? 5? 6?",
            steps: [.comesAs("6?", 100), .done(100)]),
        Case(
            testDescription: "a thousand that lie are two", names: many,
            steps: [.comesAs("1200", 10), .comesAs("1210", 10), .done(10)]),
        Case(
            testDescription: "a thousand that fail are four", names: many,
            steps: [.fails("1200"), .fails("1210"), .fails("1220"), .comes("20000"), .done(20000)]),
    ]

    @Test(arguments: cases)
    func `one file follows another`(_ example: Case) throws {
        let photo = Self.photo(example.names)
        var (ladder, view, zoom) = (RenditionLadder(), Self.window, 1.0)
        func wanted() -> Rendition? { ladder.next(of: photo, isComplete: true, at: view, zoom: zoom) }
        for (number, step) in example.steps.enumerated() {
            func next(_ name: String) throws -> Rendition {
                let next = wanted()
                #expect(next?.url.lastPathComponent == name, "step \(number + 1)")
                return try #require(next)
            }
            let edge = view.edge(of: photo.size, zoom: zoom)
            switch step {
            case .comes(let name): #expect(ladder.take(try next(name), size: nil, for: edge))
            case .comesAs(let name, let size):
                let former = ladder.shown?.size?.longestEdge ?? 0
                #expect(ladder.take(try next(name), size: Self.pixels(size), for: edge) == (size > former))
            case .fails(let name): ladder.fail(try next(name), isFinal: false)
            case .failsForGood(let name): ladder.fail(try next(name), isFinal: true)
            case .zoom(let factor): zoom = factor
            case .window(let width, let height):
                view = .filling(try #require(PixelSize(width: width, height: height)))
            case .retry: ladder.forgive()
            case .done(let edge):
                #expect(wanted() == nil, "step \(number + 1)")
                #expect(ladder.shown?.size?.longestEdge ?? 0 == edge, "step \(number + 1)")
            }
        }
    }

    @Test(arguments: Thorough.cases(1...8 as ClosedRange<UInt64>, few: 2))
    func `whatever comes, and however one looks, it ends`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let names = (0..<Int.random(in: 1...30, using: &generator)).map { number in
                "\(number)\(Int.random(in: 1...4000, using: &generator))"
                    + (Bool.random(using: &generator) ? "" : "?")
            }
            let photo = Self.photo(names.joined(separator: " ") + " 330! 4000*")
            var (ladder, loads) = (RenditionLadder(), 0)
            for zoom in Viewports.factors {
                while let next = ladder.next(of: photo, isComplete: true, at: Self.window, zoom: zoom) {
                    loads += 1
                    if Bool.random(using: &generator) {
                        ladder.fail(next, isFinal: false)
                    } else {
                        let size = Self.pixels(Int.random(in: 2...5000, using: &generator))
                        let edge = Self.window.edge(of: photo.size, zoom: zoom)
                        _ = ladder.take(next, size: size, for: edge)
                    }
                }
            }
            #expect(loads <= 4 + 2 + Viewports.factors.count)
        }
    }

    private enum Viewports { static let factors = [1, 1.5, 2, 3, 4, 6, 8] }
}
