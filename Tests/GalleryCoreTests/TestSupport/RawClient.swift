import Foundation

/// What came back over a connection, and how it ended.
struct Received: Equatable {
    enum Ending { case closed, reset, stillOpen }

    var bytes = Data()
    var ending = Ending.stillOpen

    var text: String { String(decoding: bytes, as: UTF8.self) }
    /// The status line's number.
    var status: Int? { Int(text.dropFirst(9).prefix(3)) }
    /// What follows the blank line.
    var body: Data {
        bytes.range(of: Data("\r\n\r\n".utf8)).map { Data(bytes[$0.upperBound...]) } ?? Data()
    }

    func header(_ name: String) -> String? {
        text.split(separator: "\r\n").first { $0.hasPrefix("\(name): ") }.map {
            String($0.dropFirst(name.count + 2))
        }
    }
}

/// A client that knows no HTTP: bytes out, bytes in, and the way it ended.
///
/// Each call runs on a thread of its own, since reading blocks.
final class RawClient: Sendable {
    private let number: Int32

    /// Connects; fails as `connect` does, with the errno.
    init(port: Int) throws {
        #if canImport(Glibc)
            number = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #else
            number = socket(AF_INET, SOCK_STREAM, 0)
            var isOn: Int32 = 1
            setsockopt(number, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result != 0 { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    deinit { close(number) }

    private var noSignal: Int32 {
        #if canImport(Glibc)
            Int32(MSG_NOSIGNAL)
        #else
            0
        #endif
    }

    /// Sends a request for this path with these extra header lines.
    func ask(_ path: String, _ lines: String..., method: String = "GET") {
        let head = (["\(method) \(path) HTTP/1.1", "Host: localhost"] + lines).joined(separator: "\r\n")
        let bytes = Data("\(head)\r\n\r\n".utf8)
        _ = bytes.withUnsafeBytes { send(number, $0.baseAddress, $0.count, noSignal) }
    }

    /// Everything until the server ends the connection.
    func readToEnd() async -> Received { await read { _ in false } }

    /// At least this many bytes of body.
    func read(bodyBytes count: Int) async -> Received {
        await read { $0.bytes.range(of: Data("\r\n\r\n".utf8)) != nil && $0.body.count >= count }
    }

    private func read(until isEnough: @escaping @Sendable (Received) -> Bool) async -> Received {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [self] in
                var received = Received()
                var buffer = [UInt8](repeating: 0, count: 65536)
                while received.ending == .stillOpen, !isEnough(received) {
                    let count = recv(number, &buffer, buffer.count, 0)
                    if count > 0 { received.bytes += buffer[..<count] }
                    if count == 0 { received.ending = .closed }
                    if count < 0 { received.ending = .reset }
                }
                continuation.resume(returning: received)
            }
        }
    }
}

/// One request over a connection of its own, read to its end.
func exchange(
    with server: Int, _ path: String = "/", _ lines: String..., method: String = "GET"
) async throws -> Received {
    let client = try RawClient(port: server)
    client.ask(path, (lines + ["Connection: close"]).joined(separator: "\r\n"), method: method)
    return await client.readToEnd()
}
