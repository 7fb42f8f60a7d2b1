import Foundation
import GalleryCore
import GalleryTestSupport
import ProductTestSupport
import Testing

/// A feed whose every answer a test gives by hand, or by a clock.
final class FakeSource: Sendable {
    /// What was asked for, in order: `page 1`, `details 1 2 3`, `file 7`; and what was dropped: `dropped 7`,
    /// `dropped details 1 2 3`.
    let log = Watched<[String]>([])
    let count: Int
    let pageSize: Int
    private let gates = Watched<[String: Gate]>([:])
    private let failing = Watched<Set<String>>([])
    private let latency: (@Sendable () async throws -> Void)?
    private let hasFull: Bool

    /// - Parameter latency: what every answer takes; without one each waits for ``answer(_:)``.
    init(
        count: Int = 100, pageSize: Int = 20, hasFull: Bool = true,
        latency: (@Sendable () async throws -> Void)? = nil
    ) {
        self.count = count
        self.pageSize = pageSize
        self.hasFull = hasFull
        self.latency = latency
    }

    /// What was asked for so far and begins with `word`.
    func asked(_ word: String) -> [String] { log.value.filter { $0.hasPrefix(word) } }

    /// Gives the answer to `request`, asked for already or not.
    func answer(_ request: String, failing: Bool = false) {
        if failing { self.failing.update { _ = $0.insert(request) } }
        gate(request).open()
    }

    /// Lets the next `request` fail, whenever its answer comes.
    func failNext(_ request: String) { failing.update { _ = $0.insert(request) } }

    /// Returns once `request` was asked for and waits.
    func waitFor(_ request: String) async throws {
        try await untilStandstill({ "'\(request)' among \(self.log.value)" }) {
            try await self.gate(request).waitForWaiters(1)
        }
    }

    /// Returns once the file of photo `index` has been dropped.
    func waitForDrop(of index: Int) async throws { try await waitForDrop(of: "\(index)") }

    /// Returns once a request has been dropped.
    func waitForDrop(of request: String) async throws {
        try await untilStandstill({ "'dropped \(request)' among \(self.log.value)" }) {
            try await self.log.first { $0.contains("dropped \(request)") }
        }
    }

    /// Notes a request. One that comes over and over is an endless loop, and gets no answer any more.
    ///
    /// On the caller's actor, so that requests are noted in the order in which the cursor makes them.
    private nonisolated(nonsending) func note(_ request: String) async throws {
        let count = log.update { log in
            log.append(request)
            return log.count { $0 == request }
        }
        guard count > Self.patience else { return }
        Issue.record("'\(request)' was asked for \(count) times.")
        try await Gate().wait()
    }

    /// Far more often than any test asks for one thing.
    private static let patience = 50

    private func gate(_ request: String) -> Gate {
        gates.update { gates in
            let gate = gates[request] ?? Gate()
            gates[request] = gate
            return gate
        }
    }

    private func wait(_ request: String) async throws {
        if let latency { try await latency() } else { try await gate(request).wait() }
    }

    private func fails(_ request: String) -> Bool { failing.update { $0.remove(request) != nil } }
}

extension FakeSource: CursorSource {
    var detailsPerRequest: Int { 1 }
    var isAtHand: Bool { false }

    func total() async -> Int? { nil }

    func page(_ slice: PageSlice) async throws(ServiceError) -> Page {
        let request = "page \(slice.number)"
        do {
            try await note(request)
            try await wait(request)
        } catch { throw .transport(.cancelled) }
        if fails(request) { throw .failed(service: "s", status: 500, reason: nil) }
        let indexes = slice.indexes.clamped(to: 1...max(1, count))
        let photos = slice.firstIndex > count ? [] : indexes.map { IndexedPhoto.sample($0, hasFull: hasFull) }
        return Page(photos: photos, total: count, hasMore: slice.indexes.upperBound < count)
    }

    func details(_ photos: [Photo]) async throws(ServiceError) -> [PhotoID: Result<PhotoDetail, ServiceError>]
    {
        let request = "details " + photos.map(\.id.value).joined(separator: " ")
        do {
            try await note(request)
            try await wait(request)
        } catch {
            log.update { $0.append("dropped \(request)") }
            throw .transport(.cancelled)
        }
        if fails(request) { throw .failed(service: "s", status: 500, reason: nil) }
        let details = photos.map { photo in
            let full = IndexedPhoto.sample(Int(photo.id.value) ?? 0).photo
            return (photo.id, Result<PhotoDetail, ServiceError>.success(PhotoDetail(photo: full)))
        }
        return Dictionary(uniqueKeysWithValues: details)
    }

    nonisolated(nonsending) func picture(
        _ photo: Photo, _ rendition: Rendition, progress: CursorSource.Progress
    ) async throws(DownloadError) -> DownloadedFile {
        let request = "file \(photo.id.value)"
        do {
            try await note(request)
            try await wait(request)
        } catch {
            log.update { $0.append("dropped \(photo.id.value)") }
            throw .cancelled
        }
        if fails(request) { throw .refused(host: "s", status: 404, seconds: nil) }
        progress(10, 10)
        return DownloadedFile(url: rendition.url, bytes: 10, status: .fetched)
    }
}

/// A cursor's states as they come, for tests that wait for one. Keeps the cursor alive.
final class CursorWatch: Sendable {
    private let cursor: PhotoCursor
    private let latest = Watched(PhotoCursorState())
    private let task: Task<Void, Never>

    init(_ cursor: PhotoCursor) {
        self.cursor = cursor
        task = Task { [latest] in
            for await state in cursor.states { latest.update { $0 = state } }
        }
    }

    deinit { task.cancel() }

    /// Returns the first state, now or later, of which `condition` is true.
    @discardableResult
    func first(_ condition: @escaping @Sendable (PhotoCursorState) -> Bool) async throws -> PhotoCursorState {
        try await untilStandstill({ "that state; the last is \(self.latest.value)" }) {
            try await self.latest.first(where: condition)
        }
    }
}

extension PhotoCursorState {
    var isReady: Bool { if case .ready = picture { true } else { false } }
    var isFailed: Bool { if case .failed = picture { true } else { false } }
    var index: Int? { current?.index }
}
