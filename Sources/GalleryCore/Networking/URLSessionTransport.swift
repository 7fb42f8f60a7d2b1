import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Receives one line for each request sent and each reply, with secrets blanked.
public typealias RequestLog = @Sendable (String) -> Void

/// HTTP over URLSession: the only file that uses it.
///
/// Measured on Linux with Swift 6.3.1, and handled here:
/// - Delegate callbacks run inline, so that a sink that blocks in write(2) holds back libcurl and thereby
///   the sender. On another queue bodies pile up in memory without bound.
/// - Inside a callback `cancel`, `resume`, and creating a task deadlock; they happen on `control`.
/// - The idle timer runs while a task waits for a connection, so no more tasks run than there are.
/// - URLSession forwards every header to a redirect's host and resolves `Location` wrongly, so it never
///   follows one; ``TransferState`` asks for a new request instead.
/// - An unanswered `WWW-Authenticate: Basic` hangs forever, so challenges are cancelled.
/// - `cancel` can take seconds under load, so a cancelled caller does not wait for it.
public final class URLSessionTransport: HTTPTransport {
    private struct Line {
        var waiting: [Transfer] = []
        var next = 0
        var running = 0
    }

    private let connections: Int
    private let log: RequestLog?
    private let delegate: SessionDelegate
    private let session: Mutex<URLSession?> = Mutex(nil)
    private let line = Mutex(Line())
    private let control = DispatchQueue(label: "gallery.transport.control")
    private let endings = DispatchQueue(label: "gallery.transport.endings")

    /// Creates a transport with at most `connections` requests on the wire, from 1; later ones wait in order.
    public init(connections: Int = 6, log: RequestLog? = nil) {
        self.connections = max(1, connections)
        self.log = log
        delegate = SessionDelegate(log: log)
    }

    deinit {
        session.withLock { $0?.finishTasksAndInvalidate() }
    }

    /// Sends over the session; see ``HTTPTransport/send(_:idleTimeout:to:)``.
    public func send(
        _ request: HTTPRequest, idleTimeout: Int, to sink: some BodySink
    ) async throws(TransportError) -> HTTPHead {
        let scheme = request.url.scheme?.lowercased()
        guard scheme == "http" || scheme == "https", request.url.host?.isEmpty == false else {
            throw .malformed(host: Redaction.host(of: request), reason: "the address is not a web address")
        }
        let transfer = Transfer(request, idleTimeout: idleTimeout, sink: sink)
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                transfer.await(waiter)
                line.withLock { $0.waiting.append(transfer) }
                control.async { self.startWaiting() }
            }
        } onCancel: {
            // Not here: a transfer's lock is held while its sink writes.
            endings.async {
                transfer.end(.failure(.cancelled))
                self.delegate.cancel(transfer, on: self.control)
            }
        }
        return try outcome.get()
    }

    /// On `control`: fills the connections from the queue, in order.
    private func startWaiting() {
        while let transfer = takeWaiting() { start(transfer) }
    }

    private func takeWaiting() -> Transfer? {
        line.withLock { line in
            guard line.running < connections, line.next < line.waiting.count else { return nil }
            let transfer = line.waiting[line.next]
            line.next += 1
            line.running += 1
            if line.next > 64, line.next * 2 > line.waiting.count {
                line.waiting.removeFirst(line.next)
                line.next = 0
            }
            return transfer
        }
    }

    /// On `control`.
    private func start(_ transfer: Transfer) {
        guard let request = transfer.request else { return leave() }
        log?("GET \(Redaction.address(of: request))")
        let task = openSession().dataTask(with: request.urlRequest(idleTimeout: transfer.idleTimeout))
        delegate.register(transfer, for: task) { isToSendAgain in
            self.control.async {
                if isToSendAgain { self.start(transfer) } else { self.leave() }
            }
        }
        task.resume()
        // The caller may have left since the request was read.
        if transfer.request == nil { task.cancel() }
    }

    private func leave() {
        line.withLock { $0.running -= 1 }
        startWaiting()
    }

    /// Created at the first request, so that a run without any does not pay for it.
    private func openSession() -> URLSession {
        session.withLock { session in
            if let session { return session }
            let configuration = URLSessionConfiguration.ephemeral
            configuration.urlCache = nil
            configuration.httpCookieStorage = nil
            configuration.httpShouldSetCookies = false
            configuration.httpCookieAcceptPolicy = .never
            configuration.urlCredentialStorage = nil
            configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
            configuration.httpMaximumConnectionsPerHost = connections
            let made = URLSession(
                configuration: configuration, delegate: delegate, delegateQueue: InlineQueue.make())
            session = made
            return made
        }
    }
}

