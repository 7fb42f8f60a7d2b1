import Curation
import Foundation
import GalleryCore

/// `--unique` of a list: compares the photos' full files, those of a folder where they are. The others it brings into
/// the cache, as `browse` does.
struct ListDuplicates {
    private let planner: FetchPlanner
    private let pictures: PictureFolder
    private let digests: FileDigests
    private let terminal: Terminal
    private let comparison = PictureComparison()

    private static let atOnce = 6

    init(_ context: Context, _ service: ServiceOptions, _ loaders: ServiceLoaders) async throws {
        planner = try await FetchPlanner(into: nil, .init(named: .standard), loaders: loaders)
        terminal = context.terminal
        pictures = context.pictures(through: loaders.images, service)
        digests = FileDigests(context.folders.digests)
        await pictures.prepare()
    }

    /// Those of `photos` that are no duplicates of one before. What cannot be compared stays; a line says why.
    func originals(of photos: [IndexedPhoto]) async throws -> [IndexedPhoto] {
        var resolved = ResolvedPhotos()
        resolved.photos = photos
        let plan = try await planner.plan(resolved)
        for failure in plan.failures { say(failure.error, about: failure.name) }
        let files = await files(of: plan.files.map(\.item))
        let planned = Dictionary(grouping: plan.files, by: \.entry.index)
        var originals: [IndexedPhoto] = []
        for photo in photos {
            do {
                let own = try planned[photo.index, default: []].compactMap {
                    try files[$0.item.number]?.get()
                }
                guard !own.isEmpty, await !comparison.take(own) else {
                    originals.append(photo)
                    continue
                }
            } catch {
                say(error, about: photo.label)
                originals.append(photo)
            }
        }
        return originals
    }

    private typealias File = Result<DownloadedFile, DownloadError>

    /// By the number of their item; a few come at once.
    private func files(of items: [DownloadItem]) async -> [Int: File] {
        let local = await digests.files(at: items.map(\.source.url).filter(\.isFileURL))
        return await withTaskGroup(of: (Int, File).self) { [pictures] group in
            var files: [Int: File] = [:]
            for item in items { files[item.number] = local[item.source.url].map { .success($0) } }
            for (position, item) in items.filter({ files[$0.number] == nil }).enumerated() {
                if position >= Self.atOnce, let (number, file) = await group.next() { files[number] = file }
                group.addTask { (item.number, await Self.file(of: item, pictures)) }
            }
            for await (number, file) in group { files[number] = file }
            return files
        }
    }

    /// Never part of the task's closure above: Swift 6.3.1, optimizing, returns a wrong number with a result that
    /// typed throws make there.
    private static func file(of item: DownloadItem, _ pictures: PictureFolder) async -> File {
        do {
            return .success(try await pictures.file(of: item.photo, item.source) { _, _ in })
        } catch {
            return .failure(error)
        }
    }

    private func say(_ error: any Error, about name: String) {
        let reason = (error as? any ActionableError)?.description ?? "\(error)"
        terminal.message("Warning: \(name) could not be compared. \(PlainText.line(reason))")
    }
}
