import Basics
import Foundation
import GalleryTestSupport
import TerminalPictures
import Testing

/// What the tests of pictures share: files to paint, painters that know all, a `chafa` of our own.
package enum PictureBench {
    /// What a sink throws.
    package struct Failure: Error {
        package init() {}
    }

    package static func file(_ data: Data, _ name: String, in folder: URL) throws -> URL {
        let url = folder.appending(path: name)
        try data.write(to: url)
        return url
    }

    /// A painter on a terminal that answered this, with cells of 10 by 20 pixels.
    package static func painter(
        _ choice: PictureChoice = .auto, answer: String? = nil, path: String = "", tmux: Tmux? = nil,
        set: [String: String] = [:], cell: CellSize? = CellSize(width: 10, height: 20)
    ) -> PicturePainter {
        let environment = set.merging(["TERM": "xterm-256color", "PATH": path]) { one, _ in one }
        let support = PictureSupport(
            choice, environment, answers: answers(answer), tmux: tmux, isTerminal: true)
        return PicturePainter(
            support, environment: environment,
            hasChafa: ProcessRun.find("chafa", in: environment) != nil,
            identity: KittyIdentity(high: 1, low: 255)
        ) { PictureWindow(cell: cell) }
    }

    /// What a terminal says that answers `text`.
    package static func answers(_ text: String?) -> TerminalAnswers? {
        text.map { text in
            var parser = TerminalParser()
            parser.listen(to: text.utf8)
            return parser.answers
        }
    }

    /// Everything a picture writes.
    package static func bytes(_ picture: PaintedPicture) async throws -> [UInt8] {
        let written = PictureLog()
        try await picture.write { written.add($0) }
        return written.bytes
    }

    /// What a picture writes whose writer is canceled at the first piece.
    package static func bytesOfCanceledWrite(_ picture: PaintedPicture) async throws -> [UInt8] {
        let written = PictureLog()
        let stop = Watched<Task<Void, any Error>?>(nil)
        let writing = Task {
            try await stop.first { $0 != nil }
            try await picture.write { piece in
                written.add(piece)
                stop.value?.cancel()
            }
        }
        stop.update { $0 = writing }
        await #expect(throws: CancellationError.self) { try await writing.value }
        return written.bytes
    }

    /// The pixels in what a picture writes for kitty, whose sequences are like chafa's but for a key of ours.
    package static func pixels(_ picture: PaintedPicture) async throws -> KittyPixels? {
        ChafaOutput.kitty(Array(try await text(picture).replacing("q=2,", with: "").utf8))
    }

    package static func text(_ picture: PaintedPicture) async throws -> String {
        String(decoding: try await bytes(picture), as: UTF8.self)
    }

    /// A `chafa` in `folder` that notes its words, one a line, and does what `script` says.
    package static func chafa(in folder: URL, _ script: String) async throws -> (path: String, log: URL) {
        let log = folder.appending(path: "words")
        let text = """
            #!/bin/sh
            for word; do echo "$word" >> '\(log.path)'; done
            env | sort > '\(log.path).variables'
            \(script)
            """
        try await program("chafa", text, in: folder)
        return (folder.path + ":/usr/bin:/bin", log)
    }

    /// What a `chafa` does that answers with transparent pixels for kitty, as many as it is asked for.
    package static let transparent = """
        size=${2#--size=}; width=$((${size%x*} * 8)); height=$((${size#*x} * 8))
        printf '\\033_Ga=T,f=32,s=%d,v=%d;' $width $height
        head -c $((width * height * 4)) /dev/zero | base64 | tr -d '\\n'; printf '\\033\\\\'
        """

    /// What the real programs say of themselves, which others are known not to be.
    package static let introductions = [
        "vipsthumbnail": "vips-8.14.1", "ffmpeg": "ffmpeg version 5.1.9", "chafa": "Chafa version 1.12.4",
        "convert": "Version: ImageMagick 6.9.11-60 Q16 x86_64", "exiftool": "ExifTool version 12.57",
        "rsvg-convert": "rsvg-convert version 2.54.7", "xdg-open": "xdg-open 1.1.3",
    ]

    /// A program of this text, a script that begins with `#!`.
    ///
    /// - Parameter isItself: Whether it introduces itself as the program whose name it has.
    package static func program(_ name: String, _ text: String, in folder: URL, isItself: Bool = true)
        async throws
    {
        let source = folder.appending(path: "\(name).text")
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if isItself, let introduction = introductions[name] {
            lines.insert(
                #"case "$1" in --version|-version|-ver) echo '\#(introduction)'; exit;; esac"#, at: 1)
        }
        try Data(lines.joined(separator: "\n").utf8).write(to: source)
        try await copyProgram(source, to: folder.appending(path: name))
    }

    /// Makes a program by `cp`: a file that this process has written cannot be run for as long as a child
    /// lives that another test has started meanwhile, for that has inherited the open file (ETXTBSY).
    package static func copyProgram(_ source: URL, to program: URL) async throws {
        let words = ["-c", #"cp "$1" "$2" && chmod 755 "$2""#, "sh", source.path, program.path]
        let outcome = try await ProcessRun("/bin/sh", words, ["PATH": "/usr/bin:/bin"]).outcome()
        guard outcome.succeeded else { throw SystemCall.Failure(code: EIO) }
    }

    package static func words(_ log: URL) -> [String] {
        let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// A PNG of one pixel that says it has 20000×20000.
    package static var lyingPNG: Data {
        var bytes = Pictures.png(width: 1, height: 1)
        let side = Data([0, 0, 0x4E, 0x20])
        bytes.replaceSubrange(16..<24, with: side + side)
        return bytes
    }

    /// The same in 48 KB, as the well-known bomb has.
    package static var bomb: Data { lyingPNG + Data(count: 48_000 - lyingPNG.count) }

    /// What the next writer of a named pipe writes; waits for one.
    package static func line(of fifo: String) async throws -> String {
        try await onThread {
            let file = try FileHandle(forReadingFrom: URL(filePath: fifo))
            return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        }
    }

    /// Writes to a named pipe; waits for a reader.
    package static func write(_ text: String, to fifo: String) async throws {
        try await onThread {
            let file = try FileHandle(forWritingTo: URL(filePath: fifo))
            try file.write(contentsOf: Data(text.utf8))
            try file.close()
        }
    }

    private static func onThread<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { waiter in
            Thread.detachNewThread { waiter.resume(with: Result { try work() }) }
        }
    }

    /// Whether a process has ended and waits for somebody to ask.
    package static func isZombie(_ process: Int32) -> Bool {
        let status = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
        return status.split(separator: ")").last?.hasPrefix(" Z") ?? false
    }

    /// Whether the real program is here.
    package static func has(_ program: HelperProgram) async -> Bool {
        await program.path(in: ProcessInfo.processInfo.environment) != nil
    }
}

extension PictureOutcome {
    package var picture: PaintedPicture? { if case .painted(let picture) = self { picture } else { nil } }
    package var words: [String]? { if case .words(let lines) = self { lines } else { nil } }
}

/// What a sink was given.
package final class PictureLog: Sendable {
    private let pieces = Watched<[[UInt8]]>([])

    package init() {}
    package func add(_ piece: ArraySlice<UInt8>) { pieces.update { $0.append(Array(piece)) } }
    package var bytes: [UInt8] { pieces.value.flatMap(\.self) }
    package var lengths: [Int] { pieces.value.map(\.count) }
}
