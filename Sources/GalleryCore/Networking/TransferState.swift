import Foundation

/// The reason why a request on the wire ended without its whole reply.
enum RequestFailure: Hashable, Sendable {
    /// An error of URLSession's. Untrusted text.
    case session(code: Int, text: String)
    /// The reply ended its worker.
    case unreadable
    /// The worker that carried the request ended for another reason.
    case interrupted
    /// No worker could be started, or they ended again and again.
    case noWorker
}

/// The state of one transfer, redirects included: a value, so that every order of events can be tested.
struct TransferState {
    /// What to do when a request of the transfer has ended.
    enum Next {
        /// A redirect: send what ``TransferState/request`` now holds.
        case sendAgain
        /// The transfer is over.
        case end(Result<HTTPHead, TransportError>)
    }

    /// What is on the wire now.
    private(set) var request: HTTPRequest
    let idleTimeout: Int
    private var hops = 0
    private var location: String?
    /// The final head, once it has arrived.
    private(set) var head: HTTPHead?
    /// A refusal that may be the proxy's, as long as nothing has followed it.
    private var held: HTTPHead?
    private var received: Int64 = 0

    init(request: HTTPRequest, idleTimeout: Int) {
        self.request = request
        self.idleTimeout = max(1, idleTimeout)
    }

    /// A head arrived. Returns it where the sink should see it; a redirect stays here.
    ///
    /// The head's address is the one without secrets, not the one that URLSession sent.
    mutating func receive(status: Int, headers: [String: String]) -> HTTPHead? {
        // An interim reply, such as 103 with hints: RFC 9110, 15.2.
        guard status >= 200 else { return nil }
        let candidate = HTTPHead(status: status, url: request.url, headers: headers)
        // Without a target that is an address it is a reply like any other, known by its status.
        if RedirectPolicy.isRedirect(status: status), let target = candidate["Location"],
            RedirectPolicy.resolve(target, against: request.url) != nil
        {
            location = target
            return nil
        }
        guard head == nil, held == nil else { return nil }
        held = candidate
        let mayBeProxys =
            status >= 400 && request.url.scheme?.lowercased() == "https"
            && Proxy.host(for: request.url) != nil
        return mayBeProxys ? nil : release()
    }

    /// The head that was held back, which turns out to be the host's.
    mutating func release() -> HTTPHead? {
        defer { held = nil }
        head = head ?? held
        return held
    }

    /// The same at the end of the request, unless `failure` says that the proxy did not connect to the host.
    mutating func release(before failure: RequestFailure?) -> HTTPHead? {
        if case .session(_, let text)? = failure, Proxy.error(text: text, for: request.url, host: host) != nil
        {
            return nil
        }
        return release()
    }

    /// Bytes arrived. Returns whether they are for the sink rather than a redirect's.
    mutating func receive(count: Int) -> Bool {
        guard head != nil else { return false }
        received += Int64(count)
        return true
    }

    /// Forgets a reply of which nothing has been passed on. Returns `false` where something has.
    mutating func startOver() -> Bool {
        held = nil
        return head == nil && location == nil
    }

    /// The request on the wire ended.
    mutating func finish(error failure: RequestFailure?) -> Next {
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
        if let failure { return .end(.failure(error(for: failure))) }
        if head?.status == 407, let proxy = Proxy.host(for: request.url) {
            return .end(.failure(Proxy.refusal(by: proxy, of: host, status: 407)))
        }
        guard let head else {
            return .end(.failure(.malformed(host: host, reason: "its answer has no usable head")))
        }
        if let expected = bodyLength, expected != received {
            return .end(.failure(.cutShort(host: host, received: received, expected: expected)))
        }
        return .end(.success(head))
    }

    private var host: String { Redaction.host(of: request) }

    /// The length the body must have; `nil` where none was announced, or only that of compressed bytes.
    private var bodyLength: Int64? {
        guard let head, ![204, 304].contains(head.status), !head.isEncoded else { return nil }
        return head.contentLength
    }

    private func error(for failure: RequestFailure) -> TransportError {
        switch failure {
        case .session(let code, let text): error(code: code, text: text)
        // With a head it was a trailer; without one the host may have been cut off in the middle of it.
        case .unreadable: .unreadable(host: host, isPassing: head == nil)
        case .interrupted: .interrupted(host: host)
        case .noWorker:
            .unreachable(host: host, reason: "no process could be started to send the request")
        }
    }

    private func error(code: Int, text: String) -> TransportError {
        if let error = Proxy.error(text: text, for: request.url, host: host) { return error }
        switch code {
        case -999: return .cancelled
        case -1001: return .timedOut(host: host, seconds: idleTimeout)
        case -1003, -1006: return .unreachable(host: host, reason: "there is no such host")
        case -1004: return .unreachable(host: host, reason: "the connection was refused")
        case -1000 where host.contains(":"):
            return .malformed(host: host, reason: "URLSession on Linux knows no IPv6 address; use a name")
        case -1000: return .malformed(host: host, reason: "the address is not valid")
        case -1005, -1011: return .cutShort(host: host, received: received, expected: bodyLength)
        case -1009: return .unreachable(host: host, reason: "there is no network")
        case -1002: return .malformed(host: host, reason: "it does not speak HTTP")
        case -1: return unknownError(text)
        default: return .malformed(host: host, reason: text.isEmpty ? "error \(code)" : excerpt(text))
        }
    }

    /// URLSession's "unknown", of which libcurl's text says more.
    private func unknownError(_ text: String) -> TransportError {
        // Neither a line nor all of them together may be longer than libcurl likes.
        if head == nil, text.contains("header") || text == "Out of memory" { return .badHeader(host: host) }
        // Where the connection ended, libcurl says so; otherwise it could not decompress what arrived.
        if head?.isEncoded == true, !text.contains("closed") {
            return .malformed(host: host, reason: "its compressed answer is damaged")
        }
        // Once there is a head, it is a body cut short, by length or by chunk.
        if head != nil { return .cutShort(host: host, received: received, expected: bodyLength) }
        // Any failed connection that was not refused.
        if text.contains("onnect") {
            let isCrowded = text.contains("open files")
            return .unreachable(
                host: host, reason: isCrowded ? "too many files are open" : "no connection could be made")
        }
        return .malformed(host: host, reason: text.isEmpty ? "error -1" : excerpt(text))
    }

    private func excerpt(_ text: String) -> String { PlainText.excerpt(text, limit: 200) }
}
