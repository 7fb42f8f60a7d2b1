import Foundation
import Synchronization

/// Lists and describes the pictures of a folder.
///
/// The index is kept until its first picture is requested again, so that files added meanwhile do not shift others.
final class FolderReader: Sendable {
    private let path: String
    private let thumbnails: DesktopThumbnails
    private let noted: NotedFiles
    /// The files and folders that are listed in place of the folder; `nil` for none.
    private let paths: [String]?
    /// One list at a time: a second one would only examine the same files.
    let queue = DispatchQueue(label: "gallery.folder")
    private let index = Mutex<FolderIndex?>(nil)
    private let told = Mutex<Set<ImportError>>([])

    init(
        _ folder: URL, _ thumbnails: DesktopThumbnails, _ noted: NotedFiles = NotedFiles(),
        paths: [String]? = nil
    ) {
        (self.thumbnails, self.noted, self.paths) = (thumbnails, noted, paths)
        path = Self.path(of: folder)
    }

    static func path(of folder: URL) -> String {
        "/" + folder.absoluteURL.path(percentEncoded: false).split(separator: "/").joined(separator: "/")
    }

    func page(
        _ slice: PageSlice, _ ranking: FolderRanking, _ match: FolderMatch
    ) async throws(ServiceError) -> Page {
        var page: Page = try await run { (isWanted) throws(ServiceError) in
            let page = try self.withIndex(ranking, isNew: slice.number == 1, isWanted) {
                $0.page(slice, of: self.path, match, self.thumbnails, isWanted: isWanted)
            }
            // What was named as a picture, and is none, is told.
            for path in page?.total == 0 ? self.paths ?? [] : [] where !FolderScan.isFolder(path) {
                _ = try self.detail(of: PhotoID(service: Folder.word, value: path))
            }
            return page
        }
        // Who asks for a second page goes through all: the next is made while this one is printed.
        if slice.number > 1, page.hasMore {
            let next = PageSlice(number: slice.number + 1, size: slice.size)
            queue.async { self.index.withLock { $0?.prepare(next, of: self.path, match, self.thumbnails) } }
        }
        page.leftOut.removeAll { error in told.withLock { !$0.insert(error).inserted } }
        return page
    }

    /// See ``Folder/index(of:ranking:)``.
    func index(of picture: String, _ ranking: FolderRanking) async throws(ServiceError) -> Int? {
        try await run { (isWanted) throws(ServiceError) in
            try self.withIndex(ranking, isNew: false, isWanted) { .some($0.index(of: picture, isWanted)) }
        }
    }

    /// What `work` makes of the index; `nil` if it is no longer wanted.
    private func withIndex<Value>(
        _ ranking: FolderRanking, isNew: Bool, _ isWanted: () -> Bool, _ work: (inout FolderIndex) -> Value?
    ) throws(ServiceError) -> Value? {
        guard let root = paths == nil ? FolderScan.resolve(path) : "" else {
            throw noFolder(isLocked: errno == EACCES)
        }
        do throws(SystemCall.Failure) {
            return try index.withLock { index throws(SystemCall.Failure) in
                if isNew || index?.scan.root != root || index?.ranking != ranking { index = nil }
                func scan() throws(SystemCall.Failure) -> FolderScan {
                    if let paths { return FolderScan(paths: paths, isWanted: isWanted) }
                    return try FolderScan(root: root, isWanted: isWanted)
                }
                var current = if let index { index } else { FolderIndex(try scan(), ranking) }
                // An interrupted scan does not represent the folder.
                guard isWanted() else { return nil }
                index = nil
                defer { index = current }
                return work(&current)
            }
        } catch {
            throw noFolder(isLocked: error.isRefusal)
        }
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

    /// A picture by its path relative to the folder, or by the absolute one of a file that was noted.
    private func detail(of id: PhotoID) throws(ServiceError) -> PhotoDetail {
        let shown = "'\(PlainText.excerpt(id.value, limit: 1024))'"
        var (path, root) = (id.value, FolderScan.resolve(path))
        if !path.hasPrefix("/") { path = (root ?? "") + "/" + path }
        var target = root.flatMap { FolderScan.resolve(path, below: $0) }
        if target == nil, path == id.value, let noted = noted.resolve(path) {
            (target, root) = (noted, String(noted.dropLast(FolderFile.name(noted).count + 1)))
        }
        guard let target, let root else { throw .missing(service: id.service, what: "file \(shown)") }
        switch FolderFile(at: target, below: root) {
        case .gone: throw .missing(service: id.service, what: "file \(shown)")
        case .foreign: throw .missing(service: id.service, what: "picture in \(shown)")
        case .broken(let reason): throw .unreadable(FolderScan.leftOut(id.value, reason))
        case .picture(let type, let size, let lack):
            // Files of the program's own may have come since the folder was read.
            let listed = id.value.hasPrefix("/") ? nil : index.withLock { $0?.scan.beside }
            let facts = FolderFacts(
                at: path, target: target, below: root, type, size, beside: FilesBeside.json | FilesBeside.xmp,
                triesTakeouts: listed.map { $0 & FilesBeside.json != 0 } ?? true)
            let kept = thumbnails.areThere ? thumbnails : nil
            var detail = facts.detail(id.value, in: self.path, size: size, kept)
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
