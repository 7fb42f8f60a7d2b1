import Foundation
import Synchronization

/// Lists and describes the pictures of a folder.
///
/// The index is kept until its first picture is requested again, so that files added meanwhile do not shift others.
final class FolderReader: Sendable {
    private let path: String
    private let thumbnails: DesktopThumbnails
    /// One list at a time: a second one would only examine the same files.
    let queue = DispatchQueue(label: "gallery.folder")
    private let index = Mutex<FolderIndex?>(nil)
    private let told = Mutex<Set<ImportError>>([])

    init(_ folder: URL, _ thumbnails: DesktopThumbnails) {
        self.thumbnails = thumbnails
        let parts = folder.absoluteURL.path(percentEncoded: false).split(separator: "/")
        path = "/" + parts.joined(separator: "/")
    }

    func page(
        _ slice: PageSlice, _ ranking: FolderRanking, _ match: FolderMatch
    ) async throws(ServiceError) -> Page {
        var page: Page = try await run { (isWanted) throws(ServiceError) in
            guard let root = FolderScan.resolve(self.path) else {
                throw self.noFolder(isLocked: errno == EACCES)
            }
            do throws(SystemCall.Failure) {
                return try self.index.withLock { index throws(SystemCall.Failure) in
                    if slice.number == 1 || index?.scan.root != root || index?.ranking != ranking {
                        index = nil
                    }
                    var current: FolderIndex
                    if let index {
                        current = index
                    } else {
                        current = FolderIndex(try FolderScan(root: root, isWanted: isWanted), ranking)
                    }
                    // An interrupted scan does not represent the folder.
                    guard isWanted() else { return nil }
                    index = nil
                    defer { index = current }
                    return current.page(slice, of: self.path, match, self.thumbnails, isWanted: isWanted)
                }
            } catch {
                throw self.noFolder(isLocked: error.isRefusal)
            }
        }
        // Who asks for a second page goes through all: the next is made while this one is printed.
        if slice.number > 1, page.hasMore {
            let next = PageSlice(number: slice.number + 1, size: slice.size)
            queue.async {
                self.index.withLock { $0?.prepare(next, of: self.path, match, self.thumbnails) }
            }
        }
        page.leftOut.removeAll { error in told.withLock { !$0.insert(error).inserted } }
        return page
    }

    func details(of ids: [PhotoID]) async throws(ServiceError) -> DetailResults {
        try await run { (isWanted) throws(ServiceError) in
            var details: DetailResults = [:]
            for id in ids where isWanted() {
                details[id] = Result { () throws(ServiceError) in try self.detail(of: id) }
            }
            return details
        }
    }

    private func detail(of id: PhotoID) throws(ServiceError) -> PhotoDetail {
        let what = "photo '\(PlainText.excerpt(id.value, limit: 120))'"
        guard let root = FolderScan.resolve(path),
            let target = FolderScan.resolve(root + "/" + id.value, below: root)
        else { throw .missing(service: id.service, what: what) }
        switch FolderFile(at: target, below: root) {
        case .foreign, .gone: throw .missing(service: id.service, what: what)
        case .broken(let reason):
            throw .unreadable(.message(service: id.service, text: "\(what) cannot be shown: \(reason)."))
        case .picture(let type, let size, let lack):
            let facts = FolderFacts(at: root + "/" + id.value, target: target, below: root, type, size)
            var detail = facts.detail(id.value, in: path, size: size, thumbnails.areThere ? thumbnails : nil)
            detail.incomplete = lack
            return detail
        }
    }

    private func noFolder(isLocked: Bool) -> ServiceError {
        .noFolder(path: PlainText.excerpt(path, limit: 120), isLocked: isLocked)
    }

    /// What `work` returns on the queue; a caller that is cancelled leaves at once.
    private func run<Value: Sendable>(
        _ work: @escaping @Sendable (_ isWanted: () -> Bool) throws(ServiceError) -> Value?
    ) async throws(ServiceError) -> Value {
        let outcomes = AsyncStream<Result<Value?, ServiceError>> { [queue] outcome in
            let isWaiting = SharedValue(true)
            outcome.onTermination = { _ in isWaiting.value = false }
            queue.async {
                outcome.yield(Result { () throws(ServiceError) in try work { isWaiting.value } })
                outcome.finish()
            }
        }
        for await outcome in outcomes { if let value = try outcome.get() { return value } }
        throw .transport(.cancelled)
    }
}
