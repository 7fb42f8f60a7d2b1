import Foundation

/// Downloads one file: tries, waits, and tries again.
struct ItemDownload: Sendable {
    private typealias Failure = FileRequest.Failure

    let item: DownloadItem
    let batch: DownloadBatch
    let admission: Admission
    let turn: Turn

    private var downloader: Downloader { batch.downloader }

    private var request: FileRequest {
        FileRequest(source: item.source, downloader: downloader) { asked, delay, error in
            admission.leave()
            var item = item
            item.source = asked
            batch.emit(.waiting(item, delay: delay, because: error))
        }
    }

    func run() async throws(DownloadError) -> ItemOutcome {
        try await request.run { mayResume async throws(Failure) in try await attempt(mayResume: mayResume) }
    }

    // MARK: - On disk

    private enum Found {
        case file(DownloadedFile, Destination)
        case duplicate(URL)
        case part(ResumablePart)
        /// Another process has the part locked; its length in bytes.
        case locked(Destination, length: Int64)
        case paused
    }

    private func attempt(mayResume: Bool) async throws(Failure) -> ItemOutcome {
        let timekeeper = downloader.timekeeper
        var seen: Int64?
        var unchangedSince = timekeeper.now()
        while true {
            switch try await request.onDisk({ () throws(DownloadError) in try find(mayResume: mayResume) }) {
            case .file(let file, let destination): return try await accept(file, at: destination)
            case .duplicate(let original): return .duplicate(of: original)
            case .part(let part): return try await transfer(part)
            case .paused: try await request.waitForHost()
            case .locked(let destination, let length):
                if length != seen { unchangedSince = timekeeper.now() }
                seen = length
                // It may pause while the other process waits for its host, but not forever.
                guard timekeeper.now() - unchangedSince < Self.patience else {
                    throw Failure(cause: .busy(path: destination.shown(destination.part)), kind: .final)
                }
                admission.leave()
                do { try await timekeeper.sleep(.milliseconds(200)) } catch {
                    throw Failure(cause: .cancelled)
                }
            }
        }
    }

    /// How long another process's part may stay unchanged.
    private static let patience = Duration.seconds(120)

    /// All at once, since every change of threads takes as long as a small photo's bytes. Blocks briefly.
    private func find(mayResume: Bool) throws(DownloadError) -> Found {
        let manifest = batch.folder.manifest
        let destination = try batch.folder.folder.destination(for: item.name)
        if let found = try findStored(at: destination) { return found }
        let broken = try brokenEntry()
        // Not while the host is left alone, so that no empty part lies around for so long.
        guard downloader.paces.pause(of: WebOrigin(item.source.url)) == nil else { return .paused }
        guard var part = try ResumablePart.open(destination, for: item, mayResume: mayResume) else {
            manifest.noteOthers()
            let status = try? SystemCall.status(of: destination.part, in: destination.folder)
            return .locked(destination, length: status?.length ?? 0)
        }
        do throws(DownloadError) {
            // Whose part it was may have named the file since; while it is locked, nobody else does.
            part.broken = broken
            guard try manifest.isSharedAndCurrent() else { return .part(part) }
            if let found = try findStored(at: destination) {
                part.file.discard()
                return found
            }
            part.broken = try brokenEntry()
            return .part(part)
        } catch {
            part.file.discard()
            throw error
        }
    }

    private func findStored(at destination: Destination) throws(DownloadError) -> Found? {
        let (folder, configuration) = (batch.folder, downloader.configuration)
        guard !configuration.overwrites else { return nil }
        if let file = try folder.existingFile(of: item, at: destination) {
            downloader.transport.forget(item.source)
            return .file(file, destination)
        }
        return try batch.unique?.knownOriginal(of: item, at: destination).map(Found.duplicate)
    }

    /// What the host sent twice, broken and byte for byte the same, where it can say whether it still has that.
    private func brokenEntry() throws(DownloadError) -> BrokenEntry? {
        let configuration = downloader.configuration
        guard !configuration.overwrites, !configuration.acceptsIncomplete,
            let entry: BrokenEntry = try batch.folder.manifest.last(about: item.key)
        else { return nil }
        switch entry.step(for: item, today: downloader.timekeeper.day) {
        case .transfer: return nil
        case .ask: return entry
        case .leave: throw .brokenAtHost(host: Redaction.host(of: item.source), reason: entry.reason)
        }
    }

    /// Keeps an existing file, unless it duplicates an earlier one of the batch.
    private func accept(_ file: DownloadedFile, at destination: Destination) async throws(Failure)
        -> ItemOutcome
    {
        guard let unique = batch.unique else { return .stored(file) }
        admission.leave()
        guard await turn.wait() else { throw Failure(cause: .cancelled) }
        return await Disk.run { [item] in unique.accept(file, of: item, at: destination) }
    }

    // MARK: - One try

