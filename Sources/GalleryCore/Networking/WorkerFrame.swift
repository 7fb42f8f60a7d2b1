import Foundation

/// A message between the program and a worker, as bytes: the length of its payload in four bytes, the lowest
/// first, its kind, and the payload, which is texts with a zero byte between them, or bytes of a body.
///
/// The program treats what a worker sends as hostile: replies may do anything to the library that reads them.
struct WorkerFrame {
    enum Kind: UInt8 {
        case hello = 1
        /// Send this: seconds until the request has timed out, its address, names and values of its fields.
        case request
        /// End the request early.
        case cancel
        /// A head arrived: its status, names and values of its fields.
        case head
        case body
        /// The request ended: with 0, or with the code of an error of URLSession's and its text.
        case end
        /// Send this without URLSession; texts as of a request.
        case plain
    }

    /// Bytes that cannot be a frame, or the end of them.
    struct Unreadable: Error {}

    /// The longest payload, in bytes: more than libcurl takes for a head, and than it passes on at once.
    static let longestPayload = 1 << 20
    fileprivate static let headerLength = 5

    let kind: Kind
    /// Where it lies in the reader's buffer, until the next frame is read.
    let payload: UnsafeRawBufferPointer

    /// The frame at the beginning of `bytes`; `nil` where it is not complete yet.
    init?(in bytes: UnsafeRawBufferPointer) throws(Unreadable) {
        guard bytes.count >= Self.headerLength else { return nil }
        let count = Int(UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)))
        guard let kind = Kind(rawValue: bytes[4]), count <= Self.longestPayload else { throw Unreadable() }
        guard bytes.count - Self.headerLength >= count else { return nil }
        self.kind = kind
        payload = UnsafeRawBufferPointer(rebasing: bytes[Self.headerLength..<Self.headerLength + count])
    }

    var texts: [String] {
        payload.split(separator: 0, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// Names and values, as ``texts`` has them one after the other; `nil` where one has no value.
    static func fields(_ texts: ArraySlice<String>) -> [String: String]? {
        guard texts.count.isMultiple(of: 2) else { return nil }
        let names = stride(from: texts.startIndex, to: texts.endIndex, by: 2)
        return Dictionary(names.map { (texts[$0], texts[$0 + 1]) }, uniquingKeysWith: { first, _ in first })
    }

    /// A frame as bytes; `nil` where its payload would be too long.
    static func bytes(_ kind: Kind, _ texts: [String] = []) -> [UInt8]? {
        let texts = texts.map { $0.utf8.contains(0) ? $0.filter { $0 != "\0" } : $0 }
        let payload = Array(texts.joined(separator: "\0").utf8)
        return payload.count <= longestPayload ? header(kind, count: payload.count) + payload : nil
    }

    static let cancel = header(.cancel, count: 0)

    /// The first bytes of a frame whose payload, of `count` bytes, follows from elsewhere.
    static func header(_ kind: Kind, count: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt32(count).littleEndian) { Array($0) } + [kind.rawValue]
    }
}

/// Reads the frames that come from a socket, in one thread.
final class FrameReader {
    private let socket: Int32
    private let buffer = UnsafeMutableRawBufferPointer.allocate(
        byteCount: WorkerFrame.longestPayload + 65_536, alignment: 16)
    private var unread = 0..<0

    init(_ socket: Int32) { self.socket = socket }

    deinit { buffer.deallocate() }

    /// Whether nothing has come after the last frame, not even the end.
    var isQuiet: Bool {
        var byte: UInt8 = 0
        return unread.isEmpty && recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) < 0
    }

    /// The next frame; `nil` where nothing comes for as long as the socket waits.
    func next() throws(WorkerFrame.Unreadable) -> WorkerFrame? {
        while true {
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[unread])
            if let frame = try WorkerFrame(in: bytes) {
                unread = unread.dropFirst(WorkerFrame.headerLength + frame.payload.count)
                return frame
            }
            if unread.lowerBound > 0 { buffer.copyMemory(from: bytes) }
            unread = 0..<bytes.count
            let count = SystemCall.retrying {
                read(socket, buffer.baseAddress.map { $0 + bytes.count }, buffer.count - bytes.count)
            }
            if count < 0, errno == EAGAIN { return nil }
            guard count > 0 else { throw WorkerFrame.Unreadable() }
            unread = 0..<bytes.count + count
        }
    }
}

enum WorkerSocket {
    /// In bytes; the system may grant less.
    private static let bufferSize: Int32 = 1 << 20

    /// Two connected sockets, which no program started meanwhile inherits.
    static func pair() -> (ours: Descriptor, theirs: Descriptor)? {
        guard let ends = System.socketPair() else { return nil }
        for end in ends {
            var size = bufferSize
            setsockopt(end.number, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        return (ends[0], ends[1])
    }

    /// Makes a read fail with `EAGAIN` where nothing comes for `duration`.
    static func limitWaiting(at socket: Int32, to duration: Duration) {
        let (seconds, attoseconds) = duration.components
        var limit = timeval()
        limit.tv_sec = .init(seconds)
        limit.tv_usec = .init(attoseconds / 1_000_000_000_000)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Writes all of `bytes`, or ends the connection rather than wait for room if `atOnce`. Where that fails, the other
    /// end has gone, which who reads from it sees as well.
    static func send(_ bytes: [UInt8], to socket: Int32, atOnce: Bool = false) {
        let flags = System.noSignal | (atOnce ? Int32(MSG_DONTWAIT) : 0)
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { rest in
                SystemCall.retrying { Foundation.send(socket, rest.baseAddress, rest.count, flags) }
            }
            guard count > 0 else {
                if atOnce { _ = shutdown(socket, Int32(SHUT_RDWR)) }
                return
            }
            rest = rest.dropFirst(count)
        }
    }
}
