import Foundation
import Synchronization

/// Brings files to disk, several at once, each whole or not under its name at all.
public struct Downloader: Sendable {
    /// How a downloader works.
    public struct Configuration: Sendable {
        /// Files at once, from 1.
        public var jobs = 6
        /// Seconds without a byte after which a transfer is given up, from 1.
        public var idleTimeout = 30
        /// Further tries after a passing fault, from 0.
        public var retries = 4
        /// Whether a file that is there is fetched anew.
        public var overwrites = false
        /// Whether a file is left out where one before it in the batch, or one in the folder's record, has
        /// its very bytes. What stood in the folder before stays in any case.
        public var leavesOutCopies = false
        /// How much of a file one request brings; less, for tests.
        var segments = SegmentPlan.standard

        /// The defaults.
        public init() {}
    }

    /// Items that wait for their host, settle, or whose end nobody has taken in yet.
    private static let itemsAhead = 512
    /// The same where each holds its part open until all before it are done.
    private static let itemsAheadInTurn = 96

    private let tools: DownloadBatch.Tools
    private let jobs: Int

    /// A downloader that sends through `transport`.
    ///
    /// - Parameters:
    ///   - pauses: hosts that asked to be left alone, shared with everyone else who sends.
    ///   - timekeeper: time and chance, for tests.
    public init(
        transport: any HTTPTransport, configuration: Configuration = Configuration(),
        pauses: HostPauses? = nil, timekeeper: Timekeeper = .system
    ) {
        jobs = max(1, configuration.jobs)
        tools = DownloadBatch.Tools(
            transport: transport, idleTimeout: max(1, configuration.idleTimeout),
            overwrites: configuration.overwrites, leavesOutCopies: configuration.leavesOutCopies,
            segments: configuration.segments,
            retryPolicy: RetryPolicy(retries: configuration.retries),
            timekeeper: timekeeper, pauses: pauses ?? HostPauses(timekeeper: timekeeper))
    }

    /// Fetches `items` into `folder`, creating it where missing.
    ///
    /// Nothing happens until the stream is iterated; ending the iteration cancels
    /// what runs and keeps the parts. Names of `items` differ from each other.
    public func fetch(_ items: [DownloadItem], into folder: URL) -> AsyncStream<DownloadEvent> {
        fetch(ListedItems(items: items), into: folder)
    }

    /// Fetches `items` as they become known; of any number, only a few are held at a time.
    public func fetch<Items: AsyncSequence & Sendable>(
        _ items: Items, into folder: URL
    ) -> AsyncStream<DownloadEvent> where Items.Element == DownloadItem, Items.Failure == Never {
        let open = AsyncSemaphore(jobs + (tools.leavesOutCopies ? Self.itemsAheadInTurn : Self.itemsAhead))
        let run = Run { [tools, jobs] emit in
            await DownloadBatch.run(items, into: folder, jobs: jobs, tools: tools, open: open, emit: emit)
        }
        return AsyncStream {
            let event = await run.next()
            switch event {
            case .finished, .leftOut, .failed: open.leave()
            case .started, .progress, .waiting, nil: break
            }
            return event
        } onCancel: {
            run.cancel()
        }
    }
}

/// A batch that begins with the first look at its events, and ends when nobody can look any more.
private final class Run: Sendable {
    typealias Work = @Sendable (_ emit: @escaping @Sendable (DownloadEvent) -> Void) async -> Void

    private enum State {
        case idle(Work)
        case running(Task<Void, Never>)
        case over
    }

    private let state: Mutex<State>
    private let events = AsyncStream<DownloadEvent>.makeStream()

    init(work: @escaping Work) {
        state = Mutex(.idle(work))
    }

    deinit { cancel() }

    func next() async -> DownloadEvent? {
        let continuation = events.continuation
        state.withLock { state in
            guard case .idle(let work) = state else { return }
            // Holds the continuation and not the run, which would never end then.
            state = .running(
                Task {
                    await work { continuation.yield($0) }
                    continuation.finish()
                })
        }
        var iterator = events.stream.makeAsyncIterator()
        return await iterator.next()
    }

    func cancel() {
        state.withLock { state in
            if case .running(let task) = state { task.cancel() }
            state = .over
        }
    }
}

/// A list as a sequence of its elements over time.
private struct ListedItems: AsyncSequence, Sendable {
    typealias Element = DownloadItem
    typealias Failure = Never

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: IndexingIterator<[DownloadItem]>

        mutating func next(isolation actor: isolated (any Actor)?) async -> DownloadItem? { rest.next() }
        mutating func next() async -> DownloadItem? { rest.next() }
    }

    let items: [DownloadItem]

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: items.makeIterator()) }
}