    /// Sends a request, writes the part, and names it or leaves it for the next try.
    private func transfer(_ start: ResumablePart) async throws(Failure) -> ItemOutcome {
        let part = start.file
        // Explicitly, since a transfer that is slow to end may hold the last reference.
        defer { part.unlock() }
        let sink = FileSink(
            item.source, to: part.arriving, of: start, bandwidth: downloader.bandwidth,
            lengths: downloader.configuration.lengths
        ) { [item, emit = batch.emit] received, total, isStart in
            emit(
                isStart
                    ? .started(item, offset: received, expected: total)
                    : .progress(item, received: received, expected: total))
        }
        do throws(Failure) {
            let offset =
                start.isWhole
                ? sink.length
                : try await request.receive(into: sink, slots: batch.slots) { admission.leave() }
            return try await settle(sink, part, offset: offset)
        } catch {
            // Also what arrived since the last report.
            if sink.hasBegun { batch.emit(.progress(item, received: sink.length, expected: sink.total)) }
            let note = sink.takeNote()
            await Disk.run { error.voidsPart ? part.discard() : part.keep(note) }
            throw error
        }
    }

    private func settle(
        _ sink: FileSink, _ part: PartFile, offset: Int64
    ) async throws(Failure) -> ItemOutcome {
        let (item, batch) = (item, batch)
        let (length, total, note, digest) = (sink.length, sink.total, sink.takeNote(), sink.digest)
        // Bytes that were already here may be the wrong ones.
        let isAccepted = downloader.configuration.acceptsIncomplete || item.source.url.isFileURL
        let acceptsIncomplete = offset == 0 && isAccepted
        // Only the disk is busy from here, so another transfer may start.
        admission.leave()
        do {
            let complete = { @Sendable () throws(DownloadError) in
                let contents = try part.arriving.contents(
                    length: length, total: total, from: item.source, acceptsIncomplete: acceptsIncomplete)
                let completed = CompletedPart(
                    item: item, part: part, contents: contents, length: length,
                    status: offset > 0 ? .resumed : .fetched, validator: note?.validator,
                    digest: digest ?? (try? Digest.text(of: part.file, length: length)))
                // Until it has its name, this is all that says whose it is, where it came too quickly for a note.
                part.mark(length: length)
                try part.sync()
                return completed
            }
            let end = sink.head.flatMap { $0.url == item.source.url ? nil : $0.url }
            guard batch.unique != nil || end != nil else {
                return try await settling { () throws(DownloadError) in try batch.store(try complete()) }
            }
            let completed = try await settling(complete)
            if let end { try await waitForOthers(at: end, part) }
            if batch.unique != nil { try await waitForTurn(part, note) }
            return try await settling { () throws(DownloadError) in try batch.store(completed) }
        } catch .brokenAtHost(let host, let reason) {
            // The bytes that were already here may be the wrong ones, and some may be missing.
            guard offset == 0, length == total else {
                throw Failure(
                    cause: .incomplete(host: host, reason: reason), length: length,
                    kind: length == total ? .mismatch : .fault)
            }
            // Should this fail, the next run transfers the file once more.
            let (validator, day) = (sink.head.flatMap { Validator.any(in: $0) }, downloader.timekeeper.day)
            try? await settling { () throws(DownloadError) in
                // What is noted is the file that is asked for first.
                guard item.standIn == nil else { return }
                try batch.folder.manifest.noteBroken(
                    item, part, length: length, reason: reason, validator: validator, day: day)
            }
            throw Failure(cause: .brokenAtHost(host: host, reason: reason), length: length)
        } catch {
            throw Failure(cause: error, length: length)
        }
    }

    private func settling<Value: Sendable>(
        _ work: @escaping @Sendable () throws(DownloadError) -> Value
    ) async throws(DownloadError) -> Value {
        guard await batch.settling.enter() else { throw .cancelled }
        defer { batch.settling.leave() }
        return try await Disk.run(work)
    }

    /// Waits until it is known that no other photo ends there. Until then the part has no note: a later run that had
    /// its bytes would not know where they came from.
    private func waitForOthers(at end: URL, _ part: PartFile) async throws(DownloadError) {
        await Disk.run { try? part.removeNote() }
        guard let isPlaceholder = await batch.ends.isPlaceholder(end, of: item.source.url, item.number) else {
            await Disk.run { try? part.empty() }
            throw .cancelled
        }
        guard isPlaceholder else { return }
        await batch.takeBackRevoked()
        throw item.isPlaceholder
    }

    /// Waits for all items before this one, which decide whether it is a duplicate. Until then it is a part like any
    /// other, which the next run can resume.
    private func waitForTurn(_ part: PartFile, _ note: PartNote?) async throws(DownloadError) {
        guard !turn.isCurrent else { return }
        if let note { await Disk.run { try? part.write(note) } }
        guard await turn.wait() else { throw .cancelled }
    }
}

extension FileRequest.Failure {
    fileprivate var voidsPart: Bool {
        switch (kind, cause) {
        case (.mismatch, _), (_, .brokenAtHost), (_, .notAPicture), (_, .empty), (_, .unwanted): true
        default: false
        }
    }
}
