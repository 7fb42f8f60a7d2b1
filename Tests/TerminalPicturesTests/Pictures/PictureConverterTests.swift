import Basics
import Foundation
import GalleryTestSupport
import PictureFiles
import ProductTestSupport
import Testing

@testable import TerminalPictures

@Suite(.fewAtOnce, .timeLimit(.minutes(2)))
struct PictureConverterTests {
    // MARK: - Words

    private static func order(
        _ type: PictureType, to target: PictureType, turned orientation: UInt8 = 1, isSmaller: Bool = true
    ) throws -> ConverterProgram.Order {
        try withTemporaryDirectory { folder in
            let data =
                type == .png
                ? Pictures.png(width: 8, height: 4) : turned(Pictures.jpeg(width: 8, height: 4), orientation)
            let picture = try InspectedPicture(PictureBench.file(data, "a", in: folder))
            return ConverterProgram.Order(
                source: ConversionSource(
                    descriptor: picture.file.number, length: Int64(picture.length), type),
                type: target, size: try #require(PixelSize(width: 640, height: 320)), isSmaller: isSmaller,
                isHalf: isSmaller, folder: "/f")
        }
    }

    /// A JPEG with an EXIF orientation and an author.
    static func turned(_ jpeg: Data, _ orientation: UInt8) -> Data {
        var exif = Data("Exif\0\0MM\0*\0\0\0\u{8}\0\u{2}".utf8)
        exif.append(contentsOf: [1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0] as [UInt8])
        exif.append(contentsOf: [1, 0x3B, 0, 2, 0, 0, 0, 4] as [UInt8])
        exif.append(contentsOf: "Ann\0\0\0\0\0".utf8)
        let marker: [UInt8] = [0xFF, 0xE1, 0, UInt8(exif.count + 2)]
        return jpeg.prefix(2) + marker + exif + jpeg.dropFirst(2)
    }

    @Test(arguments: [
        (
            0, PictureType.jpeg, PictureType.jpeg, UInt8(6), true,
            "/dev/fd/0 --size=640x640> --vips-concurrency=1 -o .jpg[Q=82,strip,optimize_coding,background=255]"
        ),
        (
            0, .webp, .webp, 1, true,
            "/dev/fd/0 --size=640x640> --vips-concurrency=1 --no-rotate -o .webp[Q=82,strip]"
        ),
        (
            1, .jpeg, .jpeg, 6, true,
            "jpeg:size=640x640 jpeg:/dev/fd/0[0] -auto-orient -profile icc:/f/srgb.icc -strip -colorspace sRGB -thumbnail 640x640 -background white -alpha remove -sampling-factor 4:2:0 -depth 8 -quality 82 jpeg:-"
        ),
        (
            1, .heif, .png, 1, false,
            "heic:/dev/fd/0[0] -profile icc:/f/srgb.icc -strip -colorspace sRGB -depth 8 -quality 92 png:-"
        ),
        (
            2, .jpeg, .jpeg, 6, true,
            "-v error -nostdin -threads 1 -protocol_whitelist file -noautorotate -i /dev/fd/0 -frames:v 1 -vf transpose=1,scale=640:320:flags=lanczos -map_metadata -1 -c:v mjpeg -q:v 3 -pix_fmt yuvj420p -f image2pipe pipe:1"
        ),
        (
            2, .heic, .webp, 1, true,
            "-v error -nostdin -threads 1 -protocol_whitelist file -i /dev/fd/0 -frames:v 1 -vf scale=640:320:flags=lanczos -map_metadata -1 -c:v libwebp -quality 82 -f image2pipe pipe:1"
        ),
        (
            3, .jpeg, .jpeg, 5, true,
            "-s format jpeg -s formatOptions 82 -m /System/Library/ColorSync/Profiles/sRGB Profile.icc -r 90 -f horizontal -Z 640 /dev/fd/0 --out /f/out"
        ),
        (
            3, .png, .png, 1, false,
            "-s format png -m /System/Library/ColorSync/Profiles/sRGB Profile.icc /dev/fd/0 --out /f/out"
        ),
    ])
    func `each program gets its words`(
        program: Int, type: PictureType, target: PictureType, orientation: UInt8, isSmaller: Bool,
        words: String
    ) throws {
        let order = try Self.order(type, to: target, turned: orientation, isSmaller: isSmaller)
        let found = try #require(ConverterProgram.all[program].words(order)).joined(separator: " ")
        #expect(program == 1 ? found.hasSuffix(" \(words)") : found == words)
        #expect(program != 1 || found.hasPrefix("-limit "))
        #expect(!words.contains("webp") || ConverterProgram.all[program].types.contains(.webp))
    }

    @Test func `a camera's raw file is not handed to programs of programs`() throws {
        #expect(ConverterProgram.all[1].words(try Self.order(.cr2, to: .jpeg)) == nil)
    }

    // MARK: - Programs of our own

