import Basics
import Foundation
import PictureFiles
import TerminalPictures

/// Draws an SVG file of our own, by the first program that is installed and can.
struct SVGDrawing: Sendable {
    let environment: [String: String]

    /// The programs, and what each is told.
    private static let programs:
        [(names: [String], words: @Sendable (_ svg: URL, _ png: URL, PixelSize) -> [String])] = [
            (
                ["rsvg-convert"],
                { svg, png, _ in ["--unlimited", "--format=png", "--output=\(png.path)", svg.path] }
            ),
            (
                ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
                { svg, png, size in
                    [
                        "--headless=new", "--disable-gpu", "--hide-scrollbars",
                        "--force-device-scale-factor=1",
                        "--default-background-color=00000000", "--window-size=\(size.width),\(size.height)",
                        "--user-data-dir=\(svg.deletingLastPathComponent().path)/profile",
                        "--screenshot=\(png.path)",
                    ] + (geteuid() == 0 ? ["--no-sandbox"] : []) + [svg.absoluteString]
                }
            ),
        ]

    /// What they are called, the best first.
    static var names: [String] { programs.flatMap(\.names) }

    /// Checks that a program is installed.
    func require() throws {
        guard !Self.names.contains(where: { ProcessRun.find($0, in: environment) != nil }) else { return }
        throw CommandFault(.missing, "Drawing a collage needs rsvg-convert or Chromium.", hint: Self.hint)
    }

    private static let hint = "Install rsvg-convert (librsvg2-bin) or Chromium, or write an SVG file."

    /// Draws `svg`, which has this size, as the PNG file `png` beside it.
    func draw(_ svg: URL, as png: URL, _ size: PixelSize) async throws {
        try require()
        for (names, words) in Self.programs {
            guard let program = names.lazy.compactMap({ ProcessRun.find($0, in: environment) }).first else {
                continue
            }
            var run = ProcessRun(program, words(svg, png, size), environment.forHelpers)
            run.timeLimit = .seconds(60)
            guard try await run.outcome().succeeded else { continue }
            let drawn = await onThread { try? InspectedPicture(png, mostPixels: size.width * size.height) }
            if let drawn, drawn.type == .png, drawn.size == size { return }
        }
        throw CommandFault(.inputOutput, "The collage could not be drawn.", hint: "Write an SVG file.")
    }
}
