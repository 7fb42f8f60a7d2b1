import Foundation
import PictureFiles
import Synchronization

/// Pictures kept for viewing: each is downloaded once into a private folder. A cache: a file is whole under its name or
/// it is not there, and a power failure may lose it.
package final class PictureFolder: Sendable {
    package let folder: URL
    private let downloader: Downloader
    private let limit: Int64
    private let loads = RequestCoalescer<URL, DownloadedFile>()
    /// The files that came in this process, by their address.
    private let arrived = Mutex<[URL: URL]>([:])
    /// About how many bytes the folder has, as far as this process knows, and how many of them came since it looked.
    private let amount = Mutex<(all: Int64, new: Int64)>((0, 0))

    /// A folder of at most `limit` bytes, into which `downloader` would download.
    package init(_ folder: URL, downloader: Downloader, limit: Int = 512 << 20) {
        (self.folder, self.downloader) = (folder, downloader)
        self.limit = Int64(limit)
    }

    /// A name for a photo's file at one URL: if the URL changes, so does the file.
    package static func name(of photo: PhotoID, _ url: URL) -> String {
        "\(FileName.identifier(photo.service))_\(FileName.identifier(photo.value))_\(hash(of: url))"
    }

    fileprivate static func hash(of url: URL) -> String {
        String(FNV1a.hash(url.absoluteString.utf8), radix: 16)
    }

    // MARK: - Files

    /// The file for `request`, downloaded if it is not in the folder. Those who ask for the same share one download,
    /// whose progress the first of them is told, and which is canceled with the last.
    package nonisolated(nonsending) func file(
        of photo: PhotoID, _ request: HTTPRequest, progress: CursorSource.Progress = { _, _ in }
    ) async throws(DownloadError) -> DownloadedFile {
        let (updates, continuation) = AsyncStream.makeStream(
            of: PhotoCursorState.Progress.self, bufferingPolicy: .bufferingNewest(1))
        async let result = load(request, Self.name(of: photo, request.url), continuation)
        for await update in updates { progress(update.received, update.expected) }
        return try await result.get()
    }

    private func load(
        _ request: HTTPRequest, _ name: String,
        _ continuation: AsyncStream<PhotoCursorState.Progress>.Continuation
    ) async -> Result<DownloadedFile, DownloadError> {
        defer { continuation.finish() }
        do {
            let file = try await loads.value(for: request.url) { [self] in
                if let file = await Disk.run({ self.kept(name, of: request.url) }) { return file }
                let file = try await download(request, to: name, continuation)
                arrived.withLock { $0[request.url] = file.url }
                sweepSometimes(after: file.bytes)
                return file
            }
            return .success(file)
        } catch {
            return .failure(error as? DownloadError ?? .cancelled)
        }
    }

    private func download(
        _ source: HTTPRequest, to name: String,
        _ continuation: AsyncStream<PhotoCursorState.Progress>.Continuation
    ) async throws(DownloadError) -> DownloadedFile {
        let request = FileRequest(source: source, downloader: downloader)
        return try await request.run { _ async throws(FileRequest.Failure) in
            try await request.waitForHost()
            let draft = try await request.onDisk { () throws(DownloadError) in try self.draft(of: name) }
            let file = ArrivingFile(file: draft.file) { [folder] in folder.appending(path: name).path }
            let sink = FileSink(source, to: file) { received, total, _ in
                continuation.yield(.init(received: received, expected: total))
            }
            do throws(FileRequest.Failure) {
                _ = try await request.receive(into: sink)
                return try await request.onDisk { () throws(DownloadError) in
                    let type = try file.contents(length: sink.length, total: sink.total, from: source).type
                    return try self.finish(draft, of: name, as: type, bytes: sink.length)
                }
            } catch {
                await Disk.run(draft.discard)
                throw error
            }
        }
    }

    private func draft(of name: String) throws(DownloadError) -> FileDraft {
        try? FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        do throws(SystemCall.Failure) {
            return try FileDraft(of: name, in: SystemCall.openFolder(folder.path), mode: 0o600)
        } catch {
            throw .cannotCreate(
                path: folder.appending(path: name).path, reason: error.reason, code: error.code)
        }
    }

    private func finish(
        _ draft: FileDraft, of name: String, as type: PictureType, bytes: Int64
    ) throws(DownloadError) -> DownloadedFile {
        let file = folder.appending(path: "\(name).\(type.fileExtension)")
        do {
            try draft.finish(addingToName: "." + type.fileExtension, over: .any, isDurable: false)
        } catch {
            throw .cannotCreate(path: file.path, reason: error.reason, code: error.code)
        }
        return DownloadedFile(url: file, bytes: bytes, status: .fetched)
    }

    /// The file that this process has downloaded from `url`, or is downloading; `nil` for none.
    fileprivate func file(from url: URL) async -> URL? {
        if await loads.waiterCount(for: url) > 0 {
            // No load is begun here, should that one have ended meanwhile.
            _ = try? await loads.value(for: url) { throw CancellationError() }
        }
        return arrived.withLock { $0[url] }
    }

    private func kept(_ name: String, of source: URL) -> DownloadedFile? {
        for type in PictureType.allCases {
            let url = folder.appending(path: "\(name).\(type.fileExtension)")
            guard let file = try? SystemCall.open(url.path, O_RDONLY),
                let status = try? SystemCall.status(of: file), Self.isCurrent(status, source)
            else { continue }
            // What was looked at last is removed last.
            try? SystemCall.setTimes(of: file, to: Date())
            return DownloadedFile(url: url, bytes: status.length, status: .kept)
        }
        return nil
    }

    /// Whether a file that was kept is still what `source` has: one of this machine may have been written to, turned,
    /// or replaced since the kept one was last used. This blocks briefly.
    fileprivate static func isCurrent(_ kept: stat, _ source: URL) -> Bool {
        guard source.isFileURL, let file = try? SystemCall.open(source.path, O_RDONLY | O_NONBLOCK),
            let status = try? SystemCall.status(of: file)
        else { return true }
        // The system's clock for files ticks a hundred times a second.
        return status.lastChange + 0.02 < kept.lastModified
    }

    // MARK: - The limit

    /// Creates the folder, for the user only, and removes the least recently used files above the limit.
    package func prepare() async { await Disk.run { self.sweep() } }

    private func sweepSometimes(after bytes: Int64) {
        let isDue = amount.withLock { amount in
            amount.all += bytes
            amount.new += bytes
            // Others may be filling it, too.
            let isDue = amount.all > limit || amount.new > limit / 16
            if isDue { amount = (0, 0) }
            return isDue
        }
        if isDue { Disk.start { self.sweep() } }
    }

    private func sweep() {
        let manager = FileManager.default
        try? manager.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard let opened = try? SystemCall.openFolder(folder.path),
            let files = try? EvictionPlan.files(in: opened, now: Date())
        else { return }
        let plan = EvictionPlan(files, limit: limit, oldest: .distantPast + 1)
        for victim in plan.victims { try? SystemCall.remove(victim, from: opened) }
        amount.withLock { $0.all += plan.remaining }
    }
}

