import Basics
import Foundation

/// A request that libcurl sends without URLSession, which on Linux refuses replies that others read: those without a
/// reason phrase, with text that is not UTF-8, or with an encoding that nobody knows.
///
/// It is sent where URLSession has refused one. What comes of it are the frames of any other request.
final class PlainRequest {
    /// The texts of its frame.
    private let texts: [String]
    private let send: ([UInt8]) -> Void
    private let isCancelled: () -> Bool
    private var head = PlainHead()
    /// What has arrived of the body before it was known what it is.
    private var start: [UInt8] = []
    private var hasBegun = false
    private var gzip: GzipStream?
    private var isDamaged = false
    private var lastSound = ContinuousClock.now

    init(_ texts: [String], send: @escaping ([UInt8]) -> Void, isCancelled: @escaping () -> Bool) {
        (self.texts, self.send, self.isCancelled) = (texts, send, isCancelled)
    }

    /// Sends the request and returns once its last frame has been sent.
    func run() {
        let (code, text) = withExtendedLifetime(self) { perform() }
        if code == 0, !hasBegun, head.isComplete { begin() }
        let isCut = isDamaged || code == 0 && gzip?.isOver == false
        send(WorkerFrame.bytes(.end, isCut ? ["-1015", ""] : ["\(code)", text]) ?? [])
    }

    /// How it ended, as an error of URLSession's.
    private func perform() -> (code: Int, text: String) {
        guard texts.count > 1, let curl = ForeignLibrary("libcurl.so.4"),
            let easy = curl.call("curl_easy_init"), easy != 0
        else { return (-1000, "") }
        defer { curl.call("curl_easy_cleanup", easy) }
        var list = 0
        defer { curl.call("curl_slist_free_all", list) }
        for (name, value) in WorkerFrame.fields(texts.dropFirst(2)) ?? [:] {
            "\(name): \(value)".withCString {
                list = curl.call("curl_slist_append", list, Int(bitPattern: $0)) ?? list
            }
        }
        let me = Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())
        // By the numbers of curl/curl.h: how long to connect, the fields, no signals, no head of a proxy's, HTTP alone; then who takes
        // lines of heads and pieces of bodies, and is asked each second whether to go on.
        let options = [
            (78, patience), (10_023, list), (99, 1), (265, 1), (181, 3),
            (20_079, unsafeBitCast(Self.onLine, to: Int.self)), (10_029, me),
            (20_011, unsafeBitCast(Self.onBytes, to: Int.self)), (10_001, me),
            (20_219, unsafeBitCast(Self.onProgress, to: Int.self)), (10_057, me), (43, 0),
        ]
        for (option, value) in options { curl.call("curl_easy_setopt", easy, option, value) }
        texts[1].withCString { _ = curl.call("curl_easy_setopt", easy, 10_002, Int(bitPattern: $0)) }
        let result = Int32(truncatingIfNeeded: curl.call("curl_easy_perform", easy) ?? -1)
        guard result != 0 else { return (0, "") }
        if result == 42 { return (isCancelled() ? -999 : -1001, "") }
        let text = curl.call("curl_easy_strerror", Int(result)).flatMap {
            UnsafePointer<CChar>(bitPattern: $0)
        }
        return (Self.codes[result] ?? -1, text.map { String(cString: $0) } ?? "")
    }

    /// What URLSession calls libcurl's errors; the others are -1.
    private static let codes: [Int32: Int] = [
        6: -1003, 7: -1004, 8: -1002, 18: -1005, 28: -1001, 52: -1011, 55: -1005, 56: -1005,
    ]

    private typealias Receiver =
        @Sendable @convention(c) (UnsafeRawPointer?, Int, Int, UnsafeRawPointer?) -> Int

    private static let onLine: Receiver = { bytes, _, count, me in
        request(me)?.head.take(UnsafeRawBufferPointer(start: bytes, count: count))
        request(me)?.lastSound = .now
        return count
    }

    private static let onBytes: Receiver = { bytes, _, count, me in
        // Anything but the count ends the request.
        request(me)?.receive(UnsafeRawBufferPointer(start: bytes, count: count)) == true ? count : -1
    }

    private static let onProgress:
        @Sendable @convention(c) (UnsafeRawPointer?, Int64, Int64, Int64, Int64) -> Int32 = {
            me, _, _, _, _ in request(me)?.mayGoOn == true ? 0 : 1
        }

    private static func request(_ me: UnsafeRawPointer?) -> PlainRequest? {
        me.map { Unmanaged<PlainRequest>.fromOpaque($0).takeUnretainedValue() }
    }

    /// In seconds.
    private var patience: Int { texts.first.flatMap { Int($0) } ?? 30 }

    private var mayGoOn: Bool { !isCancelled() && lastSound.duration(to: .now) < .seconds(patience) }

    /// Takes bytes of the body. Returns `false` where they are damaged.
    private func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // Not before they are taken, which may take its time.
        defer { lastSound = .now }
        guard !hasBegun else { return pass(bytes) }
        start += bytes
        if start.count > 1 { begin() }
        return !isDamaged
    }

    /// Sends the head, and what came of the body.
    private func begin() {
        hasBegun = true
        let isGzip = head.isGzip(start)
        if isGzip { gzip = GzipStream() }
        send(WorkerFrame.bytes(.head, head.texts(isGzip: isGzip)) ?? [])
        _ = start.withUnsafeBytes(pass)
    }

    private func pass(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let sendBody = { [send] (bytes: UnsafeRawBufferPointer) in
            if !bytes.isEmpty { send(WorkerFrame.header(.body, count: bytes.count) + bytes) }
        }
        if let gzip { isDamaged = !gzip.decode(bytes, sendBody) } else { sendBody(bytes) }
        return !isDamaged
    }
}

