import Foundation
import Synchronization

/// One transfer, between the task that waits for it and the transport's threads.
///
/// The lock is held while the sink works: whoever ends the transfer knows that the sink is not running
/// and will not run again, so its file may be closed.
final class Transfer: Sendable {
    typealias Outcome = Result<HTTPHead, TransportError>

    private struct Shared {
        var state: TransferState
        var waiter: CheckedContinuation<Outcome, Never>?
        var outcome: Outcome?
        /// Released at the end, which may come long before URLSession releases the transfer.
        var sink: (any BodySink)?

        /// Decides the outcome if it is still open; returns the one that counts.
        mutating func settle(_ outcome: Outcome) -> Outcome {
            if let decided = self.outcome { return decided }
            self.outcome = outcome
            sink = nil
            return outcome
        }
    }

    private let shared: Mutex<Shared>
    /// In seconds, from 1.
    let idleTimeout: Int

    init(_ request: HTTPRequest, idleTimeout: Int, sink: any BodySink) {
        self.idleTimeout = max(1, idleTimeout)
        let state = TransferState(request: request, idleTimeout: idleTimeout)
        shared = Mutex(Shared(state: state, sink: sink))
    }

    /// What to send now; `nil` once the transfer is over.
    var request: HTTPRequest? { shared.withLock { $0.outcome == nil ? $0.state.request : nil } }

    /// Passes the outcome to `waiter`, at once where it is known.
    func await(_ waiter: CheckedContinuation<Outcome, Never>) {
        let outcome = shared.withLock { shared in
            if shared.outcome == nil { shared.waiter = waiter }
            return shared.outcome
        }
        if let outcome { waiter.resume(returning: outcome) }
    }

    /// Ends the transfer and resumes its waiter; only the first outcome counts.
    func end(_ outcome: Outcome) {
        let (waiter, outcome) = shared.withLock { shared in
            defer { shared.waiter = nil }
            return (shared.waiter, shared.settle(outcome))
        }
        waiter?.resume(returning: outcome)
    }

    /// A head arrived. Returns `false` where the request on the wire is to be cancelled.
    func receive(status: Int, headers: [String: String]) -> Bool {
        pass { shared, sink in
            if let head = shared.state.receive(status: status, headers: headers) { try sink.begin(head) }
        }
    }

    /// Bytes arrived. Returns `false` where the request on the wire is to be cancelled.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        pass { shared, sink in
            if let head = shared.state.release() { try sink.begin(head) }
            if shared.state.receive(count: bytes.count) { try sink.receive(bytes) }
        }
    }

    /// No body will follow: a challenge to log in is not answered.
    func endAtHead() {
        _ = pass { shared, sink in if let head = shared.state.release() { try sink.begin(head) } }
        if let head = shared.withLock({ $0.state.head }) { end(.success(head)) }
    }

    /// The request on the wire ended. Returns whether another is to be sent, for a redirect.
    func finish(error failure: CarrierFailure?) -> Bool {
        _ = pass { shared, sink in
            if let head = shared.state.release(before: failure) { try sink.begin(head) }
        }
        let next = shared.withLock { shared in
            shared.outcome.map(TransferState.Next.end) ?? shared.state.finish(error: failure)
        }
        guard case .end(let outcome) = next else { return true }
        end(outcome)
        return false
    }

    private func pass(_ body: (inout Shared, any BodySink) throws -> Void) -> Bool {
        shared.withLock { shared in
            // It is over, and whoever ended it has taken care of the request.
            guard let sink = shared.sink else { return true }
            do {
                try body(&shared, sink)
                return true
            } catch {
                // The waiter resumes once the request has ended, so that the next one has the wire to itself.
                _ = shared.settle(.failure(.rejected(error)))
                return false
            }
        }
    }
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
    mutating func release(before failure: CarrierFailure?) -> HTTPHead? {
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

    /// The request on the wire ended.
    mutating func finish(error failure: CarrierFailure?) -> Next {
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

    private func error(for failure: CarrierFailure) -> TransportError {
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

/// The proxy that the environment names, which libcurl uses by itself.
enum Proxy {
    /// What libcurl's `text` says of the proxy; `nil` where it is not about one.
    ///
    /// - Parameter host: The host of `url` as a message may name it.
    static func error(text: String, for url: URL, host: String) -> TransportError? {
        if let match = text.prefixMatch(of: /CONNECT tunnel failed, response (\d+)/) {
            return refusal(by: self.host(for: url) ?? "", of: host, status: Int(match.1) ?? 0)
        }
        if let match = text.prefixMatch(of: /Could not resolve proxy: (\S+)/) {
            return .proxy(
                host: PlainText.excerpt(String(match.1)),
                reason: "could not be reached: there is no such host",
                isPassing: true)
        }
        // It names what it tried to reach: where that is not the host, it is the proxy.
        guard let match = text.prefixMatch(of: /Failed to connect to (\S+) port (\d+)/) else { return nil }
        let (name, port) = (String(match.1), Int(match.2))
        guard name != url.host || port != WebOrigin(url).port, self.host(for: url) != nil else { return nil }
        return .proxy(
            host: PlainText.excerpt("\(name):\(match.2)"),
            reason: "could not be reached: the connection was refused", isPassing: true)
    }

    /// The error of a proxy that answered a request for `host` with `status`.
    static func refusal(by proxy: String, of host: String, status: Int) -> TransportError {
        let reason =
            status == 407
            ? "asks for a name and a password (status 407)"
            : "refused to connect to '\(host)' (status \(status))"
        return .proxy(host: proxy, reason: reason, isPassing: RetryPolicy.isPassing(status: status))
    }

    /// The proxy for addresses such as `url`, as host and port, without a password; `nil` where none is set, or
    /// `no_proxy` exempts the host.
    static func host(
        for url: URL, environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String? {
        let scheme = url.scheme?.lowercased() ?? ""
        // Not `HTTP_PROXY`, which a web server's caller may have set.
        let names =
            ["\(scheme)_proxy"] + (scheme == "https" ? ["HTTPS_PROXY"] : []) + ["all_proxy", "ALL_PROXY"]
        let exempt = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
        guard let text = names.lazy.compactMap({ environment[$0] }).first(where: { !$0.isEmpty }),
            !isExempt(url.host?.lowercased() ?? "", by: exempt.lowercased())
        else { return nil }
        let proxy = URL(string: text.contains("://") ? text : "http://" + text)
        guard let name = proxy?.host else { return PlainText.excerpt("") }
        return PlainText.excerpt(name + (proxy?.port.map { ":\($0)" } ?? ""))
    }

    /// Whether libcurl sends requests to `host` past the proxy: `list` names it, or a domain or a network in which
    /// it is, or is `*`.
    private static func isExempt(_ host: String, by list: String) -> Bool {
        guard list != "*" else { return true }
        return list.split(whereSeparator: { ", \t".contains($0) }).contains { entry in
            let network = entry.split(separator: "/")
            if network.count == 2, let address = number(host), let base = number(network[0]),
                let bits = Int(network[1]), (0...32).contains(bits)
            {
                return (address ^ base) >> UInt64(32 - bits) == 0
            }
            let name = entry.hasPrefix(".") ? entry.dropFirst() : entry
            return !name.isEmpty && (host == name || host.hasSuffix("." + name))
        }
    }

    /// The number that an IPv4 address is.
    private static func number(_ address: some StringProtocol) -> UInt64? {
        let parts = address.split(separator: ".", omittingEmptySubsequences: false).compactMap { UInt8($0) }
        return parts.count == 4 ? parts.reduce(0) { $0 << 8 | UInt64($1) } : nil
    }
}
