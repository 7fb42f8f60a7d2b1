import Basics
import Foundation

/// A request that libcurl sends without URLSession, which on Linux refuses replies that others read: those without a
/// reason phrase, with text that is not UTF-8, or with an encoding that nobody knows. It sends the frames of any other.
final class PlainRequest {
    private let send: ([UInt8]) -> Void
    private let isWanted: () -> Bool
    private var handle = 0
    /// What has arrived of the body before it was known what it is.
    private var start: [UInt8] = []
    private var hasBegun = false
    /// Where the body is gzip, a `z_stream`: where the input is and how much, the same of the output from the fourth
    /// on, and zlib's own, which libcurl brings along.
    private var stream: UnsafeMutablePointer<Int>?
    /// What zlib said last: 0 for more, 1 for the end, -5 for no more without input, or that it is damaged.
    private var decoded: Int32 = 0
    private var patience = Duration.zero
    private var lastSound = ContinuousClock.now

    init(send: @escaping ([UInt8]) -> Void, isWanted: @escaping () -> Bool) {
        (self.send, self.isWanted) = (send, isWanted)
    }

    /// Sends the request of a frame with these texts, and returns once its last frame has been sent; `false` where
    /// there is no libcurl that can be called, or one from before 7.83.
    func run(_ texts: [String]) -> Bool {
        guard dlopen("libcurl.so.4", RTLD_NOW | RTLD_GLOBAL) != nil,
            dlsym(nil, "curl_easy_nextheader") != nil,
            texts.count > 1, let seconds = Int(texts[0]), let handle = call("curl_easy_init"), handle != 0
        else { return false }
        (self.handle, patience) = (handle, .seconds(seconds))
        let list = (WorkerFrame.fields(texts.dropFirst(2)) ?? [:]).reduce(0) { list, field in
            "\(field.key): \(field.value)".withCString {
                call("curl_slist_append", list, Int(bitPattern: $0)) ?? list
            }
        }
        var code = texts[1].withCString { perform(Int(bitPattern: $0), list, seconds) }
        if code == 0, !hasBegun { begin() }
        call("curl_easy_cleanup", handle)
        call("curl_slist_free_all", list)
        if let stream {
            if code == 0 || isDamaged, decoded != 1 { code = -1015 }
            call("inflateEnd", Int(bitPattern: stream))
            stream.deallocate()
        }
        send(WorkerFrame.bytes(.end, ["\(code)", ""]) ?? [])
        return true
    }

    /// How it ended, as an error of URLSession's.
    private func perform(_ address: Int, _ list: Int, _ seconds: Int) -> Int {
        let me = Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())
        // By the numbers of curl/curl.h: where to, the fields, how long to connect, no signals, HTTP alone; then who
        // takes pieces of bodies, and is asked each second whether to go on.
        let options = [
            (10_002, address), (10_023, list), (78, seconds), (99, 1), (181, 3),
            (20_011, unsafeBitCast(Self.onBytes, to: Int.self)), (10_001, me),
            (20_219, unsafeBitCast(Self.onProgress, to: Int.self)), (10_057, me), (43, 0),
        ]
        for (option, value) in options { call("curl_easy_setopt", handle, option, value) }
        switch call("curl_easy_perform", handle).map({ Int32(truncatingIfNeeded: $0) }) {
        case 0: return 0
        case 7: return -1004
        case 18, 52, 55, 56: return -1005
        case 28, 42: return isWanted() ? -1001 : -999
        default: return -1
        }
    }

    private static let onBytes:
        @Sendable @convention(c) (UnsafeRawPointer?, Int, Int, UnsafeRawPointer) -> Int = {
            bytes, _, count, me in
            request(me).receive(UnsafeRawBufferPointer(start: bytes, count: count))
            // Anything but the count ends the request.
            return request(me).isDamaged ? -1 : count
        }

    private static let onProgress:
        @Sendable @convention(c) (UnsafeRawPointer, Int64, Int64, Int64, Int64) -> Int32 = { me, _, _, _, _ in
            let request = request(me)
            return request.isWanted() && request.lastSound.duration(to: .now) < request.patience ? 0 : 1
        }

    private static func request(_ me: UnsafeRawPointer) -> PlainRequest {
        Unmanaged<PlainRequest>.fromOpaque(me).takeUnretainedValue()
    }

    private func receive(_ bytes: UnsafeRawBufferPointer) {
        // Not before they are taken, which may take its time.
        defer { lastSound = .now }
        guard !hasBegun else { return pass(bytes) }
        start += bytes
        if start.count > 1 { begin() }
    }

    private func begin() {
        hasBegun = true
        var (head, field) = (PlainHead(), 0)
        // `CURLINFO_RESPONSE_CODE`.
        _ = withUnsafeMutablePointer(to: &head.status) {
            call("curl_easy_getinfo", handle, 0x20_0002, Int(bitPattern: $0))
        }
        // Of the last reply's head: not of a proxy's, an interim one's, or a trailer.
        while let next = call("curl_easy_nextheader", handle, 1, -1, field),
            let texts = UnsafePointer<UnsafePointer<CChar>>(bitPattern: next)
        {
            field = next
            let value = UnsafeRawBufferPointer(start: texts[1], count: strlen(texts[1]))
            head.add(String(cString: texts[0]), Array(value))
        }
        let isGzip = head.isGzip(start)
        if isGzip {
            let stream = UnsafeMutablePointer<Int>.allocate(capacity: 14)
            stream.initialize(repeating: 0, count: 14)
            // 16 more bits of the window than there are mean gzip.
            "1".withCString {
                _ = call("inflateInit2_", Int(bitPattern: stream), 31, Int(bitPattern: $0), 14 * 8)
            }
            self.stream = stream
        }
        send(WorkerFrame.bytes(.head, head.texts(isGzip: isGzip)) ?? [])
        start.withUnsafeBytes(pass)
    }

    private func pass(_ bytes: UnsafeRawBufferPointer) {
        guard let stream else { return send(WorkerFrame.header(.body, count: bytes.count) + bytes) }
        (stream[0], stream[1]) = (Int(bitPattern: bytes.baseAddress), bytes.count)
        repeat {
            let piece = [UInt8](unsafeUninitializedCapacity: 65_536) { room, count in
                (stream[3], stream[4]) = (Int(bitPattern: room.baseAddress), room.count)
                decoded =
                    call("inflate", Int(bitPattern: stream), 0).map { Int32(truncatingIfNeeded: $0) } ?? -2
                count = room.count - stream[4]
            }
            if !piece.isEmpty { send(WorkerFrame.header(.body, count: piece.count) + piece) }
        } while decoded == 0 && stream[4] == 0
    }

    private var isDamaged: Bool { ![0, 1, -5].contains(decoded) }
}

/// What a function of the system's libraries returns that takes up to four numbers or pointers, which are in registers,
/// whatever their kinds; `nil` where there is none of that name.
@discardableResult
private func call(_ name: String, _ arguments: Int...) -> Int? {
    typealias Function = @convention(c) (Int, Int, Int, Int) -> Int
    let all = arguments + [0, 0, 0, 0]
    return System.function(name, as: Function.self)?(all[0], all[1], all[2], all[3])
}
