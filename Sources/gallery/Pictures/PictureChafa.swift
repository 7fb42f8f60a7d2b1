import Foundation
import GalleryCore

/// `chafa`, which turns picture files into what terminals show.
///
/// Run with the file's path as an argument, without a shell, without a terminal it could ask, within
/// limits of time, output and memory. What it prints is read by ``PictureChafaOutput``.
actor PictureChafa {
    /// Why nothing came of it.
    enum Fault: Error, Hashable {
        case missing, failed, timedOut, cancelled
    }

    private let environment: [String: String]
    private var isProbing: Bool?
    /// What it takes for a cell in pixels where it cannot ask: 8×8 up to 1.12, 10×20 since.
    private var cell: (width: Int, height: Int) = (8, 8)

    /// One look at a picture of 100 million pixels was measured below 5 s.
    private static let timeLimit = Duration.seconds(15)
    private static let memoryLimit: UInt64 = 2 << 30

    init(_ environment: [String: String]) {
        self.environment = environment
    }

    /// Lines of coloured characters, in a size of cells.
    func symbols(
        _ picture: InspectedPicture, columns: Int, rows: Int, colors: PictureColors
    ) async throws(Fault) -> [[UInt8]] {
        let output = try await run(
            "symbols", ["--colors=\(colors.rawValue)"], picture, columns: columns, rows: rows)
        let lines = PictureChafaOutput.symbols(output).prefix(rows)
        guard !lines.isEmpty else { throw .failed }
        return Array(lines)
    }

    /// A sixel sequence of at most these pixels.
    func sixels(_ picture: InspectedPicture, width: Int, height: Int) async throws(Fault) -> [UInt8] {
        try await pixels("sixels", picture, width: width, height: height, PictureChafaOutput.sixels).sequence
    }

    /// Red, green, blue and opacity of about so many pixels, as base64.
    func raster(
        _ picture: InspectedPicture, width: Int, height: Int
    ) async throws(Fault) -> PictureChafaOutput.Raster {
        try await pixels("kitty", picture, width: width, height: height, PictureChafaOutput.raster)
    }

    /// It only takes sizes in cells, so the pixels are counted in what it takes for cells: tried with what
    /// is believed, and again where the answer shows that another one holds.
    private func pixels<Answer: PictureChafaPixels>(
        _ format: String, _ picture: InspectedPicture, width: Int, height: Int,
        _ read: ([UInt8]) -> Answer?
    ) async throws(Fault) -> Answer {
        for isSecond in [false, true] {
            let (columns, rows) = (max(1, width / cell.width), max(1, height / cell.height))
            let output = try await run(format, [], picture, columns: columns, rows: rows)
            guard let answer = read(output) else { throw .failed }
            let found = (width: Self.each(answer.width, columns), height: Self.each(answer.height, rows))
            // Sixels come in rows of six, which may be cut from the last cells.
            let isAsBelieved = found.width == cell.width && abs(answer.height - rows * cell.height) < 6
            let fits = isSecond && answer.width <= width && answer.height <= height
            if isAsBelieved || fits || columns == 1 || rows == 1 { return answer }
            cell = found
        }
        throw .failed
    }

    private static func each(_ pixels: Int, _ cells: Int) -> Int {
        max(1, Int((Double(pixels) / Double(cells)).rounded()))
    }

    private func run(
        _ format: String, _ more: [String], _ picture: InspectedPicture, columns: Int, rows: Int
    ) async throws(Fault) -> [UInt8] {
        guard let chafa = ProcessRun.find("chafa", in: environment) else { throw .missing }
        let words =
            ["--format=\(format)", "--size=\(columns)x\(rows)", "--stretch", "--animate=off", "--polite=on"]
            + more + (try await probing(chafa)) + ["--", picture.path]
        let outcome = try await outcome(of: program(chafa, words))
        switch outcome.ending {
        case .status(0): return outcome.output
        case .timedOut: throw .timedOut
        default: throw .failed
        }
    }

    /// Later versions ask the terminal, for up to 5 s. Ours has none to ask, but the option says so.
    private func probing(_ chafa: String) async throws(Fault) -> [String] {
        if isProbing == nil {
            var run = program(chafa, ["--help"])
            run.outputLimit = 1 << 16
            let outcome = try await outcome(of: run)
            isProbing = String(decoding: outcome.output, as: UTF8.self).contains("--probe")
        }
        return isProbing == true ? ["--probe=off"] : []
    }

    private func program(_ chafa: String, _ words: [String]) -> ProcessRun {
        // Nothing of the user's terminal: later versions wrap for tmux by themselves where they see it.
        let kept = environment.filter { variable in
            ["PATH", "HOME", "LANG", "TMPDIR", "LD_LIBRARY_PATH"].contains(variable.key)
                || ["LC_", "XDG_", "MAGICK_"].contains { variable.key.hasPrefix($0) }
        }
        var run = ProcessRun(chafa, words, kept.merging(["TERM": "xterm-256color"]) { $1 })
        run.timeLimit = Self.timeLimit
        run.memoryLimit = Self.memoryLimit
        return run
    }

    private func outcome(of run: ProcessRun) async throws(Fault) -> ProcessRun.Outcome {
        do { return try await run.outcome() } catch { throw .cancelled }
    }
}

/// An answer that tells its size in pixels.
protocol PictureChafaPixels: Sendable {
    var width: Int { get }
    var height: Int { get }
}