    /// A picture twice as wide as high, and a converter whose only program, or first and last ones, do what the
    /// scripts say. Each notes its words.
    private func withConverter(
        _ script: String, last: String? = nil, name: String = "a.jpg",
        data: Data = Pictures.jpeg(width: 16, height: 8),
        limit: Duration = .seconds(20),
        _ body: (PictureConverter, _ file: URL, _ log: URL) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { folder in
            let log = folder.appending(path: "words")
            for (name, script) in [("vipsthumbnail", script), ("ffmpeg", last)] {
                guard let script else { continue }
                let text = """
                    #!/bin/sh
                    PATH=/usr/bin:/bin
                    echo "$0 $*" >> '\(log.path)'
                    \(script)
                    """
                try await PictureBench.program(name, text, in: folder)
            }
            let file = try PictureBench.file(data, name, in: folder)
            try await body(PictureConverter(["PATH": folder.path], timeLimit: limit), file, log)
        }
    }

    private static func type(_ converter: PictureConverter, _ file: URL) async throws -> PictureType {
        try await converter.convert(file, longestEdge: 16).type
    }

    @Test(arguments: [
        "-e.jpg", "x[0].jpg", "%d.jpg", "msl:a.jpg", "@list", "a\nb.jpg", "|id.jpg", "a b'\"$(id).jpg",
        "stdin",
    ])
    func `a file's name is told to no program`(name: String) async throws {
        try await withConverter("cat", name: name) { converter, file, log in
            let result = try await converter.convert(file, longestEdge: 2048)
            #expect(result.bytes == Array(Pictures.jpeg(width: 16, height: 8)) && result.type == .jpeg)
            let words = try String(contentsOf: log, encoding: .utf8)
            #expect(words.contains(" /dev/fd/0 --size=16x16> "), "\(words)")
            #expect(words.split(separator: "\n").count == 1)
        }
    }