/// Decodes gzip with zlib, which libcurl brings along.
private final class GzipStream {
    private let zlib: ForeignLibrary
    /// A `z_stream`: where the input is and how much, the same of the output from the fourth on, and zlib's own.
    private let stream = UnsafeMutablePointer<Int>.allocate(capacity: 14)
    private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
    /// Whether its end has come.
    private(set) var isOver = false

    init?() {
        guard let zlib = ForeignLibrary("libz.so.1") else { return nil }
        self.zlib = zlib
        stream.initialize(repeating: 0, count: 14)
        // 16 more bits of the window than there are mean gzip.
        "1".withCString { version in
            _ = zlib.call(
                "inflateInit2_", Int(bitPattern: stream), 31, Int(bitPattern: version),
                14 * MemoryLayout<Int>.size)
        }
    }

    deinit {
        zlib.call("inflateEnd", Int(bitPattern: stream))
        stream.deallocate()
        output.deallocate()
    }

    /// Passes on what `bytes` are decoded. Returns `false` where they are damaged; what follows the end is ignored.
    func decode(_ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
        (stream[0], stream[1]) = (Int(bitPattern: bytes.baseAddress), bytes.count)
        repeat {
            (stream[3], stream[4]) = (Int(bitPattern: output.baseAddress), output.count)
            let result = zlib.call("inflate", Int(bitPattern: stream), 0).map {
                Int32(truncatingIfNeeded: $0)
            }
            isOver = result == 1
            body(UnsafeRawBufferPointer(rebasing: output[..<(output.count - stream[4])]))
            // -5 asks for more input.
            guard let result, [0, 1, -5].contains(result) else { return false }
        } while !isOver && stream[4] == 0
        return true
    }
}

/// A library of the system's, whose functions take up to four numbers or pointers and return one: these are in
/// registers, whatever their kinds.
private struct ForeignLibrary {
    private typealias Function = @convention(c) (Int, Int, Int, Int) -> Int

    private let library: UnsafeMutableRawPointer

    /// `nil` where it is not installed.
    init?(_ name: String) {
        guard let library = dlopen(name, RTLD_NOW) else { return nil }
        self.library = library
    }

    /// What a function returns; `nil` where there is none.
    @discardableResult
    func call(_ name: String, _ first: Int = 0, _ second: Int = 0, _ third: Int = 0, _ fourth: Int = 0)
        -> Int?
    {
        dlsym(library, name).map { unsafeBitCast($0, to: Function.self)(first, second, third, fourth) }
    }
}
