import Foundation

/// Brings one file to disk: tries, waits, tries again.
struct ItemDownload: Sendable {
    let item: DownloadItem
    let batch: DownloadBatch
    let admission: Admission
    let turn: Turn

    /// Brings it.
    func run() async throws(DownloadError) -> ItemEnd {
        let (shelf, item) = (batch.shelf, item)
        let place = try await Disk.run { () throws(DownloadError) in try shelf.folder.place(for: item.name) }
        if let kept = try await kept(at: place) { return try await take(kept, at: place) }
        if let twin = try await twinOfLastTime(at: place) { return .leftOut(sameAs: twin) }
        var failures = 0
        var farthest: Int64 = 0
        var mayResume = true
        while true {
            try await waitForHost()
            switch try await open(place, mayResume: mayResume) {
            case .kept(let file): return try await take(file, at: place)
            case .part(let part):
                do {
                    return try await DownloadAttempt(
                        item: item, batch: batch, admission: admission, turn: turn, start: part,
                        segments: mayResume ? batch.tools.segments : nil
                    ).run()
                } catch  where error.kind == .paused {
                    continue
                } catch  where error.kind == .mismatch && mayResume {
                    mayResume = false
                } catch  where error.kind == .broken {
                    throw error.cause
                } catch {
                    if error.length > farthest { failures = 0 }
                    farthest = max(farthest, error.length)
                    mayResume = true
                    try await wait(after: error.cause, failures: failures)
                    failures += 1
                }
            }
        }
    }

    // MARK: - Waits

    /// Returns when the next try may begin; throws `error` where there is to be none.
    private func wait(after error: DownloadError, failures: Int) async throws(DownloadError) {
        let timekeeper = batch.tools.timekeeper
        guard error.isPassing,
            let delay = batch.tools.retryPolicy.delay(
                failures: failures, asked: error.secondsAsked, chance: timekeeper.chance())
        else { throw error }
        admission.leave()
        batch.emit(.waiting(item, delay: delay, because: error))
        try await pass { try await timekeeper.sleep(delay) }
    }

    /// A host that asked one of us to wait is left alone by all.
    private func waitForHost() async throws(DownloadError) {
        let tools = batch.tools
        while let pause = tools.pauses.pause(of: host) {
            let cause = DownloadError.refused(
                host: Redaction.host(of: item.source), status: pause.status,
                seconds: Int(pause.remaining.components.seconds))
            guard pause.remaining <= tools.retryPolicy.longestAsked else { throw cause }
            admission.leave()
            batch.emit(.waiting(item, delay: pause.remaining, because: cause))
            try await pass { try await tools.timekeeper.sleep(pause.remaining) }
        }
    }

    private var host: String { WebOrigin(item.source.url).host }

    private func pass(_ wait: () async throws -> Void) async throws(DownloadError) {
        do { try await wait() } catch { throw .cancelled }
    }

    // MARK: - What is on disk

    private enum Opened {
        case part(ResumablePart)
        case kept(DownloadedFile)
    }

    private func kept(at place: Destination) async throws(DownloadError) -> DownloadedFile? {
        guard !batch.tools.overwrites else { return nil }
        let (shelf, item) = (batch.shelf, item)
        return try await Disk.run { () throws(DownloadError) in try shelf.kept(item, at: place) }
    }

    /// A file that is there, unless it is a copy of one before it.
    private func take(_ file: DownloadedFile, at place: Destination) async throws(DownloadError) -> ItemEnd {
        guard let unique = batch.unique else { return .taken(file) }
        admission.leave()
        guard await turn.wait() else { throw .cancelled }
        return await Disk.run { [item] in unique.take(file, for: item, at: place) }
    }

    private func twinOfLastTime(at place: Destination) async throws(DownloadError) -> URL? {
        guard let unique = batch.unique, !batch.tools.overwrites else { return nil }
        return try await Disk.run { [item] () throws(DownloadError) in
            try unique.twinOfLastTime(item, at: place)
        }
    }

    /// The part, once no other process has it; or the file, where that process has finished it.
    private func open(_ place: Destination, mayResume: Bool) async throws(DownloadError) -> Opened {
        let (item, timekeeper) = (item, batch.tools.timekeeper)
        var seen: Int64?
        var unchangedSince = timekeeper.now()
        while true {
            let found = try await Disk.run { () throws(DownloadError) in
                try ResumablePart.open(place, for: item, mayResume: mayResume)
            }
            switch found {
            case .ours(let part): return .part(part)
            case .others(let length):
                if length != seen { unchangedSince = timekeeper.now() }
                seen = length
            }
            // It may stand still while it waits for its host; not for ever, though.
            guard timekeeper.now() - unchangedSince < Self.patience else {
                throw .busy(path: place.shown(place.part))
            }
            admission.leave()
            try await pass { try await timekeeper.sleep(.milliseconds(200)) }
            if let file = try await kept(at: place) { return .kept(file) }
        }
    }

    /// How long another process's part may stand still before its photo is given up.
    private static let patience = Duration.seconds(120)
}