/// Runs each block immediately, on the thread that adds it.
// Unchecked since `OperationQueue` is, and a subclass must repeat it. The proof: it has no stored property,
// and the one method overridden uses none of the superclass's.
private final class InlineQueue: OperationQueue, @unchecked Sendable {  // Safe: it has no state of its own.
    #if canImport(FoundationNetworking)
        override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
    #endif

    static func make() -> OperationQueue {
        let queue = InlineQueue()
        queue.maxConcurrentOperationCount = 1
        return queue
    }
}

/// Passes URLSession's callbacks to the transfer they concern.
private final class SessionDelegate: NSObject, URLSessionDataDelegate {
    private struct Running {
        let transfer: Transfer
        let task: URLSessionTask
        /// Called once, with whether the transfer wants another request sent.
        let completion: @Sendable (Bool) -> Void
    }

    private let running = Mutex<[Int: Running]>([:])
    private let control = DispatchQueue(label: "gallery.transport.delegate")
    private let log: RequestLog?

    init(log: RequestLog?) {
        self.log = log
    }

    func register(
        _ transfer: Transfer, for task: URLSessionTask, completion: @escaping @Sendable (Bool) -> Void
    ) {
        running.withLock {
            $0[task.taskIdentifier] = Running(transfer: transfer, task: task, completion: completion)
        }
    }

    func cancel(_ transfer: Transfer, on queue: DispatchQueue) {
        let task = running.withLock { $0.values.first { $0.transfer === transfer }?.task }
        if let task { queue.async { task.cancel() } }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        completionHandler(.allow)  // Linux ignores the answer.
        receive(response, of: dataTask)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard let transfer = running.withLock({ $0[dataTask.taskIdentifier]?.transfer }) else { return }
        if !data.withUnsafeBytes(transfer.receive) { control.async { dataTask.cancel() } }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // It arrives again as the reply of a task that follows nothing, and is logged then.
        receive(response, of: task, isLogged: false)
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if !canImport(FoundationNetworking)
            if challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust {
                return completionHandler(.performDefaultHandling, nil)
            }
        #endif
        // The head goes first: cancelling the challenge ends the task without it.
        if let response = challenge.failureResponse ?? task.response { receive(response, of: task) }
        running.withLock { $0[task.taskIdentifier]?.transfer }?.endAtHead()
        control.async { completionHandler(.cancelAuthenticationChallenge, nil) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let ended = running.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        let failure = error.map { error in
            let error = error as NSError
            return (code: error.code, text: error.localizedDescription)
        }
        ended.completion(ended.transfer.finish(error: failure))
    }

    private func receive(_ response: URLResponse, of task: URLSessionTask, isLogged: Bool = true) {
        guard let transfer = running.withLock({ $0[task.taskIdentifier]?.transfer }),
            let response = response as? HTTPURLResponse
        else { return }
        var headers: [String: String] = [:]
        for case (let name as String, let value as String) in response.allHeaderFields {
            headers[name] = value
        }
        if isLogged, let log, let request = transfer.request {
            log("\(response.statusCode) \(Redaction.address(of: request))")
        }
        if !transfer.receive(status: response.statusCode, headers: headers) {
            control.async { task.cancel() }
        }
    }
}
