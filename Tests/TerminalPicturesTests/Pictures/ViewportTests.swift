import Basics
import Testing

@testable import TerminalPictures

struct ViewportTests {
    private static let cell = CellSize.usual

    /// What is seen of a picture after these keys, in a box of 80×24 cells of 8×16 pixels.
    ///
    /// - Parameter keys: `+` and `-`, and `l r u d` to move.
    private func view(_ keys: String, of size: [Int]) throws -> (Viewport, PictureView) {
        let size = try #require(PixelSize(width: size[0], height: size[1]))
        let box = PictureBox(columns: 80, rows: 24)
        var viewport = Viewport()
        for key in keys {
            let visible = viewport.visible(of: size, in: box, cell: Self.cell)
            switch key {
            case "+": _ = viewport.zoom(by: 1)
            case "-": _ = viewport.zoom(by: -1)
            case "0": _ = viewport.reset()
            case "l": _ = viewport.pan(right: -1, down: 0, visible: visible)
            case "r": _ = viewport.pan(right: 1, down: 0, visible: visible)
            case "u": _ = viewport.pan(right: 0, down: -1, visible: visible)
            default: _ = viewport.pan(right: 0, down: 1, visible: visible)
            }
        }
        return (viewport, PictureView(of: size, through: viewport, in: box, cell: Self.cell))
    }

    @Test(arguments: [
        // keys, picture → columns, rows, then x, y, width, height of the source in pixels
        ("", [6000, 4000], [72, 24], [0, 0, 6000, 4000]),
        ("+", [6000, 4000], [80, 24], [778, 667, 4444, 2667]),
        ("++", [6000, 4000], [80, 24], [1333, 1000, 3333, 2000]),
        ("++r", [6000, 4000], [80, 24], [2167, 1000, 3333, 2000]),
        ("++d", [6000, 4000], [80, 24], [1333, 1500, 3333, 2000]),
        // No further than the edges, and back from there at once.
        ("++rrrrrr", [6000, 4000], [80, 24], [2667, 1000, 3333, 2000]),
        ("++rrrrrrl", [6000, 4000], [80, 24], [1833, 1000, 3333, 2000]),
        ("++uuuuu", [6000, 4000], [80, 24], [1333, 0, 3333, 2000]),
        // Zooming out at an edge leaves nothing empty.
        ("++++rrrrrrrrrrdddddddddd---", [6000, 4000], [80, 24], [1556, 1333, 4444, 2667]),
        ("++0", [6000, 4000], [72, 24], [0, 0, 6000, 4000]),
        ("-", [6000, 4000], [72, 24], [0, 0, 6000, 4000]),
        ("+++++++++++++", [6000, 4000], [80, 24], [2583, 1750, 833, 500]),
        // A panorama grows to the box's height before anything of that is cut.
        ("+", [4000, 1000], [80, 15], [667, 0, 2667, 1000]),
        ("+++++", [4000, 1000], [80, 24], [1667, 300, 667, 400]),
        // Neither are moves across what is visible as a whole.
        ("+d", [4000, 1000], [80, 15], [667, 0, 2667, 1000]),
        ("++++++", [8, 1], [80, 24], [4, 0, 1, 1]),
    ])
    func `a part of the picture`(keys: String, size: [Int], cells: [Int], source: [Int]) throws {
        let (_, view) = try view(keys, of: size)
        #expect([view.columns, view.rows] == cells)
        let found = view.source(width: size[0], height: size[1])
        #expect([found.x, found.y, found.width, found.height] == source)
    }

    @Test func `whatever keys are pressed, the part is in the picture and keeps its aspect`() throws {
        var generator = SystemRandomNumberGenerator()
        for size in [[6000, 4000], [1000, 2250], [4000, 1000], [3, 5]] {
            for _ in 0..<200 {
                let keys = String((0..<12).map { _ in "++-lrud".randomElement(using: &generator) ?? "+" })
                let (viewport, view) = try view(keys, of: size)
                #expect(view.columns <= 80 && view.rows <= 24)
                #expect(view.x >= 0 && view.y >= 0 && view.x + view.width <= 1.000001, "\(keys)")
                #expect(view.y + view.height <= 1.000001 && view.width > 0 && view.height > 0, "\(keys)")
                let found = view.source(width: size[0], height: size[1])
                #expect(found.x + found.width <= size[0] && found.y + found.height <= size[1], "\(keys)")
                guard size[0] > 100, viewport.isZoomed else { continue }
                let shown = Double(view.columns * 8) / Double(view.rows * 16)
                let aspect = Double(found.width) / Double(found.height)
                #expect(max(shown / aspect, aspect / shown) < 1.03, "\(keys)")
            }
        }
    }

    @Test func `a move tells whether it went anywhere`() {
        var viewport = Viewport()
        var moves = [viewport.zoom(by: -1), viewport.reset(), viewport.zoom(by: 2)]
        for _ in 1...3 { moves.append(viewport.pan(right: 1, down: 0, visible: (0.5, 0.5))) }
        moves += [viewport.zoom(by: 99), viewport.zoom(by: 1), viewport.reset()]
        #expect(moves == [false, false, true, true, true, false, true, false, true])
        #expect(viewport == Viewport())
    }
}
