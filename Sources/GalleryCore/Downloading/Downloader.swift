import Foundation

/// Downloads files, several at once. A file appears under its name only when it is complete.
public struct Downloader: Sendable {
    /// Everything that can be chosen about downloads.
    public struct Configuration: Sendable {
        /// The number of files to transfer at once, from 1.
        public var jobs = 6
        /// Seconds without a byte after which a transfer is given up, from 1.
        public var idleTimeout = 30
        /// How many times to retry temporary failures.
        public var retries = 4
        /// Whether to download files again that already exist.
        public var overwrites = false
        /// Whether to leave out files identical to an earlier one of the batch or manifest. Existing files stay.
        public var skipsDuplicates = false
        /// The most bytes per second of all transfers together; `nil` for no limit.
        public var bytesPerSecond: Int?
        /// How many bytes a file may have, where its host says that before it sends it; `nil` for any.
        public var lengths: ClosedRange<Int64>?
        /// Whether to keep a picture that has its announced length but not its format's end.
        public var acceptsIncomplete = false
        /// Whether to remove files that prove later to be nobody's photos; see ``DownloadEvent/revoked(_:_:_:)``.
        package var takesBack = false
        /// Where each file that is on disk is noted; `nil` for nowhere else than in its folder.
        package var archive: DownloadArchive?

        /// The defaults.
        public init() {}
    }

    let transport: any HTTPTransport
    let configuration: Configuration
    let paces: HostPaces
    let timekeeper: Timekeeper
    let bandwidth: BandwidthLimit?

    /// A downloader over `transport`. All that sends requests shares `paces`; `timekeeper` is for tests.
    package init(
        transport: any HTTPTransport, configuration: Configuration = Configuration(),
        paces: HostPaces? = nil, timekeeper: Timekeeper = .system
    ) {
        (self.transport, self.configuration) = (transport, configuration)
        self.paces = paces ?? HostPaces(timekeeper: timekeeper)
        self.timekeeper = timekeeper
        bandwidth = configuration.bytesPerSecond.map { BandwidthLimit(rate: max(1, $0)) }
    }

    var jobs: Int {
        let jobs = OpenFileLimit.jobs(max(1, configuration.jobs), limit: System.openFileLimit)
        return bandwidth?.jobs(jobs, idleTimeout: configuration.idleTimeout) ?? jobs
    }

    /// Downloads `items` into `folder`, which is created if it is missing.
    ///
    /// Iterating starts the transfers; ending it cancels them and keeps their parts. Names of items must be unique.
    package func fetch(_ items: [DownloadItem], into folder: TargetFolder) -> AsyncStream<DownloadEvent> {
        let list = AsyncStream<DownloadItem> { rest in
            for item in items { rest.yield(item) }
            rest.finish()
        }
        return fetch(list, into: folder)
    }

    /// Downloads `items` as they become known. Only a few are in memory at a time.
    package func fetch<Items: AsyncSequence & Sendable>(
        _ items: Items, into folder: TargetFolder
    ) -> AsyncStream<DownloadEvent> where Items.Element == DownloadItem, Items.Failure == Never {
        let open = AsyncSemaphore(DownloadBatch.openItems(configuration))
        let begun = AsyncSemaphore(0)
        let (events, continuation) = AsyncStream.makeStream(of: DownloadEvent.self)
        let task = Task {
            guard await begun.enter() else { return }
            await DownloadBatch.run(items, into: folder, with: self, open: open) { continuation.yield($0) }
            continuation.finish()
        }
        // Also when nobody can read the events any more.
        continuation.onTermination = { _ in task.cancel() }
        return AsyncStream {
            // Nothing happens before somebody asks for the first event.
            begun.leave()
            var iterator = events.makeAsyncIterator()
            let event = await iterator.next()
            switch event {
            case .finished, .duplicate, .failed: open.leave()
            case .started, .progress, .waiting, .revoked, nil: break
            }
            return event
        } onCancel: {
            task.cancel()
        }
    }

    /// Downloads one file and returns it. Cancelling keeps its part.
    package func file(
        _ item: DownloadItem, into folder: TargetFolder, onEvent: (DownloadEvent) -> Void = { _ in }
    ) async throws(DownloadError) -> DownloadedFile {
        guard let file = try await files([item], into: folder, onEvent: onEvent).first else {
            throw .cancelled
        }
        return file
    }

    /// Downloads some files that belong together and returns them in order; the first failure ends it.
    package func files(
        _ items: [DownloadItem], into folder: TargetFolder, onEvent: (DownloadEvent) -> Void = { _ in }
    ) async throws(DownloadError) -> [DownloadedFile] {
        var files: [Int: DownloadedFile] = [:]
        for await event in fetch(items, into: folder) {
            onEvent(event)
            switch event {
            case .finished(let item, let file): files[item.number] = file
            case .failed(_, let error): throw error
            case .started, .progress, .waiting, .duplicate, .revoked: break
            }
        }
        if Task.isCancelled { throw .cancelled }
        return items.compactMap { files[$0.number] }
    }
}
