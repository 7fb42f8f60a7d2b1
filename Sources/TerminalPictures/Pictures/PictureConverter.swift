import Basics
import Foundation
import PictureFiles
import Synchronization

/// Makes smaller pictures, and pictures that browsers show, by the installed programs of ``ConverterProgram/all``.
/// Results are turned upright, in sRGB, never enlarged, and say nothing of their origin but author and copyright.
/// As many run at once as there are cores, each within limits of time, output and memory.
package final class PictureConverter: Sendable {
    package enum Fault: Error, Hashable {
        /// No program is installed, or none that answers.
        case missing
        /// It is not a picture, or has too many pixels: a sentence with a period.
        case refused(String)
        /// The program, and what it did.
        case failed(String), timedOut(String)
        case cancelled

        /// What happened, without a period.
        package var reason: String {
            switch self {
            case .missing: "no working image converter is installed"
            case .refused(let sentence): sentence.prefix(1).lowercased() + sentence.dropFirst().dropLast()
            case .failed(let name): "'\(name)' could not convert the picture"
            case .timedOut(let name): "'\(name)' took too long to convert the picture"
            case .cancelled: "canceled"
            }
        }
    }

    package enum Format: Hashable, Sendable {
        /// JPEG; WebP where the picture has transparency, or PNG where a program makes none.
        case web
        /// JPEG; PNG where the picture has transparency.
        case plain
        case jpeg, png
        /// WebP that plays these frames, counted from the first.
        case animation(frames: Int)

        func types(for source: ConversionSource) -> [PictureType] {
            switch self {
            case .web: source.hasTransparency ? [.webp, .png] : [.jpeg]
            case .plain: [source.hasTransparency ? .png : .jpeg]
            case .jpeg: [.jpeg]
            case .png: [.png]
            case .animation: [.webp]
            }
        }

        fileprivate var frames: Int { if case .animation(let frames) = self { frames } else { 1 } }
    }

    /// A converted picture, whole and checked.
    package struct Result: Sendable {
        package let bytes: [UInt8]
        package let type: PictureType
    }

    /// What to say where nothing is installed.
    package static let advice =
        "nothing is installed that makes smaller ones. Install vipsthumbnail (libvips-tools), ImageMagick, or ffmpeg."
    static let falseColors =
        "The colors may be wrong; to see them right, install vipsthumbnail (libvips-tools) or ImageMagick."

    /// Programs read most pictures row by row; time and memory end what they do not.
    private static let mostPixels = 400_000_000
    private static let memoryLimit: UInt64 = 1 << 30
    /// Programs put large pictures into files, pixel by pixel.
    private static let fileLimit: UInt64 = 2 << 30
    let environment: [String: String]
    let programs: [ConverterProgram]
    let timeLimit: Duration
    let slots = AsyncSemaphore(
        min(
            ProcessInfo.processInfo.activeProcessorCount,
            max(1, Int(ProcessInfo.processInfo.physicalMemory / (2 * memoryLimit)))))
    private let record = Mutex(ConverterRecord())

    package init(
        _ environment: [String: String], programs: [ConverterProgram] = ConverterProgram.all,
        timeLimit: Duration = .seconds(20)
    ) {
        (self.environment, self.programs, self.timeLimit) = (environment, programs, timeLimit)
    }

    /// Whether a program is installed, and has not given up.
    package var isInstalled: Bool {
        get async {
            for program in programs where await path(of: program) != nil { return true }
            return false
        }
    }

    /// The picture in `file` with `longestEdge` pixels on its longer edge, or as many as it has.
    package func convert(_ file: URL, longestEdge: Int, format: Format = .web) async throws(Fault) -> Result {
        guard await slots.enter() else { throw .cancelled }
        defer { slots.leave() }
        return try await converted(file, longestEdge, format)
    }

    private func converted(_ file: URL, _ longestEdge: Int, _ format: Format) async throws(Fault) -> Result {
        let (picture, source) = try await inspected(file)
        if let preview = source.preview {
            let folder = try Self.scratch(holding: "preview.jpg", Data(preview))
            defer { withExtendedLifetime(folder) {} }
            return try await converted(folder.url.appending(path: "preview.jpg"), longestEdge, format)
        }
        var fault = Fault.missing
        var failed: Set<String> = []
        for program in programs {
            guard let path = await path(of: program, for: picture.type) else { continue }
            for type in format.types(for: source) where program.types.contains(type) {
                do throws(Fault) {
                    let result = try await run(
                        program, path, picture, source, longestEdge, type, format.frames)
                    record.withLock { $0.noteFailures(of: failed, on: picture.type, isConverted: true) }
                    return result
                } catch {
                    switch error {
                    case .failed:
                        fault = error
                        failed.insert(path)
                    case .timedOut: fault = error
                    // It does not read such pictures.
                    case .missing: fault = fault == .missing ? .failed(name(of: path)) : fault
                    case .refused, .cancelled: throw error
                    }
                }
            }
        }
        record.withLock { $0.noteFailures(of: failed, on: picture.type, isConverted: false) }
        throw fault
    }

    func inspected(_ file: URL) async throws(Fault) -> (InspectedPicture, ConversionSource) {
        try await onThread {
            Swift.Result { () throws(PictureRefusal) in
                let picture = try InspectedPicture(file, mostPixels: Self.mostPixels)
                return (picture, picture.conversionSource)
            }.mapError { Fault.refused($0.sentence) }
        }.get()
    }

    /// Where a program is; `nil` where it is not installed, or has given up on pictures of `type`, `nil` for any.
    func path(of program: ConverterProgram, for type: PictureType? = nil) async -> String? {
        guard let path = await program.program.path(in: environment) else { return nil }
        return record.withLock { $0.isTried(path, on: type) } ? path : nil
    }

    static func scratch(holding name: String, _ data: Data) throws(Fault) -> ScratchFolder {
        do {
            let folder = try ScratchFolder()
            try PrivateFile.replace(folder.url.appending(path: name), with: data, isDurable: false)
            return folder
        } catch {
            throw .refused(
                (error as? any ActionableError)?.description ?? "No temporary file can be written.")
        }
    }

    func run(_ path: String, _ words: [String], _ type: PictureType, _ folder: URL) -> ProcessRun {
        var variables = ["TMPDIR": folder.path]
        // vips reads these itself, and starts in half the time where it finds no modules for others.
        if [.jpeg, .png, .webp, .gif, .tiff].contains(type) { variables["VIPSHOME"] = folder.path }
        var run = ProcessRun(path, words, environment.forHelpers.merging(variables) { $1 })
        (run.timeLimit, run.memoryLimit, run.fileLimit) = (timeLimit, Self.memoryLimit, Self.fileLimit)
        return run
    }

    private func name(of path: String) -> String { URL(filePath: path).lastPathComponent }

    private func run(
        _ program: ConverterProgram, _ path: String, _ picture: InspectedPicture, _ source: ConversionSource,
        _ edge: Int, _ type: PictureType, _ frames: Int
    ) async throws(Fault) -> Result {
        let name = name(of: path)
        let scratch = try Self.scratch(holding: "srgb.icc", ConverterProgram.profile)
        defer { withExtendedLifetime(scratch) {} }
        var order = ConverterProgram.Order(picture, source, type, longestEdge: edge, folder: scratch.url.path)
        order.frames = frames
        if let profile = source.animationProfile {
            // Without it, only a program fails that asks for it.
            try? PrivateFile.replace(URL(filePath: order.ownProfile), with: Data(profile), isDurable: false)
        }
        guard let words = program.words(order) else { throw .missing }
        var run = self.run(path, words, picture.type, scratch.url)
        run.input = picture.file
        let begin = ContinuousClock.now
        let outcome: ProcessRun.Outcome
        do { outcome = try await run.outcome() } catch { throw .cancelled }
        guard outcome.ending != .timedOut else {
            record.withLock { $0.noteHang(of: path, begun: begin, ended: .now) }
            throw .timedOut(name)
        }
        record.withLock { $0.noteEnd(of: path) }
        let output =
            program.writesFile
            ? (try? Data(contentsOf: URL(filePath: order.output))).map(Array.init) : outcome.output
        guard outcome.succeeded, let output,
            let bytes = source.accepted(
                output, as: type, longestEdge: order.size.longestEdge, isAnimation: frames > 1)
        else { throw .failed(name) }
        record.withLock { $0.noteSuccess(of: path, on: picture.type) }
        return Result(bytes: bytes, type: type)
    }
}

extension ConverterProgram.Order {
    /// To make of a picture one with `edge` pixels on its longer edge, or as many as it has.
    init(
        _ picture: InspectedPicture, _ source: ConversionSource, _ type: PictureType, longestEdge edge: Int,
        folder: String
    ) {
        let size = picture.size.fitting(longestEdge: edge)
        self.init(
            source: source, type: type, size: size, isSmaller: size != picture.size,
            isHalf: min(picture.size.width, picture.size.height) >= 2 * edge, folder: folder)
    }
}
