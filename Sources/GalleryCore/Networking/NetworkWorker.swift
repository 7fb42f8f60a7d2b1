import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif
/// The worker's side of ``NetworkWorkers``: sends one request after another and nothing else.
package enum NetworkWorker {
    /// Sends the requests that arrive at `socket` until the program at its other end has gone, then ends the process.
    package static func run(on socket: Int32) -> Never {
        signal(SIGPIPE, SIG_IGN)
        leaveNoCore()
        SessionWorker(Descriptor(socket)).run()
        _exit(0)
    }

    /// A core would hold keys.
    private static func leaveNoCore() {
        typealias Control = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
        // `PR_SET_DUMPABLE`, linux/prctl.h.
        _ = System.function("prctl", as: Control.self)?(4, 0, 0, 0, 0)
    }

    /// Does the same in a thread of this process.
    static func start(on socket: Descriptor) { Thread.detachNewThread { SessionWorker(socket).run() } }
}

/// Requests over URLSession: the only code that uses it.
///
/// Measured on Linux with Swift 6.3.1, and handled here:
/// - Delegate callbacks run inline, so that a socket that takes no more holds back libcurl and thereby the
///   sender. On another queue bodies pile up in memory without bound.
/// - That holds back all requests of a process, so each has a process of its own.
/// - Inside a callback `cancel`, `resume`, and creating a task deadlock; they happen on other threads.
/// - URLSession sends every header to a redirect's host and resolves `Location` wrongly, so ``Delivery`` follows it.
/// - An unanswered `WWW-Authenticate: Basic` hangs forever, so challenges are cancelled.
private final class SessionWorker: NSObject, URLSessionDataDelegate {
    /// What has come of the request under way. There is one at a time.
    private struct Progress {
        var task: URLSessionTask?
        var hasHead = false
        /// Whether it asks to log in, which is not answered: its body does not come.
        var isChallenge = false
        /// Frames that have not been sent. A head waits for what follows it, and a body's last bytes for the end
        /// of the request, so that a small reply wakes the program once.
        var waiting: [UInt8] = []
        /// Bytes of the body to come, as far as the head says. Only a hint: a wrong one costs a moment.
        var missing: Int64?

        mutating func takeWaiting() -> [UInt8] {
            defer { waiting = [] }
            return waiting
        }
    }

    private let socket: Descriptor
    private let reply = Mutex(Progress())
    private let control = DispatchQueue(label: "gallery.session.control")

    init(_ socket: Descriptor) { self.socket = socket }

    func run() {
        // First: where libcurl is missing this ends the process, and the program, left without a worker, says so.
        let session = makeSession()
        send(WorkerFrame.bytes(.hello) ?? [])
        let reader = FrameReader(socket.number)
        while let frame = try? reader.next() {
            switch frame.kind {
            case .plain where PlainRequest(send: send, isWanted: { reader.isQuiet }).run(frame.texts): break
            case .request, .plain: start(frame.texts, in: session)
            // Not here: it waits for URLSession, and the end of the program must be noticed all the same.
            case .cancel:
                let task = reply.withLock { $0.task }
                control.async { task?.cancel() }
            case .hello, .head, .body, .end: break
            }
        }
        _ = shutdown(socket.number, Int32(SHUT_RDWR))
        session.invalidateAndCancel()
    }

    private func makeSession() -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        #if !canImport(FoundationNetworking)
            // libcurl reads the environment by itself.
            configuration.connectionProxyDictionary = Proxy.settings(ProcessInfo.processInfo.environment)
        #endif
        return URLSession(configuration: configuration, delegate: self, delegateQueue: InlineQueue.make())
    }

    private func start(_ texts: [String], in session: URLSession) {
        guard texts.count > 1, let seconds = Double(texts[0]), let url = URL(string: texts[1]) else {
            return send(WorkerFrame.bytes(.end, ["-1000", ""]) ?? [])
        }
        var request = URLRequest(url: url)
        // Not through the initializer, whose value URLSession on Linux ignores.
        request.timeoutInterval = seconds
        for (name, value) in WorkerFrame.fields(texts.dropFirst(2)) ?? [:] {
            request.setValue(value, forHTTPHeaderField: name)
        }
        let task = session.dataTask(with: request)
        reply.withLock { $0 = Progress(task: task) }
        task.resume()
    }

    private func receive(_ response: URLResponse?, isChallenge: Bool = false) {
        guard let response = response as? HTTPURLResponse else { return }
        var texts = ["\(response.statusCode)"]
        for case (let name as String, let value as String) in response.allHeaderFields
        where !isChallenge || name.lowercased() != "content-length" {
            texts += [name, value]
        }
        reply.withLock { [texts] reply in
            reply.hasHead = true
            reply.isChallenge = isChallenge
            reply.missing = response.value(forHTTPHeaderField: "Content-Length").flatMap { Int64($0) }
            reply.waiting += WorkerFrame.bytes(.head, texts) ?? []
        }
    }

    private func send(_ frames: [UInt8]) { WorkerSocket.send(frames, to: socket.number) }

    // MARK: - Callbacks, one at a time

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        completionHandler(.allow)  // Linux ignores the answer.
        receive(response)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let frames = reply.withLock { reply in
            reply.missing = reply.missing.map { $0 - Int64(data.count) }
            for start in stride(from: 0, to: data.count, by: WorkerFrame.longestPayload) {
                let part = data.dropFirst(start).prefix(WorkerFrame.longestPayload)
                reply.waiting += WorkerFrame.header(.body, count: part.count) + part
            }
            return reply.missing == 0 ? [] : reply.takeWaiting()
        }
        send(frames)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // It may arrive again as the reply of a task that follows nothing.
        receive(response)
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if !canImport(FoundationNetworking)
            // A host may ask for a certificate and do without.
            let methods = [NSURLAuthenticationMethodServerTrust, NSURLAuthenticationMethodClientCertificate]
            if methods.contains(challenge.protectionSpace.authenticationMethod) {
                return completionHandler(.performDefaultHandling, nil)
            }
        #endif
        receive(challenge.failureResponse ?? task.response, isChallenge: true)
        control.async { completionHandler(.cancelAuthenticationChallenge, nil) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        // A redirect whose target URLSession cannot read is not shown as a reply.
        if error == nil, !reply.withLock({ $0.hasHead }) { receive(task.response) }
        let (waiting, isChallenge) = reply.withLock { reply in
            reply.task = nil
            return (reply.takeWaiting(), reply.isChallenge)
        }
        let failure = isChallenge ? nil : error.map { $0 as NSError }
        let end = ["\(failure?.code ?? 0)", failure?.localizedDescription ?? ""]
        send(waiting + (WorkerFrame.bytes(.end, end) ?? []))
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
