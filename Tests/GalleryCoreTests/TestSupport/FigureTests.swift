import GalleryTestSupport
import Testing

/// What the benchmarks make of the runs that they timed.
@Suite struct FigureTests {
    private static func figure(
        _ program: String, _ seconds: [Double], workload: String = "tiny", title: String = "9 photos",
        first: Double? = nil
    ) -> Figure {
        Figure(
            workload: workload, title: title, photos: 9, bytes: 100, program: program, seconds: seconds,
            first: first, floor: nil, memory: (own: 3 << 20, worker: 0))
    }

    @Test(
        arguments: [
            ([], 0, 0), ([2], 2, 0), ([3, 1, 2], 2, 1), ([4, 1, 3, 2], 2.5, 1.2), ([5, 5, 5], 5, 0),
        ] as [([Double], Double, Double)])
    func `of several runs the one in the middle counts, and how far they are apart`(
        seconds: [Double], median: Double, spread: Double
    ) {
        let figure = Self.figure("a", seconds)
        #expect(figure.median == median && abs(figure.spread - spread) < 1e-9)
    }

    @Test func `a row is read as it was written, and anything else is none`() throws {
        let figure = Self.figure(
            "gallery", [0.25, 0.5, 0.75], title: "9 photos, far away", first: 0.25)
        let row = "tiny,9 photos; far away,9,100,gallery,3,0.5000,0.2500,0.7500,1.000,2.00,,3.0,0.0"
        #expect(figure.row == row)
        #expect(
            Figure.header.split(separator: ",").count
                == row.split(separator: ",", omittingEmptySubsequences: false).count)
        #expect(try #require(Figure(row: row[...])).row == row)
        for line in [Figure.header, "", "a,b", row.replacing("0.5000", with: "fast")] {
            #expect(Figure(row: line[...]) == nil, "\(line)")
        }
    }

    @Test func `the table has our time first, then the others by theirs, and leaves out what has no title`() {
        let figures = [
            Self.figure("slow", [2]), Self.figure("fast", [0.01]), Self.figure("gallery", [1, 1.2, 1.4]),
            Self.figure("gallery list", [3], workload: "list", title: ""),
        ]
        #expect(
            figures.table == """
                | what | `gallery` | others |
                |---|---|---|
                | 9 photos | 1.20 s ± 17 % | fast 10.0 ms, slow 2.00 s |

                """)
    }

    @Test func `a plot has a bar for each program, as long as its time by the group's longest`() {
        let svg = Plot([
            Self.figure("curl", [1]), Self.figure("gallery", [2, 2, 4]),
            Self.figure("<b>", [0.5], workload: "other", title: "R&D"),
            Self.figure("gallery list", [9], workload: "list", title: ""),
        ]).svg
        let bars = svg.matches(of: /<rect [^>]*width="([0-9]+)"[^>]*fill="([^"]+)"/).map {
            "\($0.1) \($0.2)"
        }
        #expect(bars == ["125 #8b949e", "250 #2f81f7", "500 #8b949e"])
        #expect(svg.contains(">R&amp;D</text>") && svg.contains(">&lt;b></text>"))
        #expect(svg.contains(">2.00 s</text>") && !svg.contains("gallery list"))
        #expect(svg.contains(#"d="M380 "#) && svg.contains("H630\""), "the best run and the worst")
    }
}
