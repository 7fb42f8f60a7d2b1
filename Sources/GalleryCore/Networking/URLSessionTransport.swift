import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// HTTP over URLSession, in this process.
///
/// On Linux some replies end the whole process, such as one with a trailer; `WorkerTransport` survives those.
public final class URLSessionTransport: HTTPTransport {
    private let queue: TransferQueue

    /// Creates a transport with at most `connections` requests on the wire, from 1; later ones wait in order.
    public init(connections: Int = 6, log: RequestLog? = nil) {
        let connections = max(1, connections)
        queue = TransferQueue(
            URLSessionCarrier(connections: connections), connections: connections, log: log)
    }

    /// Sends over the session; see ``HTTPTransport/send(_:idleTimeout:to:)``.
    public func send(
        _ request: HTTPRequest, idleTimeout: Int, to sink: some BodySink
    ) async throws(TransportError) -> HTTPHead {
        try await queue.send(request, idleTimeout: idleTimeout, to: sink)
    }
}

/// Requests over URLSession: the only code that uses it.
///
/// Measured on Linux with Swift 6.3.1, and handled here:
/// - Delegate callbacks run inline, so that a receiver that blocks in write(2) holds back libcurl and
///   thereby the sender. On another queue bodies pile up in memory without bound.
/// - Inside a callback `cancel`, `resume`, and creating a task deadlock; they happen on other queues.
/// - The idle timer runs while a task waits for a connection, so no more tasks run than there are.
/// - URLSession forwards every header to a redirect's host and resolves `Location` wrongly, so it never
///   follows one; ``TransferState`` asks for a new request instead.
/// - An unanswered `WWW-Authenticate: Basic` hangs forever, so challenges are cancelled.
/// - `cancel` can take seconds under load, so a cancelled caller does not wait for it.
final class URLSessionCarrier: HTTPCarrier {
    private let connections: Int
    private let delegate = SessionDelegate()
    private let session: Mutex<URLSession?> = Mutex(nil)

    /// - Parameter connections: The most requests ever started at once, from 1.
    init(connections: Int) {
        self.connections = connections
    }

    deinit {
        session.withLock { $0?.finishTasksAndInvalidate() }
    }

    /// Starting a task waits for the session, which may be busy with a sink that writes.
    var mayBlock: Bool { true }

    func start(_ request: CarriedRequest, for receiver: any ReplyReceiver) {
        guard let request = request.urlRequest else {
            return receiver.finish(.session(code: -1000, text: ""))
        }
        let task = openSession().dataTask(with: request)
        delegate.register(receiver, for: task)
        task.resume()
    }

    func cancel(_ receiver: any ReplyReceiver) {
        delegate.cancel(receiver)
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
// Its superclass may be used from any thread and is declared in the same way, which a subclass must repeat.
private final class InlineQueue: OperationQueue, @unchecked Sendable {  // Safe: it adds no stored property.
    #if canImport(FoundationNetworking)
        override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
    #endif

    static func make() -> OperationQueue {
        let queue = InlineQueue()
        queue.maxConcurrentOperationCount = 1
        return queue
    }
}

/// Passes URLSession's callbacks to the receiver they concern.
private final class SessionDelegate: NSObject, URLSessionDataDelegate {
    private struct Running {
        let receiver: any ReplyReceiver
        let task: URLSessionTask
        /// Whether a head has been passed on.
        var hasHead = false
    }

    private let running = Mutex<[Int: Running]>([:])
    private let control = DispatchQueue(label: "gallery.session.control")

    func register(_ receiver: any ReplyReceiver, for task: URLSessionTask) {
        running.withLock { $0[task.taskIdentifier] = Running(receiver: receiver, task: task) }
    }

    func cancel(_ receiver: any ReplyReceiver) {
        let task = running.withLock { $0.values.first { $0.receiver === receiver }?.task }
        if let task { control.async { task.cancel() } }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        completionHandler(.allow)  // Linux ignores the answer.
        receive(response, of: dataTask)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard let receiver = receiver(of: dataTask) else { return }
        if !data.withUnsafeBytes(receiver.receive) { control.async { dataTask.cancel() } }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // It arrives again as the reply of a task that follows nothing.
        receive(response, of: task, isFinal: false)
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
        receiver(of: task)?.endAtHead()
        control.async { completionHandler(.cancelAuthenticationChallenge, nil) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        // A redirect whose target URLSession cannot read is not shown as a reply.
        if error == nil, let response = task.response, !hasHead(task) { receive(response, of: task) }
        guard let ended = running.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        ended.receiver.finish(
            error.map { error in
                let error = error as NSError
                return .session(code: error.code, text: error.localizedDescription)
            })
    }

    private func receiver(of task: URLSessionTask) -> (any ReplyReceiver)? {
        running.withLock { $0[task.taskIdentifier]?.receiver }
    }

    private func hasHead(_ task: URLSessionTask) -> Bool {
        running.withLock { $0[task.taskIdentifier]?.hasHead ?? true }
    }

    private func receive(_ response: URLResponse, of task: URLSessionTask, isFinal: Bool = true) {
        let receiver = running.withLock { running in
            running[task.taskIdentifier]?.hasHead = true
            return running[task.taskIdentifier]?.receiver
        }
        guard let receiver, let response = response as? HTTPURLResponse else { return }
        var headers: [String: String] = [:]
        for case (let name as String, let value as String) in response.allHeaderFields {
            headers[name] = value
        }
        if !receiver.receive(status: response.statusCode, headers: headers, isFinal: isFinal) {
            control.async { task.cancel() }
        }
    }
}