/// Takes files from a picture folder that were viewed before, and sends every other request.
package struct KeptPictureTransport: HTTPTransport {
    private let otherwise: any HTTPTransport
    private let local: FileTransport
    /// What this process is downloading there is waited for rather than requested twice.
    private let pictures: PictureFolder
    private let files: [Substring: URL]

    /// A transport that takes files from `pictures`, as that folder is now. Blocks briefly.
    package init(_ pictures: PictureFolder, otherwise: any HTTPTransport) {
        (self.otherwise, self.pictures) = (otherwise, pictures)
        local = FileTransport(roots: [pictures.folder])
        let names = (try? FileManager.default.contentsOfDirectory(atPath: pictures.folder.path)) ?? []
        files = Dictionary(
            names.compactMap { name in
                guard let dot = name.lastIndex(of: "."), let bar = name[..<dot].lastIndex(of: "_"),
                    PictureType.allCases.contains(where: { name[dot...] == "." + $0.fileExtension })
                else { return nil }
                return (name[name.index(after: bar)..<dot], pictures.folder.appending(path: name))
            }, uniquingKeysWith: { first, _ in first })
    }

    package func send(
        _ request: HTTPRequest, idleTimeout: Int, to sink: some BodySink
    ) async throws(TransportError) -> HTTPHead {
        guard request.url.isFileURL, request.url.path.hasPrefix(pictures.folder.path + "/") else {
            return try await otherwise.send(request, idleTimeout: idleTimeout, to: sink)
        }
        return try await local.send(request, idleTimeout: idleTimeout, to: sink)
    }

    package func current(_ request: HTTPRequest) async throws(TransportError) -> HTTPRequest {
        // A part is resumed from its server, which knows whether the file has changed.
        guard request.headers["Range"] == nil, let file = await file(at: request.url) else {
            return try await otherwise.current(request)
        }
        return HTTPRequest(url: file)
    }

    package func renewed(_ request: HTTPRequest) async -> HTTPRequest? { await otherwise.renewed(request) }

    package func forget(_ request: HTTPRequest) { otherwise.forget(request) }

    private func file(at url: URL) async -> URL? {
        let kept = files[PictureFolder.hash(of: url)[...]]
        if let kept, await isCurrent(kept, url) { return kept }
        guard let arrived = await pictures.file(from: url), await isCurrent(arrived, url) else { return nil }
        return arrived
    }

    private func isCurrent(_ kept: URL, _ source: URL) async -> Bool {
        await Disk.run {
            guard let file = try? SystemCall.open(kept.path, O_RDONLY),
                let status = try? SystemCall.status(of: file)
            else { return false }
            return PictureFolder.isCurrent(status, source)
        }
    }
}
