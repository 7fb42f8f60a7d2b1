import Basics
import Foundation

extension HelperProgram {
    package static let chafa = HelperProgram(
        names: ["chafa"], product: "chafa", beginnings: ["Chafa version "])
}

/// `chafa`, which turns picture files into what terminals show. It gets the file's path as an argument, without a shell
/// and without a terminal to ask, and within limits of time, output and memory. ``ChafaOutput`` reads what it prints.
package actor Chafa {
    /// Why a picture could not be painted.
    enum Fault: Error, Hashable { case missing, failed, timedOut, cancelled }

    static let advice = "install chafa: apt install chafa, or brew install chafa."

    private let environment: [String: String]
    /// The size it assumes for a cell if it cannot ask: 8×8 pixels up to 1.12, 10×20 since.
    private var cell: Size = (8, 8)

    package init(_ environment: [String: String]) { self.environment = environment }

    private struct Order {
        let format: String
        let options: [String]
        let picture: InspectedPicture
        /// Whether all frames are wanted, not a still picture.
        let isAnimated: Bool
    }

    typealias Cells = (columns: Int, rows: Int)
    typealias Size = (width: Int, height: Int)

    /// Lines of colored characters: of a still picture, or of each frame of an animation.
    func symbols(_ job: PictureJob) async throws(Fault) -> [[[UInt8]]] {
        let options =
            ["--colors=\(job.support.colors.rawValue)"] + (job.support.readsUTF8 ? [] : ["--symbols=ascii"])
            + Self.opaque(job.box.background)
        let order = Order(
            format: "symbols", options: options, picture: job.picture, isAnimated: job.timeline != nil)
        return try await answers(order, (job.fit.columns, job.fit.rows)) { output in
            let lines = ChafaOutput.symbols(output).prefix(job.fit.rows)
            return lines.isEmpty ? nil : Array(lines)
        }
    }

    /// Sixel sequences of at most the pixels of `fit`, one for each frame of an animation.
    func sixels(_ job: PictureJob, _ fit: PictureFit) async throws(Fault) -> [ChafaOutput.Sixels] {
        let colors: [String] =
            switch job.support.answers?.sixelRegisters ?? 256 {
            case ..<16: ["--colors=2"]
            case 16..<240: ["--colors=16"]
            case 240..<256: ["--colors=240"]
            default: []
            }
        let options =
            Self.dithering(pixels: fit.width * fit.height) + colors + Self.opaque(job.box.background)
        let ratio = Double(job.picture.size.width) / Double(job.picture.size.height)
        let order = Order(
            format: "sixels", options: options, picture: job.picture, isAnimated: job.timeline != nil)
        return try await pixels(order, (fit.width, fit.height), ChafaOutput.sixels) {
            ChafaCells.within($0, ratio: ratio, cell: $1)
        }
    }

    /// Without dithering, skies show bands. Diffusion looks best, but takes half as long again as decoding 24
    /// megapixels and painting 0.9 of them does: 0.22 s, not 0.15. A weak pattern takes next to nothing.
    static func dithering(pixels: Int) -> [String] {
        pixels <= 500_000
            ? ["--dither=diffusion"] : ["--dither=ordered", "--dither-grain=1x1", "--dither-intensity=0.4"]
    }

    /// Pixels of about this size in kitty's protocol, for each frame of an animation. Without a `background` behind
    /// transparent parts, chafa 1.12 multiplies their opacity in, which terminals do once more.
    func pixels(
        _ picture: InspectedPicture, _ size: Size, background: String?, isAnimated: Bool = false
    ) async throws(Fault) -> [KittyPixels] {
        let order = Order(
            format: "kitty", options: Self.opaque(background), picture: picture, isAnimated: isAnimated)
        // The terminal scales them, so they may be a bit more.
        let found = try await pixels(order, size, ChafaOutput.kitty) { size, cell in
            (Self.count(size.width, by: cell.width), Self.count(size.height, by: cell.height))
        }
        // Over a background every pixel is opaque, but for a trace that chafa leaves at edges.
        return background == nil ? found : found.map(\.opaque)
    }

    /// Shows transparent parts in this color, where the terminal would show another one than the theme's.
    private static func opaque(_ background: String?) -> [String] {
        background.map { ["--bg=\($0)", "--threshold=1"] } ?? []
    }

    /// Asks for a size in pixels. It takes sizes in cells only, so this counts in the cells it is believed to assume,
    /// and asks again if the answer for a still picture shows that it assumes others.
    private func pixels<Answer: ChafaPixels>(
        _ order: Order, _ size: Size, _ read: ([UInt8]) -> Answer?,
        cells: (_ size: Size, _ cell: Size) -> Cells
    ) async throws(Fault) -> [Answer] {
        for isSecond in [false, true] {
            let (columns, rows) = cells(size, cell)
            let answers = try await answers(order, (columns, rows), read)
            guard !order.isAnimated, let answer = answers.first else { return answers }
            let found = (
                width: Self.count(answer.width, by: columns), height: Self.count(answer.height, by: rows)
            )
            // Sixels come in rows of six, and the last cells may be cut off.
            let isAsBelieved = found.width == cell.width && abs(answer.height - rows * cell.height) < 6
            let fits = isSecond && answer.width <= size.width + 8 && answer.height <= size.height + 8
            if isAsBelieved || fits || columns == 1 || rows == 1 { return answers }
            cell = found
        }
        throw .failed
    }

    private static func count(_ pixels: Int, by part: Int) -> Int { max(1, (pixels + part / 2) / part) }

    /// What it answers for a still picture, or for each frame of an animation that comes within the limits.
    private func answers<Answer>(
        _ order: Order, _ cells: Cells, _ read: ([UInt8]) -> Answer?
    ) async throws(Fault) -> [Answer] {
        let output = try await run(order, cells)
        guard order.isAnimated else {
            guard let answer = read(output) else { throw .failed }
            return [answer]
        }
        var answers: [Answer] = []
        // It goes back to the first line by a carriage return, which frames themselves do not have.
        for part in output.split(separator: 0x0D) {
            guard let answer = read(Array(part)) else { break }
            answers.append(answer)
        }
        return answers
    }

    private func run(_ order: Order, _ cells: Cells) async throws(Fault) -> [UInt8] {
        guard let chafa = await HelperProgram.chafa.path(in: environment) else { throw .missing }
        if Task.isCancelled { throw .cancelled }
        let words =
            [
                "--format=\(order.format)", "--size=\(cells.columns)x\(cells.rows)", "--stretch",
                "--animate=\(order.isAnimated ? "on" : "off")", "--polite=on",
            ]
            + (order.isAnimated ? ["--speed=1000fps", "--duration=0"] : []) + order.options
            + ["--", order.picture.path]
        var program = ProcessRun(
            chafa, words, environment.forHelpers.merging(["TERM": "xterm-256color"]) { $1 })
        // A picture of 100 million pixels was measured below 5 s.
        program.timeLimit = .seconds(15)
        program.memoryLimit = 2 << 30
        if order.isAnimated { program.outputLimit = AnimationKey.mostBytes }
        let outcome: ProcessRun.Outcome
        do { outcome = try await program.outcome() } catch { throw .cancelled }
        switch outcome.ending {
        case .status(0): return outcome.output
        case .timedOut where order.isAnimated, .wroteTooMuch where order.isAnimated: return outcome.output
        case .timedOut: throw .timedOut
        default: throw .failed
        }
    }
}

