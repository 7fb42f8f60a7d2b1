import Foundation
import Synchronization

/// Downloads the files of photos into a folder, several at once.
///
/// A file appears under its name only when it is whole; until then its bytes are in a part file, from which the next
/// download of the photo resumes. The folder's manifest, `.gallery.jsonl`, says which file belongs to which photo.
public struct PhotoDownloader: Sendable {
    /// What became of one file.
    public struct Outcome: Sendable {
        /// The photo.
        public let photo: Photo
        /// The file, or why it could not be downloaded: a ``ServiceError`` or a ``DownloadError``.
        public let file: Result<DownloadedFile, any Error>
    }

    private let loaders: ServiceLoaders
    private let downloader: Downloader
    private let planners = Planners()

    /// The planners of the folders downloaded into: reading a manifest takes longer than many a download.
    private final class Planners: Sendable {
        struct Key: Hashable {
            let folder: URL
            let size: PhotoFileSize
        }

        let known = Mutex<[Key: (folder: TargetFolder, planner: FetchPlanner)]>([:])
    }

    /// A downloader of photos that `loader` lists.
    public init(_ loader: PhotoLoader, configuration: Downloader.Configuration = Downloader.Configuration()) {
        loaders = ServiceLoaders(sharing: loader)
        downloader = Downloader(
            transport: loader.client.transport, configuration: configuration,
            paces: loader.client.shared.paces)
    }

    /// Downloads a photo's file, after requesting its details where only they say where the file is.
    ///
    /// - Parameters:
    ///   - photo: A photo of any service; of a work with several pages, the first page is downloaded.
    ///   - size: Which of the photo's files.
    ///   - folder: The folder, created if missing.
    /// - Returns: The file, which may have been there already.
    /// - Throws: The errors of ``Outcome/file``.
    public func file(
        of photo: Photo, size: PhotoFileSize = .full, into folder: URL
    ) async throws -> DownloadedFile {
        let (folder, plan) = try await plan([photo], size, folder)
        if let failure = plan.failures.first { throw failure.error }
        guard let first = plan.files.first else { throw DownloadError.cancelled }
        return try await downloader.file(first.item, into: folder)
    }

    /// Downloads the files of several photos, of works with several pages every page.
    ///
    /// - Returns: Outcomes as files end. Ending the iteration cancels the rest and keeps the parts.
    /// - Throws: ``DownloadError`` where the folder's manifest cannot be read.
    public func files(
        of photos: [Photo], size: PhotoFileSize = .full, into folder: URL
    ) async throws -> AsyncStream<Outcome> {
        let (folder, plan) = try await plan(photos, size, folder)
        let planned = Dictionary(
            plan.files.map { ($0.item.number, $0.entry.photo) }, uniquingKeysWith: { first, _ in first })
        let events = downloader.fetch(plan.files.map(\.item), into: folder)
        let (outcomes, continuation) = AsyncStream.makeStream(of: Outcome.self)
        for failure in plan.failures {
            guard let index = failure.index else { continue }
            continuation.yield(Outcome(photo: photos[index - 1], file: .failure(failure.error)))
        }
        let task = Task {
            for await event in events {
                switch event {
                case .finished(let item, let file):
                    guard let photo = planned[item.number] else { continue }
                    continuation.yield(Outcome(photo: photo, file: .success(file)))
                case .failed(let item, let error):
                    guard let photo = planned[item.number] else { continue }
                    continuation.yield(Outcome(photo: photo, file: .failure(error)))
                case .started, .progress, .waiting, .duplicate, .revoked: continue
                }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return outcomes
    }

    /// A plan in which each photo's index is its position in `photos`, from 1.
    private func plan(
        _ photos: [Photo], _ size: PhotoFileSize, _ folder: URL
    ) async throws -> (TargetFolder, FetchPlan) {
        var resolved = ResolvedPhotos()
        resolved.photos = photos.enumerated().map { IndexedPhoto(index: $0 + 1, photo: $1) }
        let (target, planner) = try await planner(for: .init(folder: folder, size: size))
        return (target, try await planner.plan(resolved))
    }

    private func planner(for key: Planners.Key) async throws -> (TargetFolder, FetchPlanner) {
        if let known = planners.known.withLock({ $0[key] }), !(await Disk.run { known.folder.isStale }) {
            return known
        }
        let target = TargetFolder(key.folder)
        var options = FetchPlanner.Options(named: .standard(for: key.size))
        options.size = key.size
        let planner = try await FetchPlanner(into: target, options, loaders: loaders)
        planners.known.withLock { $0[key] = (target, planner) }
        return (target, planner)
    }
}
