import Basics
import Foundation
import PictureFiles
import TerminalPictures

/// Draws an SVG file of our own, by the first program that is installed and can.
struct SVGDrawing: Sendable {
    let environment: [String: String]

    private static let programs:
        [(program: HelperProgram, words: @Sendable (_ svg: URL, _ png: URL, PixelSize) -> [String])] = [
            (
                HelperProgram(
                    names: ["rsvg-convert"], product: "librsvg",
                    beginnings: ["rsvg-convert version ", "rsvg-convert 2"]),
                { svg, png, _ in ["--unlimited", "--format=png", "--output=\(png.path)", svg.path] }
            ),
            (
                HelperProgram(
                    names: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
                    product: "Chromium", beginnings: ["Chromium ", "Google Chrome "]),
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

    static var helpers: [HelperProgram] { programs.map(\.program) }

    func require() async throws {
        for program in Self.helpers where await program.path(in: environment) != nil { return }
        throw CommandFault(.missing, "Drawing a collage needs rsvg-convert or Chromium.", hint: Self.hint)
    }

    private static let hint = "Install rsvg-convert (librsvg2-bin) or Chromium, or write an SVG file."

    func draw(_ svg: URL, as png: URL, _ size: PixelSize) async throws {
        try await require()
        for (program, words) in Self.programs {
            guard let path = await program.path(in: environment) else { continue }
            var run = ProcessRun(path, words(svg, png, size), environment.forHelpers)
            (run.timeLimit, run.fileLimit) = (.seconds(60), 2 << 30)
            guard try await run.outcome().succeeded else { continue }
            let drawn = await onThread { try? InspectedPicture(png, mostPixels: size.width * size.height) }
            if let drawn, drawn.type == .png, drawn.size == size { return }
        }
        throw CommandFault(.inputOutput, "The collage could not be drawn.", hint: "Write an SVG file.")
    }
}
