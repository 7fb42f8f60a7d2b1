import Foundation

/// The request for a file, sent as often as it takes.
struct FileRequest: Sendable {
    var source: HTTPRequest
    let downloader: Downloader
    /// Called before each wait, with the request that it is for.
    var willWait: @Sendable (HTTPRequest, Duration, DownloadError) -> Void = { _, _, _ in }

    struct Failure: FailedTry {
        enum Kind {
            case fault
            /// The reply did not fit the part, or the two together are not a picture: start over.
            case mismatch
            /// Another try is of no use, whatever the cause is otherwise.
            case final
            /// It was none: the host asked to wait before, or the process that carried it ended.
            case unsent
        }

        let cause: DownloadError
        /// The length of what is here of the file, in bytes.
        var length: Int64 = 0
        var kind = Kind.fault
        var asked: HTTPRequest?

        var isPassing: Bool { kind != .final && cause.isPassing }
        var transportError: TransportError? { cause.transportError }
        var secondsAsked: Int? { cause.secondsAsked }
        var isRefusal: Bool { secondsAsked != nil }
    }

    private var host: String { Redaction.host(of: source) }

    // MARK: - Tries

    /// What comes of `attempt`, made as often as it takes; it takes whether it may resume earlier bytes.
    func run<Value>(
        _ attempt: (_ mayResume: Bool) async throws(Failure) -> Value
    ) async throws(DownloadError) -> Value {
        var tries = Tries(
            of: source, retries: downloader.configuration.retries, downloader.paces, downloader.timekeeper)
        var mayResume = true
        do throws(Failure) {
            return try await tries.run { () async throws(Failure) -> Value? in
                do throws(Failure) {
                    return try await attempt(mayResume)
                } catch {
                    switch error.kind {
                    case .unsent: return nil
                    case .mismatch where mayResume:
                        mayResume = false
                        return nil
                    case .mismatch:
                        // It did not fit a request for the whole file either.
                        throw Failure(cause: error.cause, kind: .final)
                    case .fault, .final:
                        mayResume = true
                        throw error
                    }
                }
            } wait: { delay, failure async throws(Failure) in
                willWait(failure.asked ?? source, delay, failure.cause)
                do { try await downloader.timekeeper.sleep(delay) } catch { throw Failure(cause: .cancelled) }
            }
        } catch {
            throw error.cause
        }
    }

    /// Returns when the host may be asked, which one file's failure decides for all.
    func waitForHost() async throws(Failure) {
        do {
            try await downloader.paces.waitOutPause(of: WebOrigin(source.url)) { pause in
                willWait(
                    source, pause.remaining,
                    .refused(
                        host: host, status: pause.status, seconds: Int(pause.remaining.components.seconds)))
            }
        } catch .closed(let pause) {
            throw Failure(
                cause: .refused(host: host, status: pause.status, seconds: pause.seconds), kind: .final)
        } catch {
            throw Failure(cause: .cancelled)
        }
    }

    // MARK: - One try

    func onDisk<Value: Sendable>(
        _ work: @escaping @Sendable () throws(DownloadError) -> Value
    ) async throws(Failure) -> Value {
        do { return try await Disk.run(work) } catch { throw Failure(cause: error) }
    }

    /// Sends the request, and returns how many bytes of the file were already here. `slots` is entered when the host
    /// takes another request, since a slow host must not hold up others; `willWait` is called before a wait for it.
    func receive(
        into sink: FileSink, slots: AsyncSemaphore? = nil, willWait: () -> Void = {}
    ) async throws(Failure) -> Int64 {
        var request = source
        request.headers.merge(sink.conditions) { _, ours in ours }
        // The address may be another one by now, and of another host.
        var asked = FileRequest(source: source, downloader: downloader, willWait: self.willWait)
        do throws(Failure) {
            let outcome: Result<HTTPHead, TransportError>
            do throws(HostPaces.Refusal) {
                outcome = try await downloader.transport.deliver(request, to: sink) {
                    (request) async throws(HostPaces.Refusal) in
                    asked.source = request
                    return try await downloader.paces.send(
                        request, idleTimeout: max(1, downloader.configuration.idleTimeout),
                        over: downloader.transport, to: sink, in: slots, willWait: willWait)
                }
            } catch {
                // The next try looks for pauses at the first address only.
                if case .paused = error, WebOrigin(asked.source.url) != WebOrigin(source.url) {
                    try await asked.waitForHost()
                }
                throw failure(error, sink)
            }
            return try asked.received(outcome, sink)
        } catch {
            var failure = error
            failure.asked = asked.source
            throw failure
        }
    }

    private func failure(_ refusal: HostPaces.Refusal, _ sink: FileSink) -> Failure {
        switch refusal {
        case .paused, .closed: return Failure(cause: .cancelled, length: sink.length, kind: .unsent)
        case .down(let error): return Failure(cause: DownloadError(error), length: sink.length, kind: .final)
        case .cancelled: return Failure(cause: .cancelled, length: sink.length)
        }
    }

    private func received(
        _ outcome: Result<HTTPHead, TransportError>, _ sink: FileSink
    ) throws(Failure) -> Int64 {
        try check(outcome, sink)
        switch sink.decision {
        case .append, .complete: return sink.offer?.length ?? 0
        case .startOver: return 0
        case .refuse(let status):
            let seconds = sink.head?.secondsAsked(now: downloader.timekeeper.date())
            throw Failure(cause: .refused(host: host, status: status, seconds: seconds), length: sink.length)
        case .discard, nil: throw Failure(cause: .incomplete(host: host, reason: "it sent no head"))
        }
    }

    private func check(_ outcome: Result<HTTPHead, TransportError>, _ sink: FileSink) throws(Failure) {
        guard case .failure(let error) = outcome else { return }
        switch error {
        case .rejected(let reason) where reason is FileSink.Mismatch:
            let cause = DownloadError.incomplete(
                host: host, reason: "it answered for other bytes than were asked for")
            throw Failure(cause: cause, kind: .mismatch)
        // The body of an error is too long to read, and its status is enough.
        case .rejected(let reason) where reason is FileSink.TooMuch: return
        case .cancelled, .proxy: break
        // The body of an error may be cut short.
        case _ where sink.isRefusal: return
        case .interrupted: throw Failure(cause: .cancelled, length: sink.length, kind: .unsent)
        default: break
        }
        throw Failure(cause: DownloadError(error), length: sink.length)
    }
}
