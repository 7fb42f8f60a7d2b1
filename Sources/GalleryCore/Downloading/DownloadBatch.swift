import Foundation
import Synchronization

/// Many files into one folder: what its items share, and how many run at once.
struct DownloadBatch: Sendable {
    /// What a downloader works with.
    struct Tools: Sendable {
        let transport: any HTTPTransport
        let idleTimeout: Int
        let overwrites: Bool
        let leavesOutCopies: Bool
        let segments: SegmentPlan
        let retryPolicy: RetryPolicy
        let timekeeper: Timekeeper
        let pauses: HostPauses
    }

    let tools: Tools
    let shelf: DownloadFolder
    /// Where copies are left out.
    let unique: UniqueFolder?
    /// Transfers at once.
    let slots: AsyncSemaphore
    /// Files that are checked, synced and named at once: many, because the medium takes its time
    /// for each and the same time for all.
    let settling: AsyncSemaphore
    let emit: @Sendable (DownloadEvent) -> Void

    /// Runs `items`, in order as far as slots go, until all are done.
    ///
    /// A few more items are open than transfers run, so that the next one's connection is busy
    /// as soon as one is done. An item that settles, or waits for its host, makes room for another, so
    /// that neither a slow disk nor a host that fails holds up the rest; of those too there is a limit.
    ///
    /// - Parameter open: entered for each item. Whoever takes in the event that ends an item
    ///   leaves, so that events do not pile up before a slow reader.
    static func run<Items: AsyncSequence & Sendable>(
        _ items: Items, into folder: URL, jobs: Int, tools: Tools, open: AsyncSemaphore,
        emit: @escaping @Sendable (DownloadEvent) -> Void
    ) async where Items.Element == DownloadItem, Items.Failure == Never {
        let slots = AsyncSemaphore(jobs)
        let settling = AsyncSemaphore(24)
        let admissions = AsyncSemaphore(jobs + 2)
        let turns = OrderedTurns()
        let shelves = await Disk.run { () -> Result<(DownloadFolder, UniqueFolder?), DownloadError> in
            Result { () throws(DownloadError) in
                let shelf = DownloadFolder(try DestinationFolder(creating: folder))
                return (shelf, tools.leavesOutCopies ? try UniqueFolder(shelf) : nil)
            }
        }
        await withDiscardingTaskGroup { group in
            for await item in items {
                guard await open.enter(), await admissions.enter() else { break }
                let turn = turns.next()
                group.addTask {
                    defer { turn.end() }
                    let admission = Admission(to: admissions)
                    defer { admission.leave() }
                    do throws(DownloadError) {
                        let (shelf, unique) = try shelves.get()
                        let batch = DownloadBatch(
                            tools: tools, shelf: shelf, unique: unique, slots: slots, settling: settling,
                            emit: emit)
                        let download = ItemDownload(
                            item: item, batch: batch, admission: admission, turn: turn)
                        emit(try await batch.finish(item, try await download.run()))
                    } catch {
                        emit(.failed(item, error))
                    }
                }
            }
        }
        await Disk.run { try? shelves.get().0.sync() }
    }

    /// What is to be told of an item that is settled, once its metadata stands beside its file.
    private func finish(_ item: DownloadItem, _ end: ItemEnd) async throws(DownloadError) -> DownloadEvent {
        switch end {
        case .leftOut(let twin): return .leftOut(item, sameAs: twin)
        case .taken(let file):
            if let metadata = item.metadata {
                try await Disk.run { [shelf] () throws(DownloadError) in
                    try shelf.put(metadata, of: item, beside: file)
                }
            }
            return .finished(item, file)
        }
    }

    /// Gives a whole part its name, unless it is a copy of a file that has one.
    func put(_ arrival: DownloadFolder.Arrival) throws(DownloadError) -> ItemEnd {
        if let unique { return try unique.put(arrival, overwrites: tools.overwrites) }
        return .taken(try shelf.put(arrival, overwrites: tools.overwrites))
    }
}

/// What became of an item that is settled.
enum ItemEnd: Sendable {
    case taken(DownloadedFile)
    case leftOut(sameAs: URL)
}

/// One item's leave to run beside the others; given back once.
final class Admission: Sendable {
    private let gate: AsyncSemaphore
    private let isOver = Mutex(false)

    init(to gate: AsyncSemaphore) {
        self.gate = gate
    }

    func leave() {
        let isFirst = isOver.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
        if isFirst { gate.leave() }
    }
}
