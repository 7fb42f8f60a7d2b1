import Foundation
import Synchronization

/// One run of a downloader into one folder: what its items share, and how many run at once.
struct DownloadBatch: Sendable {
    let downloader: Downloader
    let folder: DownloadFolder
    /// Set if duplicates are left out.
    let unique: UniqueFolder?
    let slots: AsyncSemaphore
    /// Limits files that are checked, synced and named at once: many, since a device syncs several as fast as one.
    let settling: AsyncSemaphore
    let ends: RedirectEnds
    let emit: @Sendable (DownloadEvent) -> Void

    /// How many items may be waiting for a host, settling, or finished but unread, each with its part open: until it is
    /// named, or, if duplicates are left out, until all before it are done.
    static func openItems(_ configuration: Downloader.Configuration) -> Int {
        let items = max(1, configuration.jobs) + (configuration.skipsDuplicates ? 96 : 512)
        return min(items, OpenFileLimit.items(limit: System.openFileLimit))
    }

    /// Runs `items` in order, as far as slots allow, until all are done. Each enters `open`, which is left by whoever
    /// reads its last event, so events do not pile up.
    ///
    /// A few more items are admitted than transfers run, so that the next request follows at once. An item that
    /// settles or waits for its host makes room for another: neither a slow disk nor a failing host holds up the rest.
    static func run<Items: AsyncSequence & Sendable>(
        _ items: Items, into target: TargetFolder, with downloader: Downloader, open: AsyncSemaphore,
        emit: @escaping @Sendable (DownloadEvent) -> Void
    ) async where Items.Element == DownloadItem, Items.Failure == Never {
        let jobs = downloader.jobs
        let admissions = AsyncSemaphore(jobs == 1 ? 1 : jobs + 2)
        let turns = OrderedTurns()
        let configuration = downloader.configuration
        // With duplicates left out, those behind it wait for each item, and so may the list.
        let ends = RedirectEnds(
            mostHeld: configuration.skipsDuplicates ? 0 : min(16, openItems(configuration) / 2))
        let batch = await Disk.run { () -> Result<DownloadBatch, DownloadError> in
            Result { () throws(DownloadError) in
                let folder = try target.created()
                return DownloadBatch(
                    downloader: downloader, folder: folder,
                    unique: configuration.skipsDuplicates ? try UniqueFolder(folder) : nil,
                    slots: AsyncSemaphore(jobs), settling: AsyncSemaphore(24), ends: ends, emit: emit)
            }
        }
        await withDiscardingTaskGroup { group in
            for await item in items {
                guard await open.enter(), await admissions.enter() else { break }
                let turn = turns.next()
                ends.note(items: 1)
                group.addTask {
                    defer {
                        turn.end()
                        ends.note(items: -1)
                    }
                    let admission = Admission(to: admissions)
                    defer { admission.leave() }
                    do throws(DownloadError) {
                        let batch = try batch.get()
                        let event = try await batch.download(item, admission, turn)
                        emit(event)
                        if case .finished(let item, let file) = event {
                            ends.note(file, of: item)
                            await batch.takeBackRevoked()
                        }
                    } catch {
                        emit(.failed(item, error))
                    }
                }
            }
            ends.note(items: -1)
        }
        await Disk.run { try? batch.get().folder.sync() }
    }

    /// The last event of an item, or of the first of its stand-ins that is there.
    private func download(
        _ item: DownloadItem, _ admission: Admission, _ turn: Turn
    ) async throws(DownloadError) -> DownloadEvent {
        var missing: DownloadError?
        for item in [item] + item.standIns {
            do throws(DownloadError) {
                let download = ItemDownload(item: item, batch: self, admission: admission, turn: turn)
                return try await finish(item, try await download.run())
            } catch {
                guard error.isOfMissingFile else { throw error }
                missing = missing ?? error
            }
        }
        throw missing ?? .cancelled
    }

    private func finish(
        _ item: DownloadItem, _ outcome: ItemOutcome
    ) async throws(DownloadError) -> DownloadEvent {
        switch outcome {
        case .duplicate(let original): return .duplicate(item, of: original)
        case .stored(let file):
            if let metadata = item.metadata {
                try await Disk.run { [folder] () throws(DownloadError) in
                    try folder.write(metadata, of: item, beside: file)
                }
            }
            if let archive = downloader.configuration.archive {
                try await Disk.run { [folder] () throws(DownloadError) in
                    // For what an archive has, no file is looked for.
                    try folder.sync()
                    try archive.add(item)
                }
            }
            if let date = item.date, file.status == .kept {
                await Disk.run { [folder] in folder.setDate(date, of: file) }
            }
            return .finished(item, file)
        }
    }

    /// Removes files of which a later one has shown that they are nobody's photos.
    func takeBackRevoked() async {
        guard downloader.configuration.takesBack else { return }
        for (_, item, file) in ends.takeRevoked() {
            let isGone = await Disk.run { [folder, downloader] in
                guard (try? folder.takeBack(file, of: item)) == true else { return false }
                try? downloader.configuration.archive?.takeBack(item)
                return true
            }
            if isGone { emit(.revoked(item, file, item.isPlaceholder)) }
        }
    }

    func store(_ part: CompletedPart) throws(DownloadError) -> ItemOutcome {
        let overwrites = downloader.configuration.overwrites
        if let unique { return try unique.store(part, overwrites: overwrites) }
        return .stored(try folder.store(part, overwrites: overwrites))
    }
}

enum ItemOutcome: Sendable {
    case stored(DownloadedFile)
    case duplicate(of: URL)
}

/// An item's permission to run, given back once.
final class Admission: Sendable {
    private let semaphore: AsyncSemaphore
    private let hasLeft = Atomic(false)

    init(to semaphore: AsyncSemaphore) { self.semaphore = semaphore }

    func leave() {
        if !hasLeft.exchange(true, ordering: .relaxed) { semaphore.leave() }
    }
}

enum OpenFileLimit {
    /// What the process has open besides its downloads: standard streams (3), the event loop (3), the pipe of
    /// interrupts (2), the folder and its manifest (2), the sockets of a worker for lists and of one that is being
    /// started (3), and lists on their way to and from the cache, with room for what the program was started with.
    private static let base = 19
    /// A part, its folder, its worker's socket, and one of its note, its metadata, and the file it replaces.
    private static let perItem = 5

    /// The items that may be begun at once, from 1, where `limit` files may be open.
    static func items(limit: Int) -> Int { max(1, (limit - base) / perItem) }
    static func jobs(_ wanted: Int, limit: Int) -> Int { min(wanted, items(limit: limit)) }

    /// How many folders may be kept open until they are synced, from 1.
    static func folders(limit: Int) -> Int { min(16, max(1, items(limit: limit) / 4)) }
}