/// How many cells to ask `chafa` for, to get pixels.
enum ChafaCells {
    /// How much smaller than allowed a picture may become for the sake of its aspect.
    private static let leastShare = 0.88
    /// The deviation from the aspect that is not noticeable.
    private static let tolerance = 0.015

    /// For sixels, which have to fit in `size` and show the picture's aspect by themselves. They come in rows of six
    /// pixels; what is left of the last cells is cut off.
    static func within(_ size: Chafa.Size, ratio: Double, cell: Chafa.Size) -> Chafa.Cells {
        let most = (columns: max(1, size.width / cell.width), rows: max(1, size.height / cell.height))
        let fitting = Double(size.width) / ratio / Double(cell.height)
        let highest = max(1, min(most.rows, Int(fitting.rounded(.up))))
        var best = (columns: 1, rows: 1, deviation: Double.infinity)
        for rows in stride(from: highest, through: max(1, Int(Double(highest) * leastShare)), by: -1) {
            let height = Double(max(6, rows * cell.height / 6 * 6))
            let columns = min(most.columns, max(1, Int((height * ratio / Double(cell.width)).rounded())))
            let found = Double(columns * cell.width) / height / ratio
            let deviation = max(found, 1 / found) - 1
            if deviation < best.deviation { best = (columns, rows, deviation) }
            if best.deviation <= tolerance { break }
        }
        return (best.columns, best.rows)
    }
}

protocol ChafaPixels: Sendable {
    var width: Int { get }
    var height: Int { get }
}

extension KittyPixels: ChafaPixels {}

