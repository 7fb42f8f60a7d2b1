import Foundation
import TerminalPictures
import Testing

@testable import GalleryCore
@testable import gallery

/// The same screens in a low, a usual and a large window.
struct SizedFrameTests {
    /// Three windows, and the line at the foot of each.
    private enum Window {
        case low
        case usual
        case large

        var size: (columns: Int, rows: Int) {
            switch self {
            case .low: (40, 12)
            case .usual: (100, 30)
            case .large: (200, 60)
            }
        }

        var foot: String {
            switch self {
            case .low: "12|? help  g go to  i det… popular · sample"
            case .usual: "30|? help  g go to  i details  f fetch  m mark  q quit {33}popular · sample"
            case .large: "60|? help  g go to  i details  f fetch  m mark  q quit {133}popular · sample"
            }
        }
    }

    /// - Parameter pictures: the pictures over the screen's lines.
    private func expect(
        _ screen: (_ columns: Int, _ rows: Int) -> BrowseModel, in window: Window, _ lines: String,
        pictures: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let (columns, rows) = window.size
        let sketch = [lines, window.foot, pictures].filter { !$0.isEmpty }.joined(separator: "\n")
        #expect(screen(columns, rows).sketch == sketch, sourceLocation: sourceLocation)
    }

    private static func model(_ columns: Int, _ rows: Int) -> BrowseModel {
        ScreenState.model(columns: columns, rows: rows)
    }

    @Test func `a photo while it loads`() {
        expect(
            Self.loading, in: .low,
            """
            1|Photo 7  Grace Hopper {12}7 of 40
            10|photo ━━━━─{14}  25 %  1 MB
            11|next  ⠋
            """)
        expect(
            Self.loading, in: .usual,
            """
            1|Photo 7  Grace Hopper {72}7 of 40
            28|photo ━{19}─{59}  25 %  1 MB
            29|next  ⠋
            """)
        expect(
            Self.loading, in: .large,
            """
            1|Photo 7  Grace Hopper {172}7 of 40
            58|photo ━{44}─{134}  25 %  1 MB
            59|next  ⠋
            """)
    }

    private static func loading(_ columns: Int, _ rows: Int) -> BrowseModel {
        var model = model(columns, rows)
        model.cursor.picture = .loading(.init(received: 250_000, expected: 1_000_000))
        model.cursor.preload = .init(received: 0, expected: nil)
        return model
    }

    @Test func `a photo with its details`() {
        expect(
            Self.detailed, in: .low,
            """
            1|Photo 7  Grace Hopper {12}7 of 40
            6|Author       Grace Hopper (grace)
            7|Tags {9}sea, light
            8|License      CC0 1.0
            9|…
            10|photo ━{18} 100 %  1 MB
            """, pictures: "13|<7.jpg 40×4 at 2,1>")
        expect(
            Self.detailed, in: .usual,
            """
            1|Photo 7  Grace Hopper {72}7 of 40
            \(Self.details(beside: 67, page: "htt…photos.example/7"))
            28|photo ━{78} 100 %  1 MB
            """, pictures: "31|<7.jpg 66×26 at 2,1>")
        expect(
            Self.detailed, in: .large,
            """
            1|Photo 7  Grace Hopper {172}7 of 40
            \(Self.details(beside: 152))
            58|photo ━{178} 100 %  1 MB
            """, pictures: "61|<7.jpg 151×56 at 2,1>")
    }

    /// All that is known of the photo, a line each, right of so many columns.
    private static func details(beside columns: Int, page: String = "https://photos.example/7") -> String {
        [
            "Author       Grace Hopper (grace)", "Tags {9}sea, light", "License      CC0 1.0",
            "Pixels       640×427", "Service      sample", "Id {11}1007",
            "Page {9}\(page)",
        ].enumerated().map { "\(2 + $0)| {\(columns)}\($1)" }.joined(separator: "\n")
    }

    private static func detailed(_ columns: Int, _ rows: Int) -> BrowseModel {
        var model = model(columns, rows)
        model.sidePanel.isShown = true
        return model
    }

    @Test func `an error`() {
        expect(
            Self.failed, in: .low,
            """
            1|Photo 7  Grace Hopper {12}7 of 40
            4| Error: 'photos.example' answered with
            5| {14}status 404.
            6| {9}Press r to try again.
            """)
        expect(
            Self.failed, in: .usual,
            """
            1|Photo 7  Grace Hopper {72}7 of 40
            14| {25}Error: 'photos.example' answered with status 404.
            15| {39}Press r to try again.
            """)
        expect(
            Self.failed, in: .large,
            """
            1|Photo 7  Grace Hopper {172}7 of 40
            29| {75}Error: 'photos.example' answered with status 404.
            30| {89}Press r to try again.
            """)
    }

