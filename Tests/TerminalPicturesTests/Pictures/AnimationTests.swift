import Foundation
import GalleryTestSupport
import ProductTestSupport
import Testing

@testable import TerminalPictures

struct AnimationTimelineTests {
    @Test(arguments: [
        // delays, frame → next frame, milliseconds
        ([300, 300, 300], 0, [1, 300]), ([300, 300, 300], 2, [0, 300]),
        // Faster ones keep their pace by leaving frames out.
        ([40, 40, 40, 40, 40], 0, [3, 120]), ([40, 40, 40, 40, 40], 3, [1, 120]),
        ([100, 100], 0, [1, 100]), ([99, 99], 0, [0, 198]), ([20, 20], 1, [1, 100]),
        // No time at all is browsers' tenth of a second.
        ([0, 10, 500], 0, [1, 100]), ([0, 10, 500], 1, [2, 100]), ([0, 10, 500], 2, [0, 500]),
    ])
    func `the next frame, at most ten a second`(delays: [Int], frame: Int, step: [Int]) throws {
        let timeline = try #require(AnimationTimeline(delays: delays))
        let found = timeline.step(from: frame)
        #expect([found.frame, found.milliseconds] == step)
    }

    @Test func `less than two frames are still`() {
        #expect(AnimationTimeline(delays: []) == nil)
        #expect(AnimationTimeline(delays: [100]) == nil)
    }

    @Test(arguments: [
        (Pictures.animatedGIF(width: 16, height: 8, delays: [30, 7, 0]), [300, 70, 100]),
        (Pictures.animatedWebP(width: 16, height: 8, delays: [300, 70, 0]), [300, 70, 100]),
        (Pictures.gif(width: 16, height: 8), nil), (Pictures.webp(width: 16, height: 8), nil),
        (Pictures.jpeg(width: 16, height: 8), nil),
        // One cut in its second frame has one frame, or two.
        (Pictures.animatedGIF(width: 16, height: 8, delays: [30]), nil),
    ])
    func `a file's own times`(data: Data, delays: [Int]?) throws {
        try withTemporaryDirectory { folder in
            let file = try PictureBench.file(data, "a", in: folder)
            let timeline = try InspectedPicture(file).timeline
            #expect(timeline?.delays == delays)
        }
    }

    @Test func `no more frames than are played`() throws {
        try withTemporaryDirectory { folder in
            let many = Pictures.animatedGIF(width: 1, height: 1, delays: Array(repeating: 1, count: 1000))
            let file = try PictureBench.file(many, "a.gif", in: folder)
            #expect(
                try InspectedPicture(file).timeline?.delays.count == AnimationTimeline.mostFrames)
        }
    }
}

/// Frames as `chafa` prints them: by a script of our own, and by the real one.
@Suite(.fewAtOnce, .timeLimit(.minutes(1)))
struct AnimationPaintingTests {
    private let box = PictureBox(columns: 20, rows: 10)
    private let gif = Pictures.animatedGIF(width: 16, height: 8, delays: [30, 30, 30])

