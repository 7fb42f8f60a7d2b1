import Foundation

/// Where one transfer stands, redirects included: a value, so that each order of events can be tested.
struct TransferState {
    /// What follows when a request of the transfer has ended.
    enum Next {
        /// A redirect: send the request that ``TransferState/request`` now is.
        case sendAgain
        /// It is over.
        case end(Result<HTTPHead, TransportError>)
    }

    /// What stands on the wire now.
    private(set) var request: HTTPRequest
    let idleTimeout: Int
    private var hops = 0
    private var location: String?
    /// The final head, once it has come.
    private(set) var head: HTTPHead?
    private var received: Int64 = 0

    init(request: HTTPRequest, idleTimeout: Int) {
        self.request = request
        self.idleTimeout = max(1, idleTimeout)
    }

    /// A head came; gives it back where the sink should see it, and keeps a redirect to itself.
    ///
    /// The address in the head is the one without secrets, not the one that URLSession sent.
    mutating func receive(status: Int, headers: [String: String]) -> HTTPHead? {
        // Not the answer yet, such as 103 with hints: RFC 9110, 15.2.
        guard status >= 200 else { return nil }
        let candidate = HTTPHead(status: status, url: request.url, headers: headers)
        if RedirectPolicy.isRedirect(status: status), let target = candidate["Location"] {
            location = target
            return nil
        }
        guard head == nil else { return nil }
        head = candidate
        return candidate
    }

    /// Bytes came; whether they are for the sink and not a redirect's.
    mutating func receive(count: Int) -> Bool {
        guard head != nil else { return false }
        received += Int64(count)
        return true
    }

    /// The request on the wire ended, well or with an error of URLSession's.
    mutating func finish(error: (code: Int, text: String)?) -> Next {
        if let location {
            self.location = nil
            switch RedirectPolicy.decide(request, location: location, hops: hops) {
            case .follow(let next):
                hops += 1
                request = next
                return .sendAgain
            case .refuse(let reason):
                return .end(.failure(.redirect(host: host, reason: reason)))
            }
        }
        if let error { return .end(.failure(failure(code: error.code, text: error.text))) }
        guard let head else {
            return .end(.failure(.malformed(host: host, reason: "its answer has no usable head")))
        }
        if let expected = bodyLength, expected != received {
            return .end(.failure(.cutShort(host: host, received: received, expected: expected)))
        }
        return .end(.success(head))
    }

    private var host: String { Redaction.host(of: request) }

    /// How long the body must be; `nil` where nothing was announced, or it was for compressed bytes.
    private var bodyLength: Int64? {
        guard let head, ![204, 304].contains(head.status), !head.isEncoded else { return nil }
        return head.contentLength
    }

    private func failure(code: Int, text: String) -> TransportError {
        let reason = PlainText.excerpt(text, limit: 200)
        switch code {
        case -999: return .cancelled
        case -1001: return .timedOut(host: host, seconds: idleTimeout)
        case -1003, -1006: return .unreachable(host: host, reason: "there is no such host")
        case -1004: return .unreachable(host: host, reason: "the connection was refused")
        case -1000 where host.contains(":"):
            return .malformed(host: host, reason: "URLSession on Linux knows no IPv6 address; use a name")
        case -1000: return .malformed(host: host, reason: "the address is not valid")
        case -1005, -1011: return .cutShort(host: host, received: received, expected: bodyLength)
        // Where the connection ended, libcurl says so; else it could not decompress what came.
        case -1 where head?.isEncoded == true && !text.contains("closed"):
            return .malformed(host: host, reason: "its compressed answer is damaged")
        case -1009: return .unreachable(host: host, reason: "there is no network")
        // libcurl's "unknown" is any failed connection but a refused one: no route, too many open files.
        case -1 where head == nil && text.contains("onnect"):
            return .unreachable(host: host, reason: "no connection could be made")
        // Once a head is there, libcurl's "unknown" is a body cut short, by length or by chunk.
        case -1 where head != nil: return .cutShort(host: host, received: received, expected: bodyLength)
        case -1002: return .malformed(host: host, reason: "it does not speak HTTP")
        default: return .malformed(host: host, reason: reason.isEmpty ? "error \(code)" : reason)
        }
    }
}

extension HTTPHead {
    /// Whether the body was compressed for the way, so that `Content-Length` counts other bytes than arrive.
    var isEncoded: Bool {
        guard let coding = self["Content-Encoding"]?.lowercased() else { return false }
        return !coding.isEmpty && coding != "identity"
    }
}
