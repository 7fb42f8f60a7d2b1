import Foundation

/// Downloads the files of selected photos, batch by batch, for a page or a collage.
///
/// Photos come out in their order, each with all its files; one that lacks a file is reported and left out.
package struct PhotoGathering: Sendable {
    /// A photo whose files are there.
    package struct Gathered: Sendable {
        /// The photo, with its details where these were requested.
        package let entry: IndexedPhoto
        /// The details themselves; `nil` where they were not requested.
        package let detail: PhotoDetail?
        /// The path that its file's name comes from, below the folder and without an extension.
        package let name: String
        /// The small file; `nil` where it was not wanted, or the service has none.
        package let thumbnail: DownloadedFile?
        /// The full files, first page first; empty where they were not wanted.
        package let full: [DownloadedFile]
    }

    /// What happens on the way.
    package enum Event: Sendable {
        /// Files are about to be downloaded, or cannot be. `expected` is the number of photos in all, if known.
        case planned(FetchPlan, expected: Int?)
        /// The progress of one of them.
        case download(DownloadEvent)
    }

    /// The photos, and what the filter made of them.
    package private(set) var resolver: SelectionResolver
    private var planners: [FetchPlanner]
    /// Photos that turned out to be duplicates of earlier ones.
    package private(set) var duplicates = 0

    private let folder: URL
    private let limit: Int?
    private let skipsDuplicates: Bool
    private let comparison = PictureComparison()
    private let downloader: @Sendable ([DownloadItem]) -> Downloader
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
    ///   - downloader: downloads the items of a batch.
    package init(
        _ resolver: SelectionResolver, _ planners: [FetchPlanner], into folder: URL,
        isForViewing: Bool = false,
        limit: Int?, skipsDuplicates: Bool, downloader: @escaping @Sendable ([DownloadItem]) -> Downloader
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
    ///   - report: called with each event, in order.
    package mutating func next(
        after known: Int, report: (Event) throws -> Void
    ) async throws -> [Gathered]? {
        if let limit, known >= limit { return nil }
        guard let resolved = try await nextResolved() else { return nil }
        let plan = try await plan(resolved)
        try report(.planned(plan.all, expected: resolver.expected))
        var files: [Int: DownloadedFile] = [:]
        let items = plan.all.files.map(\.item)
        for await event in downloader(items).fetch(items, into: folder) {
            if case .finished(let item, let file) = event { files[item.number] = file }
            try report(.download(event))
        }
        let gathered = await originals(of: plan.photos.compactMap { $0.gathered(files) }, resolved.named)
        return limit.map { Array(gathered.prefix($0 - known)) } ?? gathered
    }

    /// Several of the resolver's batches: for each download the folder's manifest is read anew.
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

    private mutating func originals(of photos: [Gathered], _ named: Set<PhotoID>) async -> [Gathered] {
        guard skipsDuplicates else { return photos }
        var originals: [Gathered] = []
        for photo in photos {
            let files = photo.full.isEmpty ? [photo.thumbnail].compactMap(\.self) : photo.full
            if await comparison.take(files) { originals.append(photo) }
        }
        let found = photos.count - originals.count
        duplicates += found
        if found > 0 { resolver.takeBack(found) }
        return originals
    }

    // MARK: - Plans

    /// Files of one photo, by their items' numbers.
    private struct Wanted {
        let entry: IndexedPhoto
        let detail: PhotoDetail?
        let name: String
        var thumbnail: Int?
        var full: [Int] = []

        /// The photo, if all its files have come.
        func gathered(_ files: [Int: DownloadedFile]) -> Gathered? {
            let pages = full.compactMap { files[$0] }
            guard pages.count == full.count, thumbnail == nil || thumbnail.flatMap({ files[$0] }) != nil
            else {
                return nil
            }
            return Gathered(
                entry: entry, detail: detail, name: name, thumbnail: thumbnail.flatMap { files[$0] },
                full: pages)
        }
    }

    private struct Plan {
        var all = FetchPlan()
        var photos: [Wanted] = []
    }

    private mutating func plan(_ resolved: ResolvedPhotos) async throws -> Plan {
        var parts: [FetchPlan] = []
        var rest = resolved
        for index in planners.indices {
            let part = try await planners[index].plan(rest)
            parts.append(part)
            // What one plan knows better, the next begins with; what it cannot have, the next need not.
            rest.failures = []
            rest.photos = Self.photos(of: part)
        }
        return joined(parts)
    }

    private static func photos(of plan: FetchPlan) -> [IndexedPhoto] {
        plan.files.filter { $0.item.page == 0 }.map(\.entry)
    }

    private mutating func joined(_ parts: [FetchPlan]) -> Plan {
        var plan = Plan()
        var byPhoto: [PhotoID: Int] = [:]
        for (order, part) in parts.enumerated() {
            // A photo that has its full file does without a thumbnail.
            plan.all.failures += part.failures.filter { failure in
                if order > 0, case ServiceError.noFile? = failure.error as? ServiceError {
                    false
                } else {
                    true
                }
            }
            for file in part.files {
                let item = file.item.numbered(count, isForViewing: isForViewing)
                count += 1
                plan.all.files.append(
                    .init(entry: file.entry, detail: file.detail, address: file.address, item: item))
                let id = file.entry.photo.id
                let position = byPhoto[id] ?? plan.photos.count
                if byPhoto[id] == nil {
                    byPhoto[id] = position
                    plan.photos.append(Wanted(entry: file.entry, detail: file.detail, name: item.name))
                }
                switch item.size {
                case .thumbnail: plan.photos[position].thumbnail = item.number
                case .full: plan.photos[position].full.append(item.number)
                }
            }
        }
        return plan
    }
}

extension DownloadItem {
    /// The same item under another number, and under another name where it is kept for viewing.
    fileprivate func numbered(_ number: Int, isForViewing: Bool) -> DownloadItem {
        DownloadItem(
            number: number, photo: photo, page: page, size: size, source: source,
            name: isForViewing ? PictureFolder.name(of: photo, source.url) : name,
            isNameUnique: isForViewing || isNameUnique, isNamed: isNamed, metadata: metadata, base: base)
    }
}