    @Test(arguments: [
        "exit 1", "cat; exit 1", "exit 0", "echo garbage", "head -c 100", "printf 'GIF89a'", "kill -SEGV $$",
    ])
    func `one that fails, writes nothing, or writes something else, has failed`(script: String) async throws {
        try await withConverter(script) { converter, file, _ in
            await #expect(throws: PictureConverter.Fault.failed("vipsthumbnail")) {
                try await converter.convert(file, longestEdge: 16)
            }
        }
    }

    @Test func `a result of another size has failed`() async throws {
        try await withConverter("cat") { converter, file, _ in
            await #expect(throws: PictureConverter.Fault.failed("vipsthumbnail")) {
                try await converter.convert(file, longestEdge: 8)
            }
        }
    }

    @Test func `the next program takes over from one that fails`() async throws {
        try await withConverter("exit 1", last: "cat") { converter, file, log in
            let type = try await Self.type(converter, file)
            #expect(type == .jpeg)
            #expect(
                PictureBench.words(log).map { $0.prefix { $0 != " " }.split(separator: "/").last } == [
                    "vipsthumbnail", "ffmpeg",
                ])
        }
    }

    @Test func `a transparent picture becomes WebP, or PNG where a program makes none`() async throws {
        let webp = Pictures.webp(width: 16, height: 8)
        try await withConverter("cat", data: webp) { converter, file, _ in
            let type = try await Self.type(converter, file)
            #expect(type == .webp)
        }
        let png = Pictures.png(width: 16, height: 8).base64EncodedString()
        try await withConverter("case $* in *.png*) echo \(png) | base64 -d;; *) exit 1;; esac", data: webp) {
            converter, file, _ in
            let type = try await Self.type(converter, file)
            #expect(type == .png)
        }
    }

    @Test func `several go through one run, and what it leaves out through runs of their own`() async throws {
        let script = """
            for word; do case $word in */%s.jpg*) folder=${word%/%s*};; esac; done
            if [ -z "$folder" ]; then cat; exit; fi
            for word; do
              case $word in /dev/fd/4) ;; /dev/fd/*) cat $word > "$folder/${word##*/}.jpg";; esac
            done
            exit 1
            """
        try await withConverter(script) { converter, file, log in
            let folder = file.deletingLastPathComponent()
            let files = [file] + (1...3).map { folder.appending(path: "\($0).jpg") }
            for (number, other) in files.enumerated().dropFirst() {
                try Pictures.jpeg(width: 16, height: 2 * number).write(to: other)
            }
            let gone = folder.appending(path: "gone.jpg")
            let results = await converter.convert(files + [gone, file], longestEdge: 16, format: .web)
            #expect(results.map { $0?.bytes.count } == files.map(Self.length) + [nil, Self.length(file)])
            #expect(PictureBench.words(log).count == 2, "\(PictureBench.words(log))")
        }
    }

    private static func length(_ file: URL) -> Int? { (try? Data(contentsOf: file))?.count }

    @Test func `one that hangs is killed, and after three pictures not run again`() async throws {
        try await withConverter("exec sleep 600", limit: .milliseconds(200)) { converter, file, log in
            for _ in 0..<3 {
                await #expect(throws: PictureConverter.Fault.timedOut("vipsthumbnail")) {
                    try await converter.convert(file, longestEdge: 16)
                }
            }
            #expect(await !converter.isInstalled)
            await #expect(throws: PictureConverter.Fault.missing) {
                try await converter.convert(file, longestEdge: 16)
            }
            #expect(PictureBench.words(log).count == 3)
        }
    }

    @Test func `one that is removed in the middle is missed`() async throws {
        try await withConverter(#"rm "$0"; cat"#) { converter, file, _ in
            let type = try await Self.type(converter, file)
            #expect(type == .jpeg)
            await #expect(throws: PictureConverter.Fault.missing) {
                try await converter.convert(file, longestEdge: 16)
            }
        }
    }

    @Test func `a picture with too many pixels, and what is no picture, reach no program`() async throws {
        var bomb = Pictures.png(width: 1, height: 1)
        bomb.replaceSubrange(16..<24, with: [0, 1, 0, 0, 0, 1, 0, 0])
        for data in [bomb, Data("msl:<image>".utf8), Data()] {
            try await withConverter("cat", data: data) { converter, file, log in
                let fault = await #expect(throws: PictureConverter.Fault.self) {
                    try await converter.convert(file, longestEdge: 16)
                }
                #expect(fault.map { "\($0)".hasPrefix("refused(") } == true)
                #expect(!FileManager.default.fileExists(atPath: log.path))
            }
        }
    }

    #if os(Linux)
        @Test func `its memory and its files are limited`() async throws {
            // The limits come right after the start. Files are counted in blocks of 512 bytes, or of 1024.
            let limits = "$(ulimit -d) $(ulimit -f)"
            let wait = "until case \"\(limits)\" in '1048576 4194304'|'1048576 2097152') ;; *) false;; esac"
            try await withConverter("\(wait); do :; done; cat") {
                converter, file, _ in
                let type = try await Self.type(converter, file)
                #expect(type == .jpeg)
            }
        }
    #endif

    @Test func `canceled, it leaves neither a process nor a file`() async throws {
        try await withConverter(#"echo $TMPDIR >> "$0.folder"; exec sleep 600"#) { converter, file, log in
            let note = log.deletingLastPathComponent().appending(path: "vipsthumbnail.folder")
            let task = Task { try await converter.convert(file, longestEdge: 16) }
            // The shell makes the file before it writes to it.
            try await until { !PictureBench.words(note).isEmpty }
            task.cancel()
            await #expect(throws: PictureConverter.Fault.cancelled) { _ = try await task.value }
            let folder = try #require(PictureBench.words(note).first)
            #expect(folder.hasPrefix("/") && !FileManager.default.fileExists(atPath: folder))
        }
    }

    // MARK: - Those that are installed

    private static let environment = ProcessInfo.processInfo.environment
    private static let imageMagick = ConverterProgram.all[1].program

    /// The brightness of a picture's quarters, from the upper left to the lower right.
    private static func quarters(_ jpeg: [UInt8]) async throws -> [UInt8] {
        try await withTemporaryDirectory { folder in
            let file = try PictureBench.file(Data(jpeg), "a.jpg", in: folder)
            let words = [file.path, "-colorspace", "Gray", "-depth", "8", "-resize", "2x2!", "gray:-"]
            return try await ProcessRun(
                try #require(await imageMagick.path(in: environment)), words, environment
            ).outcome().output
        }
    }

    @Test(
        .needs("ImageMagick") { await PictureBench.has(imageMagick) },
        arguments: ConverterProgram.all.indices, 1...8)
    func `every program turns pictures upright`(program: Int, orientation: Int) async throws {
        let program = ConverterProgram.all[program]
        _ = try needed(program.program.product, await PictureBench.has(program.program) ? program : nil)
        let photo = try Data(contentsOf: Fixture.url("sample/full/rocket.jpg"))
        let upright = try await Self.quarters(Array(photo))
        // What stands where, before it is turned.
        let places = [
            [0, 1, 2, 3], [1, 0, 3, 2], [3, 2, 1, 0], [2, 3, 0, 1], [0, 2, 1, 3], [2, 0, 3, 1], [3, 1, 2, 0],
            [1, 3, 0, 2],
        ]
        try await withTemporaryDirectory { folder in
            let file = try PictureBench.file(Self.turned(photo, UInt8(orientation)), "a.jpg", in: folder)
            let converter = PictureConverter(Self.environment, programs: [program])
            let result = try await converter.convert(file, longestEdge: 200)
            let quarters = try await Self.quarters(result.bytes)
            for (place, origin) in places[orientation - 1].enumerated() {
                #expect(abs(Int(quarters[place]) - Int(upright[origin])) < 12, "\(quarters) of \(upright)")
            }
            let text = String(decoding: result.bytes.prefix(200), as: UTF8.self)
            #expect(text.contains("Ann") && result.bytes.count < 30_000)
        }
    }
}
