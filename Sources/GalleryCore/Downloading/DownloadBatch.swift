import Foundation
import Synchronization

/// Many files into one folder: what its items share, and how many run at once.
struct DownloadBatch: Sendable {
    /// What a downloader works with.
    struct Tools: Sendable {
        let transport: any HTTPTransport
        let idleTimeout: Int
        let overwrites: Bool
        let retryPolicy: RetryPolicy
        let timekeeper: Timekeeper
        let pauses: HostPauses
    }

    let tools: Tools
    let shelf: Shelf
    /// Transfers at once.
    let slots: SlotGate
    /// Files that are checked, synced and named at once: many, because the medium takes its time
    /// for each and the same time for all.
    let settling: SlotGate
    let emit: @Sendable (DownloadEvent) -> Void

    /// Runs `items`, in order as far as slots go, until all are done.
    ///
    /// A few more items are open than transfers run, so that the next one's connection is busy
    /// as soon as one is done. An item that settles, or waits for its host, makes room for another, so
    /// that neither a slow disk nor a host that fails holds up the rest; of those too there is a limit.
    static func run<Items: AsyncSequence & Sendable>(
        _ items: Items, into folder: URL, jobs: Int, tools: Tools,
        emit: @escaping @Sendable (DownloadEvent) -> Void
    ) async where Items.Element == DownloadItem, Items.Failure == Never {
        let slots = SlotGate(jobs)
        let settling = SlotGate(24)
        let admissions = SlotGate(jobs + 2)
        let parking = SlotGate(jobs + 512)
        let shelf: Result<Shelf, DownloadError> = await Disk.run { () -> Result<Shelf, DownloadError> in
            Result { () throws(DownloadError) in Shelf(try TargetFolder(creating: folder)) }
        }
        await withDiscardingTaskGroup { group in
            for await item in items {
                guard await parking.enter(), await admissions.enter() else { break }
                group.addTask {
                    let admission = Admission(to: admissions)
                    defer {
                        admission.leave()
                        parking.leave()
                    }
                    do throws(DownloadError) {
                        let batch = DownloadBatch(
                            tools: tools, shelf: try shelf.get(), slots: slots, settling: settling, emit: emit
                        )
                        let download = ItemDownload(item: item, batch: batch, admission: admission)
                        emit(.finished(item, try await download.run()))
                    } catch {
                        emit(.failed(item, error))
                    }
                }
            }
        }
        await Disk.run { try? shelf.get().sync() }
    }
}

/// One item's leave to run beside the others; given back once.
final class Admission: Sendable {
    private let gate: SlotGate
    private let isOver = Mutex(false)

    init(to gate: SlotGate) {
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
