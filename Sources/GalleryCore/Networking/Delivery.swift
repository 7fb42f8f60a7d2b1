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

/// What a transfer has brought and passed on so far, redirects included: a value, to test every order of events.
struct Delivery: Sendable {
    let transfer: Transfer
    private let log: RequestLog?
    /// What is on the wire now.
    private(set) var request: HTTPRequest
    private var hops = 0
    private var cookies = ChainCookies()
    /// Whether the request is one for ``PlainRequest``.
    var isPlain = false
    private var location: String?
    private var head: HTTPHead?
    /// A head that may be the proxy's, of an unreadable body, or of a check for browsers, until enough has followed.
    private var held: HTTPHead?
    /// What has arrived of its body.
    private var front: [UInt8] = []
    private var received: Int64 = 0
    /// Whether a name has no address, which URLSession does not tell from one that could not be looked up. This blocks.
    var isUnknown: @Sendable (String) -> Bool = System.isUnknown
    /// Why there is no more to pass on: the sink's own error, or that nothing waits for it anymore.
    private var refusal: TransportError?

    init(_ transfer: Transfer, log: RequestLog? = nil) {
        (self.transfer, self.log) = (transfer, log)
        request = transfer.request
    }

    var isWanted: Bool { refusal == nil && transfer.isWanted }

    /// The frame of the request to send now; `nil` where it is too long.
    mutating func nextRequest() -> [UInt8]? {
        log?("GET \(Redaction.address(of: request))")
        var request = request
        cookies.add(to: &request)
        return WorkerFrame.bytes(
            isPlain ? .plain : .request,
            ["\(transfer.idleTimeout)", request.addressWithSecrets.absoluteString]
                + request.fieldsWithSecrets.flatMap { [$0, $1] })
    }

    /// A head arrived, of the address without secrets, not of the one that URLSession sent. A redirect stays here.
    mutating func receive(status: Int, headers: [String: String]) {
        // An interim reply, such as 103 with hints: RFC 9110, 15.2. And a redirect's head may come twice.
        guard status >= 200, location == nil, held == nil, head == nil else { return }
        log?("\(status) \(Redaction.address(of: request))")
        let candidate = HTTPHead(status: status, url: request.url, headers: headers)
        // Without a target that is an address it is a reply like any other, known by its status.
        if RedirectPolicy.isRedirect(status: status), let target = candidate["Location"],
            RedirectPolicy.resolve(target, against: request.url) != nil
        {
            location = target
            cookies.take(candidate["Set-Cookie"], from: request.url)
            return
        }
        if BrowserCheck.isTold(by: candidate) { return refuse(.browsersOnly(host: host)) }
        held = candidate
        let mayBeProxys =
            status >= 400 && request.url.scheme?.lowercased() == "https"
            && Proxy.host(for: request.url) != nil
        if !mayBeProxys, isPlain || !candidate.isEncoded, !BrowserCheck.mayFollow(candidate) { release() }
    }

    /// Bytes of a body arrived; those of a redirect are dropped.
    mutating func receive(_ bytes: UnsafeRawBufferPointer) {
        guard head != nil || held != nil else { return }
        received += Int64(bytes.count)
        if let held, BrowserCheck.mayFollow(held) {
            front += bytes
            if BrowserCheck.isTold(by: front) { return refuse(.browsersOnly(host: host)) }
            if front.count >= BrowserCheck.bytesNeeded { release() }
            return
        }
        release()
        pass { try $0.receive(bytes) }
    }

    /// Passes on the head that was held back, which turns out to be the host's, and what has followed it.
    private mutating func release() {
        guard let new = held.take() else { return }
        head = new
        pass { try $0.begin(new) }
        let bytes = front
        front = []
        if !bytes.isEmpty { pass { sink in try bytes.withUnsafeBytes { try sink.receive($0) } } }
    }

    private mutating func pass(_ body: (any BodySink) throws -> Void) {
        guard refusal == nil else { return }
        do { try transfer.pass(body) } catch { refuse(error) }
    }

    private mutating func refuse(_ error: TransportError) {
        refusal = refusal ?? error
        transfer.cancelRequest()
    }

    /// Forgets a reply of which nothing has been passed on. Returns `false` where something has.
    mutating func startOver() -> Bool {
        (held, front, received) = (nil, [], head == nil ? 0 : received)
        return head == nil && location == nil
    }

