import Foundation

/// Splits a connection's bytes into requests.
struct RequestReader {
    private let socket: ClientSocket
    private var buffer = Data()

    init(_ socket: ClientSocket) {
        self.socket = socket
    }

    /// The next request; `nil` if there are no more, or the bytes are not HTTP.
    mutating func next() -> LocalRequest? {
        let blankLine = Data("\r\n\r\n".utf8)
        while buffer.range(of: blankLine) == nil {
            guard buffer.count < 1_000_000, receive() else { return nil }
        }
        guard let end = buffer.range(of: blankLine) else { return nil }
        let lines = String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
            .split(separator: "\r\n", omittingEmptySubsequences: false)
        let start = lines[0].split(separator: " ")
        guard start.count == 3 else { return nil }
        var headers: LocalHeaders = [:]
        for line in lines.dropFirst() {
            let name = line.prefix { $0 != ":" }
            headers.add(String(name), line.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces))
        }
        buffer = Data(buffer[end.upperBound...])
        guard let body = take(headers["Content-Length"].flatMap(Int.init) ?? 0) else { return nil }
        return LocalRequest(
            method: String(start[0]), target: String(start[1]), headers: headers, body: body,
            isVersion11: start[2] == "HTTP/1.1")
    }

    private mutating func take(_ count: Int) -> Data? {
        while buffer.count < count {
            guard receive() else { return nil }
        }
        defer { buffer = Data(buffer.dropFirst(count)) }
        return buffer.prefix(count)
    }

    private mutating func receive() -> Bool {
        guard let bytes = socket.read() else { return false }
        buffer += bytes
        return true
    }
}
