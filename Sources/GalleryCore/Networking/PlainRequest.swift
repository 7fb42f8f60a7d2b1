import Foundation

#if os(Linux)
    /// A request that libcurl sends without URLSession, which on Linux refuses replies that others read: those without a
    /// reason phrase, with text that is not UTF-8, or with an encoding that nobody knows.
    ///
    /// It is sent where URLSession has refused one. What comes of it are the frames of any other request.
    final class PlainRequest {
        private typealias Pointer = UnsafeMutableRawPointer
        private typealias Receiver = @Sendable @convention(c) (Pointer?, Int, Int, Pointer?) -> Int
        private typealias Watch = @Sendable @convention(c) (Pointer?, Int64, Int64, Int64, Int64) -> Int32

        /// Texts of a frame.
        private let texts: [String]
        private let send: ([UInt8]) -> Void
        private let isCancelled: () -> Bool
        private var head = PlainHead()
        /// What has arrived of the body before it was known what it is.
        private var start: [UInt8] = []
        private var hasBegun = false
        private var gzip: GzipStream?
        private var isDamaged = false

        init(_ texts: [String], send: @escaping ([UInt8]) -> Void, isCancelled: @escaping () -> Bool) {
            (self.texts, self.send, self.isCancelled) = (texts, send, isCancelled)
        }

        /// Sends the request and returns once its last frame has been sent.
        func run() {
            let (code, text) = withExtendedLifetime(self) { perform() }
            if code == 0, !hasBegun, head.isComplete { begin() }
            let isCut = isDamaged || code == 0 && gzip?.isOver == false
            let end = isCut ? ["-1015", ""] : ["\(code)", text]
            send(WorkerFrame.bytes(.end, end) ?? [])
        }

        // MARK: - libcurl

        /// How it ended, as an error of URLSession's.
        private func perform() -> (code: Int, text: String) {
            typealias Set = @convention(c) (Pointer, Int32, Int) -> Int32
            guard texts.count > 1, let library = dlopen("libcurl.so.4", RTLD_NOW) else { return (-1000, "") }
            func function<Function>(_ name: String, _ type: Function.Type) -> Function? {
                dlsym(library, name).map { unsafeBitCast($0, to: type) }
            }
            guard let easy = function("curl_easy_init", (@convention(c) () -> Pointer?).self)?(),
                let cleanup = function("curl_easy_cleanup", (@convention(c) (Pointer) -> Void).self),
                let set = function("curl_easy_setopt", Set.self),
                let perform = function("curl_easy_perform", (@convention(c) (Pointer) -> Int32).self),
                let text = function(
                    "curl_easy_strerror", (@convention(c) (Int32) -> UnsafePointer<CChar>?).self),
                let append = function(
                    "curl_slist_append", (@convention(c) (Pointer?, UnsafePointer<CChar>) -> Pointer?).self),
                let free = function("curl_slist_free_all", (@convention(c) (Pointer?) -> Void).self)
            else { return (-1000, "") }
            defer { cleanup(easy) }
            let fields = WorkerFrame.fields(texts.dropFirst(2)) ?? [:]
            let list = fields.reduce(Pointer?.none) { append($0, "\($1.key): \($1.value)") }
            defer { free(list) }
            let me = Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())
            let seconds = Int(texts[0]) ?? 30
            // By the numbers of curl/curl.h: time limits, the fields, no signals, no head of a proxy's.
            var options = [(20, seconds), (19, 1), (78, seconds), (10_023, Int(bitPattern: list)), (99, 1), (265, 1)]
            // Lines of heads, pieces of bodies, and once a second whether to go on.
            options += [(20_079, unsafeBitCast(Self.onLine, to: Int.self)), (10_029, me)]
            options += [(20_011, unsafeBitCast(Self.onBytes, to: Int.self)), (10_001, me)]
            options += [(20_219, unsafeBitCast(Self.onProgress, to: Int.self)), (10_057, me), (43, 0)]
            for (option, value) in options { _ = set(easy, Int32(option), value) }
            _ = texts[1].withCString { set(easy, 10_002, Int(bitPattern: $0)) }
            let result = perform(easy)
            guard result != 0 else { return (0, "") }
            return (Self.codes[result] ?? -1, text(result).map { String(cString: $0) } ?? "")
        }

        /// What URLSession calls libcurl's errors; the others are -1.
        private static let codes: [Int32: Int] = [
            6: -1003, 7: -1004, 8: -1002, 18: -1005, 28: -1001, 42: -999, 52: -1011, 55: -1005, 56: -1005,
        ]

        private static let onLine: Receiver = { bytes, _, count, me in
            guard let request = PlainRequest.request(me) else { return 0 }
            request.head.take(UnsafeRawBufferPointer(start: bytes, count: count))
            return count
        }

        private static let onBytes: Receiver = { bytes, _, count, me in
            guard let request = PlainRequest.request(me), let bytes else { return 0 }
            // Anything but the count ends the request.
            return request.receive(UnsafeRawBufferPointer(start: bytes, count: count)) ? count : -1
        }

        private static let onProgress: Watch = { me, _, _, _, _ in
            PlainRequest.request(me)?.isCancelled() == false ? 0 : 1
        }

        private static func request(_ me: Pointer?) -> PlainRequest? {
            me.map { Unmanaged<PlainRequest>.fromOpaque($0).takeUnretainedValue() }
        }

        // MARK: - The reply

        /// Takes bytes of the body. Returns `false` where they are damaged.
        private func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
            guard !hasBegun else { return pass(bytes) }
            start += bytes
            guard start.count > 1 else { return true }
            begin()
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
            guard let gzip else {
                sendBody(bytes)
                return true
            }
            isDamaged = !gzip.decode(bytes, sendBody)
            return !isDamaged
        }

        private func sendBody(_ bytes: UnsafeRawBufferPointer) {
            guard !bytes.isEmpty else { return }
            send(WorkerFrame.header(.body, count: bytes.count) + bytes)
        }
    }

    /// Decodes gzip, with zlib, which libcurl brings along.
    final class GzipStream {
        /// zlib's `z_stream`.
        private struct Stream {
            var input: UnsafePointer<UInt8>?
            var inputCount: UInt32 = 0
            var inputTotal = 0
            var output: UnsafeMutablePointer<UInt8>?
            var outputCount: UInt32 = 0
            var outputTotal = 0
            var (message, state, allocate, free, opaque) = (0, 0, 0, 0, 0)
            var kind: Int32 = 0
            var (check, reserved) = (0, 0)
        }

        private typealias Decode = @convention(c) (UnsafeMutableRawPointer, Int32) -> Int32
        private typealias End = @convention(c) (UnsafeMutableRawPointer) -> Int32
        private typealias Begin =
            @convention(c) (UnsafeMutableRawPointer, Int32, UnsafePointer<CChar>, Int32) -> Int32

        /// Where zlib finds it again.
        private let stream = UnsafeMutablePointer<Stream>.allocate(capacity: 1)
        private let decode: Decode
        private let end: End
        private let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 65_536)
        /// Whether its end has come.
        private(set) var isOver = false

        /// `nil` where there is no zlib.
        init?() {
            guard let library = dlopen("libz.so.1", RTLD_NOW), let begin = dlsym(library, "inflateInit2_"),
                let decode = dlsym(library, "inflate"), let end = dlsym(library, "inflateEnd")
            else { return nil }
            self.decode = unsafeBitCast(decode, to: Decode.self)
            self.end = unsafeBitCast(end, to: End.self)
            stream.initialize(to: Stream())
            // 16 more bits of the window than there are mean gzip.
            let size = Int32(MemoryLayout<Stream>.size)
            guard unsafeBitCast(begin, to: Begin.self)(stream, 31, "1.2.0", size) == 0 else { return nil }
        }

        deinit {
            _ = end(stream)
            stream.deallocate()
            buffer.deallocate()
        }

        /// Passes on what `bytes` are decoded. Returns `false` where they are damaged; what follows the end is ignored.
        func decode(_ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
            stream.pointee.input = bytes.bindMemory(to: UInt8.self).baseAddress
            stream.pointee.inputCount = UInt32(clamping: bytes.count)
            while !isOver {
                stream.pointee.output = buffer.baseAddress
                stream.pointee.outputCount = UInt32(buffer.count)
                let result = decode(stream, 0)
                isOver = result == 1
                let count = buffer.count - Int(stream.pointee.outputCount)
                body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]))
                // -5 asks for more input.
                guard result == 0 || result == 1 || result == -5 else { return false }
                if stream.pointee.outputCount > 0 { break }
            }
            return true
        }
    }
#endif