    @Test func `all frames come from one run, and are kept for their size`() async throws {
        try await withTemporaryDirectory { folder in
            let (path, log) = try await PictureBench.chafa(
                in: folder, #"printf 'one\n\r\033[1Atwo\n\r\033[1Athree\n'"#)
            let file = try PictureBench.file(gif, "a.gif", in: folder)
            let painter = PictureBench.painter(.symbols, path: path)
            #expect(await painter.timeline(of: file, in: box)?.delays == [300, 300, 300])
            for (number, text) in ["one", "two", "three", "one"].enumerated() {
                let picture = try #require(try await painter.paint(file, .frame(number), in: box).picture)
                #expect(try await PictureBench.text(picture) == "\u{1B}7\(text)\u{1B}[0m\u{1B}8")
            }
            let words = PictureBench.words(log)
            #expect(words.filter { $0.hasPrefix("--format") }.count == 1)
            #expect(words.contains("--animate=on") && words.contains("--duration=0"))
            _ = try await painter.paint(file, .frame(0), in: PictureBox(columns: 10, rows: 5))
            #expect(PictureBench.words(log).filter { $0.hasPrefix("--format") }.count == 2)
        }
    }

    @Test(arguments: ["exit 2", "echo one", #"printf 'one\n\r'"#])
    func `what gives no frames is still`(script: String) async throws {
        try await withTemporaryDirectory { folder in
            let (path, _) = try await PictureBench.chafa(in: folder, script)
            let file = try PictureBench.file(gif, "a.gif", in: folder)
            #expect(await PictureBench.painter(.symbols, path: path).timeline(of: file, in: box) == nil)
        }
    }

    @Test func `where the terminal plays files itself, none are painted`() async throws {
        try await withTemporaryDirectory { folder in
            let (path, log) = try await PictureBench.chafa(in: folder, "echo x")
            let file = try PictureBench.file(gif, "a.gif", in: folder)
            #expect(await PictureBench.painter(.iterm, path: path).timeline(of: file, in: box) == nil)
            #expect(PictureBench.words(log).isEmpty)
        }
    }

    @Test(
        .needs("chafa") { await PictureBench.has(.chafa) },
        arguments: [PictureChoice.kitty, .sixel, .symbols])
    func `the real one gives all frames`(choice: PictureChoice) async throws {
        try await withTemporaryDirectory { folder in
            let file = try PictureBench.file(gif, "a.gif", in: folder)
            let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
            let painter = PictureBench.painter(choice, path: path)
            _ = try await painter.paint(file, in: box)
            #expect(await painter.timeline(of: file, in: box)?.delays.count == 3)
            var numbers: [KittyIdentity?] = []
            for frame in 0..<3 {
                let picture = try #require(try await painter.paint(file, .frame(frame), in: box).picture)
                #expect(picture.columns > 17 && picture.rows == 5)
                numbers.append(picture.identity)
            }
            // One frame stays until the next one is there.
            if choice == .kitty { #expect(numbers[0] != numbers[1] && numbers[0] == numbers[2]) }
        }
    }
}

extension AnimationPaintingTests {
    @Test(
        .needs("chafa") { await PictureBench.has(.chafa) },
        arguments: [PictureChoice.kitty, .sixel, .symbols])
    func `turned, it has as many frames, each with its own pixels`(choice: PictureChoice) async throws {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let painter = PictureBench.painter(choice, path: path)
        let file = Fixture.url("pictures/p3.webp")
        let box = PictureBox(columns: 20, rows: 10)
        var shown: Set<[UInt8]> = []
        for (frame, quarters) in [(0, 1), (1, 1), (2, 1), (3, 1), (1, 3)] {
            let painted = try await painter.paint(file, .frame(frame), turnedBy: quarters, in: box)
            let picture = try #require(painted.picture)
            // Two columns are as wide as a row is high, and the picture is half as high again as wide.
            #expect((9...10).contains(picture.rows) && (12...14).contains(picture.columns))
            if choice == .kitty {
                let pixels = try #require(try await PictureBench.pixels(picture))
                #expect(pixels.height > pixels.width)
                shown.insert(pixels.bytes)
            } else {
                shown.insert(try await PictureBench.bytes(picture))
            }
        }
        // The first of three comes again as the fourth.
        #expect(shown.count == 4)
    }

    @Test(.needs("chafa") { await PictureBench.has(.chafa) })
    func `within tmux characters stand for each frame, which is small`() async throws {
        try await withTemporaryDirectory { folder in
            let gif = Pictures.animatedGIF(width: 800, height: 600, delays: [30, 30, 30])
            let file = try PictureBench.file(gif, "a.gif", in: folder)
            let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
            let answer = "/dev/pts/5\t1\tkitty(0.41.1)\txterm-kitty\t256\t10\t20\t0\t0\ttop\ton\t1"
            let painter = PictureBench.painter(
                answer: "\u{1B}P>|tmux 3.4\u{1B}\\\u{1B}[?1;2c", path: path, tmux: Tmux(answer.utf8),
                set: ["TMUX": "x"])
            let box = PictureBox(columns: 80, rows: 30)
            #expect(await painter.timeline(of: file, in: box)?.delays.count == 3)
            var frames: [String] = []
            for number in 0..<2 {
                let picture = try #require(try await painter.paint(file, .frame(number), in: box).picture)
                let text = try await PictureBench.text(picture)
                #expect(text.hasPrefix("\u{1B}Ptmux;\u{1B}\u{1B}_Ga=T,U=1,"))
                let size = try #require(text.firstMatch(of: /s=(\d+),v=(\d+)/))
                let (width, height) = (Int(size.output.1) ?? 0, Int(size.output.2) ?? 0)
                #expect((80_000...110_000).contains(width * height))
                frames.append(text.components(separatedBy: "\\").last ?? "")
            }
            #expect(frames[0].unicodeScalars.contains("\u{10EEEE}") && frames[0] != frames[1])
        }
    }
}

/// A picture whose pixels the terminal gets once.
@Suite(.fewAtOnce, .timeLimit(.minutes(1)))
struct PictureZoomTests {
    private let box = PictureBox(columns: 20, rows: 10)

    @Test func `the pixels go once, the parts by their places`() async throws {
        try await withTemporaryDirectory { folder in
            let (path, log) = try await PictureBench.chafa(in: folder, PictureBench.transparent)
            let file = try PictureBench.file(Pictures.jpeg(width: 64, height: 32), "a.jpg", in: folder)
            let painter = PictureBench.painter(.kitty, path: path)
            var viewport = Viewport()
            _ = viewport.zoom(by: 2)
            #expect(painter.zooms && painter.kitty.farewell.isEmpty)
            let first = try #require(try await painter.paint(file, .view(viewport), in: box).picture)
            #expect(first.columns == 20 && first.rows == 10)
            let text = try await PictureBench.text(first)
            let number = 2 << 24 | 1
            #expect(text.hasPrefix("\u{1B}7\u{1B}_Ga=t,f=32,s=64,v=32,i=\(number),q=2,m=1;"))
            let place = "a=p,i=\(number),p=1,x=16,y=0,w=32,h=32,c=20,r=10,C=1,q=2;\u{1B}\\\u{1B}8"
            #expect(text.hasSuffix(place))
            _ = viewport.pan(right: 1, down: 0, visible: (0.5, 1))
            let second = try #require(try await painter.paint(file, .view(viewport), in: box).picture)
            #expect(
                try await PictureBench.text(second)
                    == "\u{1B}7\u{1B}_Ga=p,i=\(number),p=1,x=24,y=0,w=32,h=32,c=20,r=10,C=1,q=2;\u{1B}\\\u{1B}8"
            )
            #expect(first.identity == second.identity)
            #expect(PictureBench.words(log).filter { $0 == "--format=kitty" }.count == 1)
            #expect(
                String(decoding: painter.kitty.farewell, as: UTF8.self)
                    == "\u{1B}_Ga=d,d=I,i=\(number),q=2;\u{1B}\\")
            // After another program had the terminal, they go again.
            painter.kitty.loseSource()
            let third = try #require(try await painter.paint(file, .view(viewport), in: box).picture)
            #expect(try await PictureBench.text(third).contains("a=t,"))
        }
    }

    @Test func `an abandoned transmission goes again`() async throws {
        try await withTemporaryDirectory { folder in
            let (path, _) = try await PictureBench.chafa(in: folder, PictureBench.transparent)
            let file = try PictureBench.file(Pictures.jpeg(width: 640, height: 320), "a.jpg", in: folder)
            let painter = PictureBench.painter(.kitty, path: path)
            var viewport = Viewport()
            _ = viewport.zoom(by: 1)
            let picture = try #require(try await painter.paint(file, .view(viewport), in: box).picture)
            // Before the first pixels, before the last, and between: not all were sent.
            for most in [0, PaintedPicture.pieceLength - 1] {
                await #expect(throws: PictureBench.Failure.self) {
                    try await picture.write {
                        if most == 0 || $0.count <= most { throw PictureBench.Failure() }
                    }
                }
            }
            _ = try await PictureBench.bytesOfCanceledWrite(picture)
            #expect(try await PictureBench.text(picture).contains("a=t,"))
            #expect(try await !PictureBench.text(picture).contains("a=t,"))
        }
    }

    @Test(arguments: [PictureChoice.sixel, .symbols, .iterm])
    func `only kitty's protocol zooms`(choice: PictureChoice) {
        #expect(!PictureBench.painter(choice, path: "/usr/bin:/bin").zooms)
    }

    @Test func `nor does Konsole, which shows no part of a picture`() {
        let answer = "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}P>|Konsole 22.12.3\u{1B}\\\u{1B}[?62;1;4c"
        let painter = PictureBench.painter(answer: answer, path: "/usr/bin:/bin")
        #expect(painter.support.used == .kitty && !painter.zooms)
    }

    @Test func `not without chafa`() {
        #expect(!PictureBench.painter(.kitty, path: "/nowhere").zooms)
    }
}
