import Foundation
import GalleryCore

/// The key `f`: downloads one photo as `gallery fetch` would, reusing bytes that browsing has loaded.
struct BrowseFetch: Sendable {
    let setup: BrowseSession.Setup

    /// Downloads the photo, and returns the result for the status line.
    ///
    /// - Parameters:
    ///   - detail: The photo's details if they are known, to save a request.
    ///   - progress: Called with the progress of the file that is on its way.
    func fetch(
        _ entry: IndexedPhoto, _ detail: PhotoDetail?,
        progress: @Sendable (PhotoCursorState.Progress) -> Void
    ) async -> BrowseModel.Notice {
        do {
            var chosen = ResolvedPhotos()
            chosen.photos = [entry]
            // Prefer the list's address, as browsing does: the bytes of another one are not here.
            if let detail, entry.photo.full == nil || !detail.pages.isEmpty {
                chosen.details[entry.photo.id] = detail
            }
            let folder = setup.settings.folder
            let planner = try await FetchPlanner(
                into: folder, setup.settings.planning, loaders: setup.sources.loaders)
            let plan = try await planner.plan(chosen)
            if let failure = plan.failures.first { throw failure.error }
            return try await carryOut(plan, into: folder, progress)
        } catch {
            return .init(text: "\(entry.label): \(error)", isError: true)
        }
    }

    private func carryOut(
        _ plan: FetchPlan, into folder: TargetFolder,
        _ progress: @Sendable (PhotoCursorState.Progress) -> Void
    ) async throws -> BrowseModel.Notice {
        let transport = KeptPictureTransport(setup.sources.pictures, otherwise: setup.sources.loaders.images)
        let downloader = Downloader(
            transport: transport, configuration: setup.settings.downloads, paces: setup.context.shared.paces)
        let files = try await downloader.files(plan.files.map(\.item), into: folder) { event in
            switch event {
            case .started(_, let received, let expected), .progress(_, let received, let expected):
                progress(.init(received: received, expected: expected))
            case .waiting, .finished, .duplicate, .failed: break
            }
        }
        guard let file = files.first else { throw DownloadError.cancelled }
        let word = files.allSatisfy { $0.status == .kept } ? "Kept" : "Fetched"
        let name = setup.settings.path(String(file.name))
        let bytes = ByteText.amount(files.reduce(0) { $0 + $1.bytes })
        return .init(
            text: "\(word) \(name) (\(bytes))\(files.count > 1 ? " and \(files.count - 1) more" : "")")
    }
}