    private static func failed(_ columns: Int, _ rows: Int) -> BrowseModel {
        var model = model(columns, rows)
        model.cursor.picture = .failed(
            DownloadError.refused(host: "photos.example", status: 404, seconds: nil))
        return model
    }

    @Test func `the grid`() {
        expect(
            Self.grid, in: .low,
            """
            1|popular · sample {17}7 of 40
            2|┌─{37}┐
            3|│ {37}│
            4|│ {37}│
            5|│ {37}│
            6|│ {37}│
            7|│ {37}│
            8|│ {37}│
            9|│ {37}│
            10|│ {14}7 Photo 7 {14}│
            11|└─{37}┘
            """, pictures: "13|<7.jpg 21×7 at 3,10>")
        expect(
            Self.grid, in: .usual,
            """
            1|popular · sample {77}7 of 40
            10|       1 Photo 1 {16}2 Photo 2 {16}3 Photo 3 {16}4 Photo 4
            11| {50}┌─{22}┐
            12| {50}│ {22}│
            13| {50}│ {22}│
            14| {50}│ {22}│
            15| {50}│ {22}│
            16| {50}│ {22}│
            17| {50}│ {22}│
            18| {50}│ {22}│
            19|       5 Photo 5 {16}6 Photo 6 {9}│      7 Photo 7       │        8 Photo 8
            20| {50}└─{22}┘
            28|       9 Photo 9 {15}10 Photo 10 {14}11 Photo 11 {14}12 Photo 12
            """, pictures: "31|<1.jpg 21×7 at 3,2>\n32|<2.jpg 21×7 at 3,27>")
        expect(
            Self.grid, in: .large,
            """
            1|popular · sample {177}7 of 40
            2| {150}┌─{22}┐
            3| {150}│ {22}│
            4| {150}│ {22}│
            5| {150}│ {22}│
            6| {150}│ {22}│
            7| {150}│ {22}│
            8| {150}│ {22}│
            9| {150}│ {22}│
            10| {150}│ {22}│
            11| {150}│ {22}│
            12|       1 Photo 1 {16}2 Photo 2 {16}3 Photo 3 {16}4 Photo 4 {16}5 Photo 5 {16}6 Photo 6 {9}│      7 Photo 7       │        8 Photo 8
            13| {150}└─{22}┘
            23|       9 Photo 9 {15}10 Photo 10 {14}11 Photo 11 {14}12 Photo 12 {14}13 Photo 13 {14}14 Photo 14 {14}15 Photo 15 {14}16 Photo 16
            34|      17 Photo 17 {14}18 Photo 18 {14}19 Photo 19 {14}20 Photo 20 {14}21 Photo 21 {14}22 Photo 22 {14}23 Photo 23 {14}24 Photo 24
            45|      25 Photo 25 {14}26 Photo 26 {14}27 Photo 27 {14}28 Photo 28 {14}29 Photo 29 {14}30 Photo 30 {14}31 Photo 31 {14}32 Photo 32
            56|      33 Photo 33 {14}34 Photo 34 {14}35 Photo 35 {14}36 Photo 36 {14}37 Photo 37 {14}38 Photo 38 {14}39 Photo 39 {14}40 Photo 40
            """, pictures: "61|<1.jpg 21×7 at 4,2>\n62|<2.jpg 21×7 at 4,27>")
    }

    private static func grid(_ columns: Int, _ rows: Int) -> BrowseModel {
        var model = model(columns, rows)
        _ = model.press(.tab)
        for entry in model.thumbnailsWanted.prefix(2) {
            model.thumbnails[entry.photo.id] = ScreenState.file(entry.index ?? 0).url
        }
        return model
    }

    @Test func `the smallest window still has all parts`() {
        #expect(
            Self.loading(20, 5).sketch
                == """
                1|Photo 7  Gr… 7 of 40
                3|photo ━━──────  25 %
                4|next  ⠋
                5|? … popular · sample
                """)
        #expect(
            Self.grid(20, 5).sketch
                == """
                1|popular · s… 7 of 40
                4|    [7 Photo 7]
                5|? … popular · sample
                6|<7.jpg 6×2 at 2,8>
                """)
        #expect(Self.loading(19, 5).sketch == "1|Too small.")
        #expect(Self.loading(20, 4).sketch == "1|Too small.")
    }
}
