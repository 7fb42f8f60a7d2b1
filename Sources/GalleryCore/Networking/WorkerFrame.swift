/// A message between the program and its worker, as bytes: the length of what follows the first nine bytes, a
/// kind, the number of a request, then a payload. Numbers are little-endian.
///
/// The program treats what a worker sends as hostile: replies may do anything to the library that reads them.
enum WorkerFrame: Hashable, Sendable {
    /// The worker is ready.
    case hello
    /// Send this.
    case request(UInt32, CarriedRequest)
    /// End this early.
    case cancel(UInt32)
    /// See ``ReplyReceiver/receive(status:headers:isFinal:)``.
    case head(UInt32, status: Int, headers: [String: String], isFinal: Bool)
    /// Bytes of the body.
    case body(UInt32, [UInt8])
    /// See ``ReplyReceiver/endAtHead()``.
    case headOnly(UInt32)
    /// The request ended, normally or with an error of URLSession's.
    case end(UInt32, code: Int, text: String)

    /// The kind of a frame, as its fifth byte.
    enum Kind: UInt8 {
        case hello = 1
        case request, cancel, head, body, headOnly, end
    }

    /// Bytes that cannot be a frame.
    struct Malformed: Error {}

    /// In bytes.
    static let headerLength = 9
    /// The longest payload, in bytes: more than libcurl takes for a head, and than it passes on at once.
    static let longestPayload = 1 << 20
}

// MARK: - Reading

/// A frame where it lies in a buffer, with its payload still to be read.
struct RawFrame {
    let kind: WorkerFrame.Kind
    let id: UInt32
    let payload: UnsafeRawBufferPointer

    /// In bytes, header included.
    var length: Int { WorkerFrame.headerLength + payload.count }

    /// Creates the frame at the beginning of `bytes`; `nil` where it is not complete yet.
    init?(in bytes: UnsafeRawBufferPointer) throws(WorkerFrame.Malformed) {
        guard bytes.count >= WorkerFrame.headerLength else { return nil }
        let count = Int(UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)))
        guard let kind = WorkerFrame.Kind(rawValue: bytes[4]), count <= WorkerFrame.longestPayload else {
            throw WorkerFrame.Malformed()
        }
        guard bytes.count - WorkerFrame.headerLength >= count else { return nil }
        self.kind = kind
        id = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 5, as: UInt32.self))
        payload = UnsafeRawBufferPointer(
            rebasing: bytes[WorkerFrame.headerLength..<WorkerFrame.headerLength + count])
    }
}

extension WorkerFrame {
    /// Reads the payload of `frame`, all of it.
    init(_ frame: RawFrame) throws(Malformed) {
        var payload = Payload(frame.payload)
        switch frame.kind {
        case .hello: self = .hello
        case .cancel: self = .cancel(frame.id)
        case .headOnly: self = .headOnly(frame.id)
        case .body: self = .body(frame.id, [UInt8](payload.rest()))
        case .request:
            let idleTimeout = try payload.number()
            let address = try payload.text()
            let headers = try payload.fields()
            self = .request(
                frame.id, CarriedRequest(address: address, headers: headers, idleTimeout: idleTimeout))
        case .head:
            let status = try payload.number()
            let isFinal = try payload.number() != 0
            guard (100...999).contains(status) else { throw Malformed() }
            self = .head(frame.id, status: status, headers: try payload.fields(), isFinal: isFinal)
        case .end:
            let code = try payload.number()
            self = .end(frame.id, code: code, text: try payload.text())
        }
        guard payload.isEmpty else { throw Malformed() }
    }

    /// Reads a payload from its beginning; every length in it is checked against what is there.
    private struct Payload {
        private var bytes: UnsafeRawBufferPointer

        init(_ bytes: UnsafeRawBufferPointer) {
            self.bytes = bytes
        }

        var isEmpty: Bool { bytes.isEmpty }

        mutating func rest() -> UnsafeRawBufferPointer { take(bytes.count) }

        mutating func number() throws(Malformed) -> Int {
            guard bytes.count >= 4 else { throw Malformed() }
            return Int(Int32(littleEndian: take(4).loadUnaligned(as: Int32.self)))
        }

        mutating func text() throws(Malformed) -> String {
            let count = try number()
            guard count >= 0, count <= bytes.count else { throw Malformed() }
            return String(decoding: take(count), as: UTF8.self)
        }

        mutating func fields() throws(Malformed) -> [String: String] {
            let count = try number()
            // Each takes eight bytes at least.
            guard count >= 0, count <= bytes.count / 8 else { throw Malformed() }
            var fields: [String: String] = [:]
            for _ in 0..<count {
                let name = try text()
                fields[name] = try text()
            }
            return fields
        }

        private mutating func take(_ count: Int) -> UnsafeRawBufferPointer {
            defer { bytes = UnsafeRawBufferPointer(rebasing: bytes[count...]) }
            return UnsafeRawBufferPointer(rebasing: bytes[..<count])
        }
    }
}

// MARK: - Writing

extension WorkerFrame {
    /// The frame as bytes; `nil` where its payload would be too long.
    var bytes: [UInt8]? {
        var payload: [UInt8] = []
        let (kind, id): (Kind, UInt32)
        switch self {
        case .hello: (kind, id) = (.hello, 0)
        case .cancel(let number): (kind, id) = (.cancel, number)
        case .headOnly(let number): (kind, id) = (.headOnly, number)
        case .body(let number, let bytes):
            (kind, id) = (.body, number)
            payload = bytes
        case .request(let number, let request):
            (kind, id) = (.request, number)
            payload.append(number: request.idleTimeout)
            payload.append(text: request.address)
            payload.append(fields: request.headers)
        case .head(let number, let status, let headers, let isFinal):
            (kind, id) = (.head, number)
            payload.append(number: status)
            payload.append(number: isFinal ? 1 : 0)
            payload.append(fields: headers)
        case .end(let number, let code, let text):
            (kind, id) = (.end, number)
            payload.append(number: code)
            payload.append(text: text)
        }
        guard payload.count <= Self.longestPayload else { return nil }
        return Self.header(kind, id, count: payload.count) + payload
    }

    /// The first bytes of a frame whose payload, of `count` bytes, follows from elsewhere.
    static func header(_ kind: Kind, _ id: UInt32, count: Int) -> [UInt8] {
        var header: [UInt8] = []
        header.reserveCapacity(headerLength)
        header.append(number: count)
        header.append(kind.rawValue)
        header.append(number: Int(Int32(bitPattern: id)))
        return header
    }
}

extension [UInt8] {
    /// Clamped to 32 bits.
    fileprivate mutating func append(number: Int) {
        Swift.withUnsafeBytes(of: Int32(clamping: number).littleEndian) { append(contentsOf: $0) }
    }

    fileprivate mutating func append(text: String) {
        var text = text
        text.withUTF8 { utf8 in
            append(number: utf8.count)
            append(contentsOf: utf8)
        }
    }

    fileprivate mutating func append(fields: [String: String]) {
        append(number: fields.count)
        for (name, value) in fields {
            append(text: name)
            append(text: value)
        }
    }
}
