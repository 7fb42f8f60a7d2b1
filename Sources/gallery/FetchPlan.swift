import Foundation
import GalleryCore

/// Which files a fetch brings next, under which names: everything known before their first bytes move.
struct FetchPlan: Sendable {
    /// One file, with what its photo is called in messages.
    struct File: Sendable {
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

    var files: [File] = []
    var failures: [ResolvedPhotos.Failure] = []

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
}

/// OrderedTurns photos into files with names, photo after photo: earlier ones go before later ones.
struct FetchPlanner: Sendable {
    private let loaders: ServiceLoaders
    private let size: PhotoFileSize
    private let writesMetadata: Bool
    private var names: NameAssignment
    /// Files planned so far.
    private var count = 0

    /// A planner for a folder, where names that its record has given away stay theirs.
    init(_ settings: FetchSettings, _ loaders: ServiceLoaders) async throws {
        self.loaders = loaders
        size = settings.size
        writesMetadata = settings.writesMetadata
        names =
            FileManager.default.fileExists(atPath: settings.directory)
            ? try await FolderCheck(of: URL(filePath: settings.directory)).names(settings.name)
            : NameAssignment(template: settings.name)
    }

    /// The next part of the plan. Asks for the details that full sizes need, in one go.
    mutating func plan(_ chosen: ResolvedPhotos) async throws -> FetchPlan {
        var details = chosen.details.mapValues(Result<PhotoDetail, ServiceError>.success)
        if size == .full {
            let unknown = loaders.lackingFullSizes(
                chosen.photos.map(\.photo).filter { details[$0.id] == nil })
            details.merge(await loaders.details(of: unknown)) { known, _ in known }
        }
        var plan = FetchPlan(failures: chosen.failures)
        for entry in chosen.photos {
            do {
                let detail = try details[entry.photo.id]?.get()
                let known = IndexedPhoto(index: entry.index, photo: detail?.photo ?? entry.photo)
                plan.files += try files(known, detail, isNamed: chosen.named.contains(entry.photo.id))
            } catch let error as any ActionableError {
                plan.failures.append(.init(index: entry.index, name: entry.label, error: error))
            }
        }
        return plan
    }

    private mutating func files(
        _ entry: IndexedPhoto, _ detail: PhotoDetail?, isNamed: Bool
    ) throws -> [FetchPlan.File] {
        let renditions = try FetchPlan.renditions(entry.photo, detail, size)
        let requests = try renditions.map { try loaders.imageRequest($0, of: entry.photo) }
        let metadata = writesMetadata ? Self.metadata(of: entry, detail) : nil
        let names = names.names(of: entry.photo, index: entry.index, pages: Array(renditions.indices))
        defer { count += names.count }
        return names.enumerated().map { page, name in
            FetchPlan.File(
                entry: entry, detail: detail, address: renditions[page].url,
                item: DownloadItem(
                    number: count + page, photo: entry.photo.id, page: page, size: size,
                    source: requests[page], name: name.path, isNameUnique: name.isUnique, isNamed: isNamed,
                    metadata: metadata))
        }
    }
}

extension FetchPlanner {
    /// What stands beside a photo's file: all that is known of it, on one line.
    private static func metadata(of entry: IndexedPhoto, _ detail: PhotoDetail?) -> Data {
        let json = detail.map { entry.json(with: $0) } ?? entry.json
        return Data((json.text + "\n").utf8)
    }
}

/// The service offers no file of that size.
private struct NoSuchFile: StatusError {
    let service: String
    let size: String
    var description: String { "\(service) has no \(size) file for this photo." }
    var hint: String? { nil }
    var status: ExitStatus { .missing }
}