    /// The request on the wire ended. Returns what comes of the transfer; `nil` where ``nextRequest()`` is to be sent.
    mutating func finish(_ failure: RequestFailure?) -> Transfer.Outcome? {
        let error = failure.map { self.error($0) }
        switch error {
        case .badHeader?, .malformed(_, TransportError.damagedEncoding)?:
            guard refusal == nil, !isPlain, startOver() else { break }
            isPlain = true
            return nil
        default: break
        }
        // A head that was held back is the proxy's own where that did not connect to the host.
        if failure.flatMap(proxyError) == nil { release() }
        if let refusal { return .failure(refusal) }
        if let location = location.take() {
            do throws(TransportError) {
                request = try RedirectPolicy.follow(location, from: request, hops: hops)
                hops += 1
                guard cookies.mayAsk(request.url) else {
                    throw .redirect(host: host, reason: "it wants a cookie, and its own does not help")
                }
                return nil
            } catch {
                return .failure(error)
            }
        }
        if let error { return .failure(error) }
        if head?.status == 407, let proxy = Proxy.host(for: request.url) {
            return .failure(Proxy.refusal(by: proxy, of: host, status: 407))
        }
        guard let head else {
            return .failure(.malformed(host: host, reason: "its answer has no usable head"))
        }
        if let expected = bodyLength, expected != received {
            return .failure(.cutShort(host: host, received: received, expected: expected))
        }
        return .success(head)
    }

    private var host: String { Redaction.host(of: request) }

    /// The length the body must have; `nil` where none was announced, or only that of compressed bytes.
    private var bodyLength: Int64? {
        guard let head = head ?? held, ![204, 304].contains(head.status), !head.isEncoded else { return nil }
        return head.contentLength
    }

    private func error(_ failure: RequestFailure) -> TransportError {
        switch failure {
        case .session(let code, let text): proxyError(failure) ?? error(code: code, text: text)
        // With a head it was a trailer; without one the host may have been cut off in the middle of it.
        case .unreadable: .unreadable(host: host, isPassing: (head ?? held) == nil)
        case .interrupted: .interrupted(host: host)
        case .noWorker: .unreachable(host: host, reason: "no process could be started to send the request")
        }
    }

    private func proxyError(_ failure: RequestFailure) -> TransportError? {
        guard case .session(_, let text) = failure else { return nil }
        return Proxy.error(text: text, for: request.url, host: host)
    }

    private func error(code: Int, text: String) -> TransportError {
        switch code {
        case -999: return .cancelled
        case -1001: return .timedOut(host: host, seconds: transfer.idleTimeout)
        // The same for a name that has no address and for one that nobody could look up.
        case -1003, -1006:
            let isUnknown = isUnknown(request.url.host ?? "")
            return .unreachable(
                host: host, reason: isUnknown ? TransportError.noSuchHost : "its name could not be looked up")
        case -1004: return .unreachable(host: host, reason: "the connection was refused")
        case -1000 where host.contains(":"):
            return .malformed(host: host, reason: "URLSession on Linux knows no IPv6 address; use a name")
        case -1000: return .malformed(host: host, reason: "the address is not valid")
        case -1005, -1011: return .cutShort(host: host, received: received, expected: bodyLength)
        case -1009, -1018, -1020: return .unreachable(host: host, reason: "there is no network")
        case -1002: return .malformed(host: host, reason: "it does not speak HTTP")
        case -1: return unknownError(text)
        // The rest is macOS's, whose texts are in the user's language.
        case -1015, -1016: return .malformed(host: host, reason: TransportError.damagedEncoding)
        case -1017: return .unreadable(host: host, isPassing: (head ?? held) == nil)
        case -1022: return .malformed(host: host, reason: "macOS allows no connection without encryption")
        case -1200: return .unreachable(host: host, reason: "no secure connection could be made")
        case -1204 ... -1201: return .malformed(host: host, reason: "its certificate cannot be trusted")
        case -1206, -1205: return .malformed(host: host, reason: "it wants a certificate of yours")
        case 306...311:
            return .proxy(
                host: Proxy.host(for: request.url) ?? "", reason: "could not be reached", isPassing: true)
        default: return .malformed(host: host, reason: text.isEmpty ? "error \(code)" : excerpt(text))
        }
    }

    /// URLSession's "unknown", of which libcurl's text says more.
    private func unknownError(_ text: String) -> TransportError {
        let head = head ?? held
        // Neither a line nor all of them together may be longer than libcurl likes.
        if head == nil, text.contains("header") || text == "Out of memory" { return .badHeader(host: host) }
        // Where the connection ended, libcurl says so; otherwise it could not decompress what arrived.
        if head?.isEncoded == true, !text.contains("closed") {
            return .malformed(host: host, reason: TransportError.damagedEncoding)
        }
        // Once there is a head, it is a body cut short, by length or by chunk; and a head may be cut off itself.
        if head != nil || text.contains("transfer closed") {
            return .cutShort(host: host, received: received, expected: bodyLength)
        }
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
