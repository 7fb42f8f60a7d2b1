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
    }

    let wishes: [Wish]
    let failures: [Chosen.Failure]
    let directory: String
    let source: Source

    /// Asks for the details that full sizes need, in one go, and names every file.
    init(_ chosen: Chosen, _ options: FetchSettings, _ loaders: Loaders) async throws {
        var details = chosen.details.mapValues(Result<PhotoDetail, ServiceError>.success)
        if options.size == .full {
            let unknown = try loaders.lackingFullSizes(
                chosen.photos.map(\.photo).filter { details[$0.id] == nil })
            details.merge(try await loaders.details(of: unknown)) { known, _ in known }
        }
        var failures = chosen.failures
        var files: [(entry: IndexedPhoto, detail: PhotoDetail?, page: Int, rendition: Rendition)] = []
        for entry in chosen.photos {
            do {
                let detail = try details[entry.photo.id]?.get()
                let known = IndexedPhoto(index: entry.index, photo: detail?.photo ?? entry.photo)
                for (page, rendition) in try Self.renditions(known.photo, detail, options.size).enumerated() {
                    files.append((known, detail, page, rendition))
                }
            } catch let error as any ActionableError {
                failures.append(.init(index: entry.index, name: entry.label, error: error))
            }
        }
        var assignment = try await Self.names(options)
        let names = files.flatMap { assignment.names(of: $0.entry.photo, index: $0.entry.index, pages: [$0.page]) }
        self.wishes = try zip(files, names).enumerated().map { number, pair in
            let (file, name) = pair
            let source = try loaders.imageRequest(file.rendition, of: file.entry.photo)
            return Wish(
                entry: file.entry, detail: file.detail, address: file.rendition.url,
                item: DownloadItem(
                    number: number, photo: file.entry.photo.id, page: file.page, size: options.size,
                    source: source,
                    name: name.path, isNameUnique: name.isUnique))
        }
        self.failures = failures
        self.directory = options.directory
        self.source = loaders.source
    }

    /// A plan for files whose names are settled.
    init(_ wishes: [Wish], failures: [Chosen.Failure], directory: String, source: Source) {
        self.wishes = wishes
        self.failures = failures
        self.directory = directory
        self.source = source
    }

    private static func names(_ options: FetchSettings) async throws -> NameAssignment {
        guard FileManager.default.fileExists(atPath: options.directory) else {
            return NameAssignment(template: options.name)
        }
        return try await FolderCheck(of: URL(filePath: options.directory)).names(options.name)
    }

    private static func renditions(
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
