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

    /// Lines of colored characters, in a size of cells.
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

/// What `chafa` printed, taken apart: only what a picture is made of goes on to the terminal.
///
/// It read a stranger's file. Whatever a fault in it might print, no sequence that moves, asks or sets
/// anything comes through.
enum PictureChafaOutput {
    /// Pixels, as kitty's protocol has them.
    struct Raster: PictureChafaPixels, Hashable {
        let width: Int
        let height: Int
        /// Red, green, blue and opacity, a byte each.
        let bytes: [UInt8]
    }

    /// A whole sixel sequence.
    struct Sixels: PictureChafaPixels, Hashable {
        let width: Int
        let height: Int
        let sequence: [UInt8]
    }

    /// Of kitty's sequences: the size, and the bytes of all, each of which fills its base64 up for itself.
    static func raster(_ output: [UInt8]) -> Raster? {
        var rest = output[...]
        var size: (width: Int, height: Int)?
        var bytes: [UInt8] = []
        while let start = rest.firstRange(of: Array("\u{1B}_G".utf8)) {
            rest = rest[start.upperBound...]
            guard let end = rest.firstRange(of: [0x1B, 0x5C]) else { return nil }
            let sequence = rest[..<end.lowerBound]
            let keys = sequence.prefix { $0 != UInt8(ascii: ";") }
            if size == nil {
                guard let found = rasterSize(keys) else { return nil }
                size = found
            }
            guard let decoded = Data(base64Encoded: Data(sequence.dropFirst(keys.count + 1))) else {
                return nil
            }
            bytes += decoded
            rest = rest[end.upperBound...]
        }
        guard let size, size.width < 1 << 20, size.height < 1 << 20,
            bytes.count == size.width * size.height * 4
        else { return nil }
        return Raster(width: size.width, height: size.height, bytes: bytes)
    }

    private static func rasterSize(_ keys: ArraySlice<UInt8>) -> (width: Int, height: Int)? {
        var values: [Substring: Substring] = [:]
        for pair in String(decoding: keys, as: UTF8.self).split(separator: ",") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { values[parts[0]] = parts[1] }
        }
        // Plain bytes of 32 bits a pixel, sent in the sequence itself.
        guard values["f"] ?? "32" == "32", values["o"] == nil, values["t"] ?? "d" == "d",
            let width = values["s"].flatMap({ Int($0) }), let height = values["v"].flatMap({ Int($0) }),
            width > 0, height > 0
        else { return nil }
        return (width, height)
    }

    /// The sixel sequence, from `ESC P` to `ESC \`, with nothing but sixels in it.
    static func sixels(_ output: [UInt8]) -> Sixels? {
        guard let start = output.firstRange(of: Array("\u{1B}P".utf8)),
            let end = output[start.upperBound...].firstRange(of: [0x1B, 0x5C])
        else { return nil }
        let inside = output[start.upperBound..<end.lowerBound]
        let parameters = inside.prefix { (0x30...0x3B).contains($0) }
        let body = inside.dropFirst(parameters.count)
        guard body.first == UInt8(ascii: "q"),
            body.allSatisfy({ (0x21...0x7E).contains($0) || $0 == 0x0A || $0 == 0x0D })
        else { return nil }
        // Raster attributes: `"1;1;width;height`.
        guard let mark = body.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
        let numbers = body[(mark + 1)...].prefix { (0x30...0x3B).contains($0) }
        let sizes = String(decoding: numbers, as: UTF8.self).split(separator: ";").map { Int($0) ?? 0 }
        guard sizes.count == 4, sizes[2] > 0, sizes[3] > 0 else { return nil }
        return Sixels(
            width: sizes[2], height: sizes[3], sequence: Array(output[start.lowerBound..<end.upperBound]))
    }

    /// Lines of characters and their colors; all other control sequences are left out.
    static func symbols(_ output: [UInt8]) -> [[UInt8]] {
        let lines = output.split(separator: 0x0A, omittingEmptySubsequences: false).map(symbolLine)
        return lines.last?.isEmpty == true ? lines.dropLast() : lines
    }

    private static func symbolLine(_ line: ArraySlice<UInt8>) -> [UInt8] {
        var kept: [UInt8] = []
        var rest = line
        while let byte = rest.first {
            if byte == 0x1B {
                let (sequence, isColor) = escape(rest)
                if isColor { kept += sequence }
                rest = rest.dropFirst(sequence.count)
                continue
            }
            // Control characters of two bytes begin with C2, their second one below A0.
            let isControl = byte < 0x20 || byte == 0x7F || byte == 0xC2 && rest.dropFirst().first ?? 0 < 0xA0
            if isControl {
                rest = rest.dropFirst(byte == 0xC2 ? 2 : 1)
            } else {
                kept.append(byte)
                rest = rest.dropFirst()
            }
        }
        return kept
    }

    /// The sequence at the beginning of `bytes`, and whether it sets colors and nothing else.
    private static func escape(_ bytes: ArraySlice<UInt8>) -> (ArraySlice<UInt8>, isColor: Bool) {
        guard bytes.dropFirst().first == UInt8(ascii: "[") else { return (bytes.prefix(2), false) }
        let parameters = bytes.dropFirst(2).prefix { (0x20...0x3F).contains($0) }
        let isPlain = parameters.allSatisfy { (0x30...0x3B).contains($0) }
        let sequence = bytes.prefix(2 + parameters.count + 1)
        return (sequence, isPlain && sequence.last == UInt8(ascii: "m") && sequence.count > 2)
    }
}