/// Reads what `chafa` printed of an untrusted file, so that only what a picture is made of reaches the terminal:
/// whatever a flaw in it might print, no sequence that moves the cursor, queries or changes anything gets through.
package enum ChafaOutput {
    struct Sixels: ChafaPixels, Hashable {
        let width: Int
        let height: Int
        let sequence: [UInt8]
    }

    /// A picture's pixels for kitty; `nil` unless all are there, in sequences that directly follow each other.
    package static func kitty(_ output: [UInt8]) -> KittyPixels? {
        guard let start = output.firstRange(of: Array("\u{1B}_G".utf8))?.lowerBound else { return nil }
        var raster: (width: Int, height: Int, bytesPerPixel: Int)?
        var bytes: [UInt8] = []
        bytes.reserveCapacity(output.count / 4 * 3)
        // There are megabytes of them, which `Data` searches in quadratic time.
        return output.withUnsafeBytes { output in
            var rest = UnsafeRawBufferPointer(rebasing: output[start...])
            while rest.starts(with: "\u{1B}_G".utf8), let base = rest.baseAddress,
                let found = memchr(base + 3, 0x1B, rest.count - 3)
            {
                let end = base.distance(to: UnsafeRawPointer(found))
                guard end + 1 < rest.count, rest[end + 1] == 0x5C else { return nil }
                let keys = rest[3..<end].prefix { $0 != UInt8(ascii: ";") }
                var isFollowed = keys.elementsEqual("m=1".utf8)
                if raster == nil {
                    (raster, isFollowed) = rasterSize(String(decoding: keys, as: UTF8.self))
                } else if !isFollowed, !keys.elementsEqual("m=0".utf8) {
                    return nil
                }
                let payload = UnsafeRawBufferPointer(rebasing: rest[keys.endIndex..<end].dropFirst())
                guard let raster, let part = Data(base64Encoded: Data(payload)) else { return nil }
                bytes += part
                rest = UnsafeRawBufferPointer(rebasing: rest[(end + 2)...])
                guard !isFollowed else { continue }
                guard bytes.count == raster.width * raster.height * raster.bytesPerPixel else { return nil }
                return KittyPixels(
                    width: raster.width, height: raster.height, hasOpacity: raster.bytesPerPixel == 4,
                    bytes: bytes)
            }
            return nil
        }
    }

    private static func rasterSize(
        _ keys: String
    ) -> (size: (width: Int, height: Int, bytesPerPixel: Int)?, isFollowed: Bool) {
        var values: [Substring: Substring] = [:]
        for pair in keys.split(separator: ",") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { values[parts[0]] = parts[1] }
        }
        // Plain bytes of 32 or 24 bits a pixel, sent in the sequence itself.
        let bits = values["f"] ?? "32"
        guard ["24", "32"].contains(bits), values["o"] == nil, values["t"] ?? "d" == "d",
            let width = values["s"].flatMap({ Int($0) }), let height = values["v"].flatMap({ Int($0) }),
            (1..<1 << 20).contains(width), (1..<1 << 20).contains(height)
        else { return (nil, false) }
        return ((width, height, bits == "32" ? 4 : 3), values["m"] == "1")
    }

    /// The sixel sequence, from `ESC P` to `ESC \`, with nothing but sixels in it.
    static func sixels(_ output: [UInt8]) -> Sixels? {
        guard let start = output.firstRange(of: Array("\u{1B}P".utf8)) else { return nil }
        let parameters = output[start.upperBound...].prefix { (0x30...0x3B).contains($0) }
        // Visible characters and line ends.
        let body = output[parameters.endIndex...].prefix {
            (0x21...0x7E).contains($0) || $0 == 0x0A || $0 == 0x0D
        }
        guard body.first == UInt8(ascii: "q"), let size = sixelSize(body),
            output[body.endIndex...].starts(with: [0x1B, 0x5C])
        else { return nil }
        return Sixels(
            width: size.width, height: size.height,
            sequence: Array(output[start.lowerBound..<body.endIndex + 2]))
    }

    /// By the raster attributes, `"1;1;width;height`.
    private static func sixelSize(_ body: ArraySlice<UInt8>) -> (width: Int, height: Int)? {
        guard let mark = body.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
        let numbers = body[(mark + 1)...].prefix { (0x30...0x3B).contains($0) }
        let sizes = String(decoding: numbers, as: UTF8.self).split(separator: ";").map {
            Int($0, within: 0...1 << 20) ?? 0
        }
        return sizes.count == 4 && sizes[2] > 0 && sizes[3] > 0 ? (sizes[2], sizes[3]) : nil
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
            let isLong = byte == 0xC2 && rest.dropFirst().first ?? 0 < 0xA0
            if byte >= 0x20, byte != 0x7F, !isLong { kept.append(byte) }
            rest = rest.dropFirst(isLong ? 2 : 1)
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
