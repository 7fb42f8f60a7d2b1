import Foundation
import GalleryCore

/// Which files a fetch brings, under which names: everything known before the first byte moves.
struct FetchPlan {
    /// One file, with what its photo is called in messages.
    struct Wish {
        let entry: IndexedPhoto
        let detail: PhotoDetail?
        /// Where the file is, as the service names it.
        let address: URL
        let item: DownloadItem

        /// `photo 7`, or by its identifier where it has no index.
        var label: String { entry.label }

        /// The photo's title, or its label where it has none. Untrusted text.
        var title: String { entry.photo.title.isEmpty ? label : entry.photo.title }
    }

    private(set) var wishes: [Wish] = []
    private(set) var failures: [Chosen.Failure] = []
    let directory: String
    let source: Source
    private let size: PhotoFileSize
    private var names: NameAssignment

    /// Asks for the details that full sizes need, in one go, and names every file.
    init(_ chosen: Chosen, _ options: FetchSettings, _ loaders: Loaders) async throws {
        directory = options.directory
        source = loaders.source
        size = options.size
        names = NameAssignment(
            template: options.name, taken: try await Self.recordedNames(options.directory))
        try await add(chosen, loaders)
    }

    /// Adds more photos, whose names give way to those that were there before.
    mutating func add(_ chosen: Chosen, _ loaders: Loaders) async throws {
        var details = chosen.details.mapValues(Result<PhotoDetail, ServiceError>.success)
        if size == .full {
            let unknown = try loaders.lackingFullSizes(
                chosen.photos.map(\.photo).filter { details[$0.id] == nil })
            details.merge(try await loaders.details(of: unknown)) { known, _ in known }
        }
        failures += chosen.failures
        for entry in chosen.photos {
            do {
                let detail = try details[entry.photo.id]?.get()
                let known = IndexedPhoto(index: entry.index, photo: detail?.photo ?? entry.photo)
                try add(known, detail, isNamed: chosen.named.contains(entry.photo.id), loaders)
            } catch let error as any ActionableError {
                failures.append(.init(index: entry.index, name: entry.label, error: error))
            }
        }
    }

    private mutating func add(
        _ entry: IndexedPhoto, _ detail: PhotoDetail?, isNamed: Bool, _ loaders: Loaders
    ) throws {
        let renditions = try Self.renditions(entry.photo, detail, size)
        let requests = try renditions.map { try loaders.imageRequest($0, of: entry.photo) }
        let names = names.names(of: entry.photo, index: entry.index, pages: Array(renditions.indices))
        for (page, name) in names.enumerated() {
            wishes.append(
                Wish(
                    entry: entry, detail: detail, address: renditions[page].url,
                    item: DownloadItem(
                        number: wishes.count, photo: entry.photo.id, page: page, size: size,
                        source: requests[page], name: name.path, isNameUnique: name.isUnique,
                        isNamed: isNamed)))
        }
    }

    /// Adds what could not be had.
    mutating func fail(_ failure: Chosen.Failure) { failures.append(failure) }

    /// A plan for files whose names are settled.
    init(_ wishes: [Wish], failures: [Chosen.Failure], _ settings: FetchSettings, source: Source) {
        self.wishes = wishes
        self.failures = failures
        self.source = source
        directory = settings.directory
        size = settings.size
        names = NameAssignment(template: settings.name)
    }

    /// Names that the folder's record has given away.
    private static func recordedNames(_ directory: String) async throws -> [String: NameAssignment.Owner] {
        guard FileManager.default.fileExists(atPath: directory) else { return [:] }
        return try await FolderCheck(of: URL(filePath: directory)).owners()
    }

    /// The files of a photo, in the order of its pages.
    static func renditions(
        _ photo: Photo, _ detail: PhotoDetail?, _ size: PhotoFileSize
    ) throws -> [Rendition] {
        if size == .full, let pages = detail?.pages, !pages.isEmpty { return pages }
        guard let rendition = size == .full ? photo.full : photo.thumbnail else {
            throw NoSuchFile(service: photo.id.service, size: size.rawValue)
        }
        return [rendition]
    }

    /// A path below the directory, as the user would type it.
    func path(_ name: String) -> String {
        directory == "." ? name : directory.hasSuffix("/") ? directory + name : directory + "/" + name
    }

    /// `--dry-run`: each file's name without its extension, and where it would come from.
    func printWishes(_ context: Context) throws {
        for wish in wishes {
            let address = PlainText.line(wish.address.absoluteString)
            try context.terminal.result("\(path(wish.item.name))\t\(address)")
        }
        try context.terminal.flush()
        try Failures(failures).end(context, succeeded: wishes.count)
    }
}

extension IndexedPhoto {
    /// What messages call the photo.
    var label: String { index.map { "photo \($0)" } ?? "photo \(PlainText.excerpt(photo.id.value))" }
}

/// The service offers no file of that size.
private struct NoSuchFile: StatusError {
    let service: String
    let size: String
    var description: String { "\(service) offers no \(size) file of it." }
    var hint: String? { nil }
    var status: ExitStatus { .missing }
}
