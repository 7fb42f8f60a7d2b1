import Foundation

/// Downloads the files of selected photos, batch by batch, for a page or a collage.
///
/// Photos come out in their order, each with all its files; one that lacks a file is reported and left out.
package struct PhotoGathering: Sendable {
    /// What happens on the way.
    package enum Event: Sendable {
        /// Files are about to be downloaded, or cannot be.
        case planned(FetchPlan)
        /// The progress of one of them.
        case download(DownloadEvent)
        /// The files of a photo are here, and cannot be published.
        case unusable(IndexedPhoto, PublishError)
    }

    /// The photos, and what the filter made of them.
    package private(set) var resolver: SelectionResolver
    private var planners: [FetchPlanner]
    /// Photos that turned out to be duplicates of earlier ones.
    package private(set) var duplicates = 0

    private let folder: TargetFolder
    private let limit: Int?
    private let skipsDuplicates: Bool
    private let comparison = PictureComparison()
    private let downloader: Downloader
    private let isForViewing: Bool
    /// Items planned so far.
    private var count = 0
    /// The error that ended the selection, held back until what came before it is downloaded.
    private var fault: (any ActionableError)?

    /// - Parameters:
    ///   - planners: one for each file that is wanted of a photo.
    ///   - folder: where files go.
    ///   - isForViewing: whether `folder` is one of pictures kept for viewing, which has names of its own.
    ///   - limit: photos at most; `nil` for all.
    ///   - skipsDuplicates: whether a photo is left out whose file is identical to an earlier one's.
    package init(
        _ resolver: SelectionResolver, _ planners: [FetchPlanner], into folder: TargetFolder,
        isForViewing: Bool = false, limit: Int?, skipsDuplicates: Bool, downloader: Downloader
    ) {
        self.resolver = resolver
        self.planners = planners
        self.folder = folder
        self.limit = limit
        self.skipsDuplicates = skipsDuplicates
        self.downloader = downloader
        self.isForViewing = isForViewing
    }

    /// The next photos; `nil` at the end or the limit.
    ///
    /// - Parameters:
    ///   - known: photos that came before, for the limit.
    ///   - report: called with each event, in order. What it throws ends the gathering.
    package mutating func next(
        after known: Int, report: (Event) async throws -> Void
    ) async throws -> [PublishedPhoto]? {
        if let limit, known >= limit { return nil }
        guard let resolved = try await nextResolved() else { return nil }
        let (plan, wanted) = try await plan(resolved)
        try await report(.planned(plan))
        var files: [Int: DownloadedFile] = [:]
        let items = plan.files.map(\.item)
        for await event in downloader.fetch(items, into: folder) {
            if case .finished(let item, let file) = event { files[item.number] = file }
            try await report(.download(event))
        }
        let gathered = wanted.filter { $0.items.allSatisfy { files[$0.number] != nil } }
        var photos: [PublishedPhoto] = []
        for photo in await originals(of: gathered, files).prefix(limit.map { $0 - known } ?? .max) {
            let (small, full) = (
                photo.files(.thumbnail, files).first?.url, photo.files(.full, files).map(\.url)
            )
            do throws(PublishError) {
                photos.append(
                    try await Disk.run { () throws(PublishError) in
                        try PublishedPhoto(
                            photo.entry, photo.detail, named: photo.name, thumbnail: small, full: full)
                    })
            } catch {
                try await report(.unusable(photo.entry, error))
            }
        }
        return photos
    }

    /// Several of the resolver's batches, so that downloads seldom wait for a list.
    private mutating func nextResolved() async throws -> ResolvedPhotos? {
        if let fault { throw fault }
        var resolved = ResolvedPhotos()
        do {
            while resolved.photos.count < 1000, let more = try await resolver.next() { resolved.add(more) }
        } catch let error as any ActionableError where !resolved.isEmpty {
            fault = error
        }
        return resolved.isEmpty ? nil : resolved
    }

    private mutating func originals(of photos: [Wanted], _ files: [Int: DownloadedFile]) async -> [Wanted] {
        guard skipsDuplicates else { return photos }
        var originals: [Wanted] = []
        for photo in photos {
            let full = photo.files(.full, files)
            let isNew = await comparison.take(full.isEmpty ? photo.files(.thumbnail, files) : full)
            if isNew { originals.append(photo) }
        }
        let found = photos.count - originals.count
        duplicates += found
        if found > 0 { resolver.takeBack(found) }
        return originals
    }

    // MARK: - Plans

    /// A photo with the items that are wanted of it.
    private struct Wanted {
        let entry: IndexedPhoto
        /// Its details, where these were requested.
        let detail: PhotoDetail?
        /// Its file's name, without an extension.
        let name: String
        var items: [DownloadItem] = []

        /// Its files of one size that have come, first page first.
        func files(_ size: PhotoFileSize, _ files: [Int: DownloadedFile]) -> [DownloadedFile] {
            items.filter { $0.size == size }.compactMap { files[$0.number] }
        }
    }

    private mutating func plan(_ resolved: ResolvedPhotos) async throws -> (FetchPlan, [Wanted]) {
        var plan = FetchPlan()
        var wanted: [Wanted] = []
        var positions: [PhotoID: Int] = [:]
        var rest = resolved
        for order in planners.indices {
            let part = try await planners[order].plan(rest)
            // A photo that has its full file does without a thumbnail.
            plan.failures += part.failures.filter { failure in
                guard order > 0, case .noFile? = failure.error as? ServiceError else { return true }
                return false
            }
            for file in part.files {
                let item = numbered(file.item)
                plan.files.append(
                    .init(entry: file.entry, detail: file.detail, address: file.address, item: item))
                let position = positions[file.entry.photo.id] ?? wanted.count
                if position == wanted.count {
                    positions[file.entry.photo.id] = position
                    wanted.append(Wanted(entry: file.entry, detail: file.detail, name: item.leaf))
                }
                wanted[position].items.append(item)
            }
            // What one plan knows better, the next begins with; what it cannot have, the next need not.
            rest.failures = []
            rest.photos = part.files.filter { $0.item.page == 0 }.map(\.entry)
        }
        return (plan, wanted)
    }

    /// The same item under a number of this gathering, and under another name where it is kept for viewing.
    private mutating func numbered(_ item: DownloadItem) -> DownloadItem {
        var item = item
        item.number = count
        count += 1
        guard isForViewing else { return item }
        item.name = PictureFolder.name(of: item.photo, item.source.url)
        item.isNameUnique = true
        return item
    }
}
