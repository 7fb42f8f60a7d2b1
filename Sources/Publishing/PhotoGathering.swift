import Curation
import Foundation
import GalleryCore
import PictureFiles

/// Downloads the files of selected photos, batch by batch, for a page or a collage.
///
/// Photos come out in their order, each with all its files; one that lacks a file is reported and left out.
package struct PhotoGathering: Sendable {
    package enum Event: Sendable {
        /// Files are about to be downloaded, or cannot be.
        case planned(FetchPlan)
        case download(DownloadEvent)
        /// So many photos of as many have their smaller pictures.
        case made(Int, of: Int)
        /// Smaller pictures of a photo could not be made, and it is published without.
        case unmade(IndexedPhoto, PictureMakingFault)
        /// The files of a photo are here, and cannot be published.
        case unusable(IndexedPhoto, PublishError)
    }

    package struct Wish: Sendable {
        package enum Purpose: Sendable {
            case page, grid
            /// Nothing but what is made of them where they are.
            case source
        }

        let planner: FetchPlanner
        let purpose: Purpose
        let isOf: @Sendable (Photo) -> Bool

        /// Files of those photos of which `isOf` is true.
        package init(
            _ planner: FetchPlanner, for purpose: Purpose = .page,
            isOf: @escaping @Sendable (Photo) -> Bool = { _ in true }
        ) {
            (self.planner, self.purpose, self.isOf) = (planner, purpose, isOf)
        }
    }

    /// The photos, and what the filter made of them.
    package private(set) var resolver: SelectionResolver
    private var wishes: [Wish]
    /// What is asked of photos beyond what their lists say.
    package enum Details: Sendable {
        case ofNone
        /// What files of this machine say of themselves, which costs no request.
        case ofFiles
        /// Of photos of services too.
        case ofAll
    }

    /// What is wanted of as many photos.
    package typealias Fit = @Sendable (Int) async throws -> (wish: Wish, sizes: PublishedSizes)

    /// The names of photos that turned out to be duplicates of earlier ones.
    package private(set) var duplicates: [String] = []
    /// Whether larger pictures are published than are looked at, because nothing is there that makes smaller ones.
    package private(set) var isUnmade = false

    /// Photos whose details were asked for and did not come, and why the last of them did not.
    package private(set) var undetailed: (count: Int, reason: String) = (0, "")

    /// Photos whose own files are not published, because their metadata cannot be removed.
    package private(set) var uncleaned = 0

    private let folder: TargetFolder
    /// Where files are put once they have come; `nil` where they stay.
    private let site: SitePictures?
    private let limit: Int?
    private let skipsDuplicates: Bool
    private let comparison = PictureComparison()
    private let downloader: Downloader
    private let isForViewing: Bool
    private let details: Details
    private var sizes: PublishedSizes
    private let fit: Fit?
    private let made: MadePictures?
    private var count = 0
    /// Where those of the current plan are that are files of this machine, by their numbers.
    private var own: [Int: URL] = [:]

    /// - Parameters:
    ///   - wishes: the files that are wanted of each photo.
    ///   - folder: where files go.
    ///   - site: where those are put that are published; `nil` where they stay.
    ///   - sizes: those of the pictures that are published.
    ///   - made: where smaller pictures are made; `nil` where nothing makes any.
    ///   - isForViewing: whether `folder` is one of pictures kept for viewing, which has names of its own.
    ///   - details: what to ask of photos beyond their lists.
    ///   - fit: what is wanted instead, and which sizes, of as many photos as are found first.
    ///   - limit: photos at most; `nil` for all.
    ///   - skipsDuplicates: whether a photo is left out whose file is identical to an earlier one's.
    package init(
        _ resolver: SelectionResolver, _ wishes: [Wish], into folder: TargetFolder,
        of site: SitePictures? = nil, isForViewing: Bool = false, details: Details = .ofNone,
        _ sizes: PublishedSizes, _ made: MadePictures?, limit: Int?, fit: Fit? = nil, skipsDuplicates: Bool,
        downloader: Downloader
    ) {
        self.resolver = resolver
        self.wishes = wishes
        self.folder = folder
        self.site = site
        self.sizes = sizes
        self.made = made
        self.limit = limit
        self.skipsDuplicates = skipsDuplicates
        self.downloader = downloader
        (self.isForViewing, self.details, self.fit) = (isForViewing, details, fit)
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
        if let fit, known == 0 {
            let fitting = try await fit(min(resolved.photos.count, limit ?? .max))
            (wishes, sizes) = ([fitting.wish], fitting.sizes)
        }
        let (plan, wanted) = try await plan(resolved)
        try await report(.planned(plan))
        var files: [Int: DownloadedFile] = [:]
        var items: [DownloadItem] = []
        for item in plan.files.map(\.item) {
            guard let file = await site?.present(item, at: own[item.number]) else {
                items.append(item)
                continue
            }
            files[item.number] = file
            try await report(.download(.finished(item, file)))
        }
        for await event in downloader.fetch(items, into: folder) {
            if case .finished(let item, let file) = event { files[item.number] = file }
            try await report(.download(event))
        }
        let gathered = wanted.filter { $0.isPublishable(files) }
        let chosen = Array(await originals(of: gathered, files).prefix(limit.map { $0 - known } ?? .max))
        return try await published(chosen, files, report)
    }

    /// Some at once, since smaller pictures take a program each.
    private mutating func published(
        _ chosen: [Wanted], _ files: [Int: DownloadedFile], _ report: (Event) async throws -> Void
    ) async throws -> [PublishedPhoto] {
        var outcomes: [Int: Outcome] = [:]
        try await withThrowingTaskGroup(of: Outcome.self) { group in
            for (offset, photo) in chosen.enumerated() {
                if offset >= Self.atOnce, let outcome = try await group.next() {
                    outcomes[outcome.offset] = outcome
                    try await report(.made(outcomes.count, of: chosen.count))
                }
                group.addTask { [sizes, made, site] in
                    await Outcome(of: photo, at: offset, files, site, PictureSet(sizes, made))
                }
            }
            for try await outcome in group {
                outcomes[outcome.offset] = outcome
                try await report(.made(outcomes.count, of: chosen.count))
            }
        }
        var photos: [PublishedPhoto] = []
        for (offset, wanted) in chosen.enumerated() {
            guard let outcome = outcomes[offset] else { continue }
            isUnmade = isUnmade || outcome.set.isUnmade
            uncleaned += outcome.set.isUncleaned ? 1 : 0
            switch outcome.photo {
            case .success(let photo):
                if let fault = outcome.set.fault { try await report(.unmade(wanted.entry, fault)) }
                photos.append(photo)
            // On a full disk, a page of a few photos would replace that of all.
            case .failure(.cannotWrite(let path, let failure)) where failure.isLackOfRoom:
                throw PublishError.cannotWrite(path: path, failure)
            case .failure(let error): try await report(.unusable(wanted.entry, error))
            }
        }
        return photos
    }

    /// Photos whose pictures are made at once; the maker has limits of its own.
    private static let atOnce = 16

    /// So many that downloads seldom wait for a list.
    private mutating func nextResolved() async throws -> ResolvedPhotos? {
        guard var resolved = try await resolver.next(1000) else { return nil }
        resolved.photos = resolved.photos.map {
            IndexedPhoto(index: $0.index, photo: $0.photo.withoutThumbnails)
        }
        resolved.details = resolved.details.mapValues { detail in
            var detail = detail
            detail.photo = detail.photo.withoutThumbnails
            return detail
        }
        return resolved
    }

    private mutating func originals(of photos: [Wanted], _ files: [Int: DownloadedFile]) async -> [Wanted] {
        guard skipsDuplicates else { return photos }
        var originals: [Wanted] = []
        for photo in photos {
            let ofPage = photo.files(files, ofGrid: false)
            let all = ofPage.isEmpty ? photo.files(files, ofGrid: true) : ofPage
            // Nothing came of one whose pictures are made where it is.
            let isNew = await comparison.take(all)
            if all.isEmpty || isNew {
                originals.append(photo)
            } else {
                duplicates.append(photo.entry.shortName)
            }
        }
        if originals.count < photos.count { resolver.takeBack(photos.count - originals.count) }
        return originals
    }

    /// What came of a photo. A type of its own, made by a function of its own: as a tuple made in the task's closure,
    /// with a typed error, Swift 6.3 returned garbage where it optimized.
    private struct Outcome: Sendable {
        let offset: Int
        let photo: Result<PublishedPhoto, PublishError>
        let set: PictureSet

        init(
            of wanted: Wanted, at offset: Int, _ files: [Int: DownloadedFile], _ site: SitePictures?,
            _ set: PictureSet
        ) async {
            var set = set
            let photo: Result<PublishedPhoto, PublishError>
            do {
                photo = .success(try await wanted.published(files, site, &set))
            } catch {
                photo = .failure(error)
            }
            (self.offset, self.photo, self.set) = (offset, photo, set)
        }
    }

    // MARK: - Plans

    private struct Wanted {
        let entry: IndexedPhoto
        /// Its details, where these were requested.
        let detail: PhotoDetail?
        /// Its file's name, without an extension.
        let name: String
        /// The folder of this machine whose photos may be published, and the files that may be besides.
        let roots: [URL]
        let noted: NotedFiles
        var items: [(item: DownloadItem, isForGrid: Bool)] = []

        /// Its files that have come, first page first, each once.
        func files(_ files: [Int: DownloadedFile], ofGrid isForGrid: Bool) -> [DownloadedFile] {
            came(files, ofGrid: isForGrid).map(\.file)
        }

        private func came(
            _ files: [Int: DownloadedFile], ofGrid isForGrid: Bool
        ) -> [(item: DownloadItem, file: DownloadedFile)] {
            items.filter { $0.isForGrid == isForGrid }.compactMap { wanted in
                files[wanted.item.number].map { (wanted.item, $0) }
            }
        }

        /// Where a file of it is published, without an extension.
        private func path(of item: DownloadItem, isForGrid: Bool) -> String {
            var path = (isForGrid ? "thumbs/" : "full/") + name
            if item.page > 0 { path += "_p\(item.page)" }
            if case .pixels(let pixels) = item.size { path += "_\(pixels)" }
            return path
        }

        /// Whether enough has come: all of its page, or of the grid what stands for that.
        func isPublishable(_ files: [Int: DownloadedFile]) -> Bool {
            func came(_ item: (item: DownloadItem, isForGrid: Bool)) -> Bool {
                files[item.item.number] != nil
            }
            let (ofPage, ofGrid) = (items.filter { !$0.isForGrid }, items.filter(\.isForGrid))
            if ofPage.isEmpty { return ofGrid.isEmpty || ofGrid.contains(where: came) }
            let isShownSmaller = ofGrid.contains { $0.item.size != .thumbnail && came($0) }
            return ofPage.allSatisfy(came) || !ofPage.contains(where: came) && isShownSmaller
        }

        func published(
            _ files: [Int: DownloadedFile], _ site: SitePictures?, _ set: inout PictureSet
        ) async throws(PublishError) -> PublishedPhoto {
            let original = try await source()
            var (pages, small) = ([PictureSet.Original](), [PublishedPicture]())
            for (item, file) in came(files, ofGrid: false) {
                let page = try await put(file, item, isForGrid: false, site)
                set.isUncleaned = set.isUncleaned || !page.isPublished
                pages.append(page)
            }
            for (item, file) in came(files, ofGrid: true) {
                let picture = try await put(file, item, isForGrid: true, site)
                if picture.isPublished { small.append(picture.picture) }
            }
            let isFull = items.contains { !$0.isForGrid && $0.item.size == .full }
            return try await PublishedPhoto(
                entry, detail, named: name, files: pages, isFull: isFull, small: small, own: original, &set)
        }

        /// A file that came, where it is published.
        private func put(
            _ file: DownloadedFile, _ item: DownloadItem, isForGrid: Bool, _ site: SitePictures?
        ) async throws(PublishError) -> PictureSet.Original {
            guard let site else {
                return try await Disk.run { () throws(PublishError) in
                    var original = try PictureSet.Original(of: file.url, digest: file.digest)
                    let picture = original.picture
                    original.isPublished = picture.isCleanable
                    return original
                }
            }
            let path = path(of: item, isForGrid: isForGrid)
            if let put = try await site.put(file.url, digest: file.digest, at: path, as: item) { return put }
            let name = path.split(separator: "/").last.map(String.init)
            return try await unpublished(file.url, digest: file.digest, named: name ?? self.name)
        }

        /// The file of this machine that nothing is published of but what is made of it.
        private func source() async throws(PublishError) -> PictureSet.Original? {
            guard items.isEmpty, let file = entry.photo.ownFile else { return nil }
            return try await unpublished(Self.found(file, below: roots, or: noted), named: name)
        }

        private func unpublished(
            _ file: URL, digest: String? = nil, named name: String
        ) async throws(PublishError) -> PictureSet.Original {
            var original = try await Disk.run { () throws(PublishError) in
                try PictureSet.Original(of: file, digest: digest, named: name)
            }
            original.isPublished = false
            return original
        }

        static func found(_ file: URL, below roots: [URL], or noted: NotedFiles) throws(PublishError) -> URL {
            if let found = FolderScan.find(file, below: roots) { return found }
            if let found = noted.resolve(file.path(percentEncoded: false)) { return URL(filePath: found) }
            throw .outside(path: PublishError.shown(file))
        }
    }

    /// The file of this machine that `item` is, which is read where it is; `nil` for one that is to be downloaded.
    private func ownFile(of item: DownloadItem, _ photo: Photo, _ wish: Wish) throws(PublishError) -> URL? {
        guard site != nil, wish.purpose != .source, item.source.url.isFileURL else { return nil }
        if item.size == .full, photo.ownFile == item.source.url {
            return try Wanted.found(item.source.url, below: resolver.roots, or: resolver.loaders.noted)
        }
        return resolver.page.flatMap { FolderScan.find(item.source.url, below: [$0]) }
    }

    private mutating func detailed(_ resolved: ResolvedPhotos) async -> ResolvedPhotos {
        let photos = resolved.photos.map(\.photo).filter { photo in
            (details == .ofAll || photo.ownFile != nil) && resolved.details[photo.id] == nil
        }
        guard !photos.isEmpty else { return resolved }
        let files = Dictionary(photos.compactMap { photo in photo.ownFile.map { (photo.id, $0) } }) {
            first, _ in first
        }
        var detailed = resolved
        for (id, detail) in await resolver.loaders.details(of: photos) {
            switch detail {
            case .success(var detail):
                // What was said of a photo on standard input may be of another file.
                guard files[id] == nil || detail.photo.ownFile == files[id] else { continue }
                detail.photo = detail.photo.withoutThumbnails
                detailed.details[id] = detail
            case .failure(let error) where files[id] == nil:
                undetailed = (undetailed.count + 1, error.description)
            case .failure: continue
            }
        }
        return detailed
    }

    private mutating func plan(_ resolved: ResolvedPhotos) async throws -> (FetchPlan, [Wanted]) {
        let resolved = details == .ofNone ? resolved : await detailed(resolved)
        own = [:]
        var plan = FetchPlan()
        var wanted: [Wanted] = []
        var positions: [PhotoID: Int] = [:]
        var rest = resolved
        for wish in wishes {
            var wished = rest
            wished.photos = rest.photos.filter { wish.isOf($0.photo) }
            let part = try await wish.planner.plan(wished)
            // A photo that has a file does without a smaller one.
            plan.failures += part.failures.filter { failure in
                guard let id = failure.photo?.id, positions[id] != nil,
                    case .noFile? = failure.error as? ServiceError
                else { return true }
                return false
            }
            // The grid shows the first page of a work.
            for file in part.files where wish.purpose == .page || file.item.page == 0 {
                let item = numbered(file.item)
                do throws(PublishError) {
                    own[item.number] = try ownFile(of: item, file.entry.photo, wish)
                } catch {
                    plan.failures.append(.init(file.entry, error))
                    continue
                }
                let position = positions[file.entry.photo.id] ?? wanted.count
                if position == wanted.count {
                    positions[file.entry.photo.id] = position
                    wanted.append(
                        Wanted(
                            entry: file.entry, detail: file.detail,
                            name: site == nil ? item.photoName : PhotoSite.name(of: file.entry.photo.id),
                            roots: resolver.roots, noted: resolver.loaders.noted))
                }
                guard wish.purpose != .source else { continue }
                plan.files.append(
                    .init(entry: file.entry, detail: file.detail, address: file.address, item: item))
                wanted[position].items.append((item, wish.purpose == .grid))
            }
            // What one plan knows better, the next begins with; what it cannot have, the next need not.
            let planned = Dictionary(part.files.map { ($0.entry.photo.id, $0.entry) }) { first, _ in first }
            let left = Set(wished.photos.map(\.photo.id)).subtracting(planned.keys)
            rest.failures = []
            rest.photos = rest.photos.filter { !left.contains($0.photo.id) }.map {
                planned[$0.photo.id] ?? $0
            }
        }
        return (plan, wanted)
    }

    /// The same item under a number of this gathering, and under another name where it is kept for viewing.
    private mutating func numbered(_ item: DownloadItem) -> DownloadItem {
        var item = item
        item.number = count
        item.standIns = item.standIns.map { numbered($0) }
        count += item.standIn == nil ? 1 : 0
        guard isForViewing else { return item }
        item.name = PictureFolder.name(of: item.photo, item.source.url)
        item.isNameUnique = true
        return item
    }
}

extension DownloadItem {
    /// What its photo's page is called: like the file, but for the pixels in its name.
    package var photoName: String {
        guard case .pixels = size, leaf.hasSuffix("_" + size.rawValue) else { return leaf }
        return String(leaf.dropLast(size.rawValue.count + 1))
    }
}
