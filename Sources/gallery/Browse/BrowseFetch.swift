import Foundation
import GalleryCore

extension BrowseSession.Setup {
    /// The key `f`: downloads one photo as `gallery fetch` would, reusing bytes that browsing has loaded. Details that
    /// are known save a request. Returns the result for the status line.
    func fetch(
        _ entry: IndexedPhoto, _ detail: PhotoDetail?, progress: @Sendable (PhotoCursorState.Progress) -> Void
    ) async -> BrowseModel.Notice {
        let folder = settings.folder
        var items: [DownloadItem] = []
        do {
            var chosen = ResolvedPhotos()
            chosen.photos = [entry]
            // Prefer the list's address, as browsing does: the bytes of another one are not here.
            if let detail, entry.photo.full == nil || !detail.pages.isEmpty {
                chosen.details[entry.photo.id] = detail
            }
            let planner = try await FetchPlanner(into: folder, settings.planning, loaders: sources.loaders)
            let plan = try await planner.plan(chosen)
            if let failure = plan.failures.first { throw failure.error }
            items = plan.files.map(\.item)
            let downloader = Downloader(
                transport: KeptPictureTransport(sources.pictures, otherwise: sources.loaders.images),
                configuration: settings.downloads, paces: context.shared.paces)
            let files = try await downloader.files(items, into: folder) { event in
                switch event {
                case .started(_, let received, let expected), .progress(_, let received, let expected):
                    progress(.init(received: received, expected: expected))
                case .waiting, .finished, .duplicate, .failed, .revoked: break
                }
            }
            guard let file = files.first else { throw DownloadError.cancelled }
            let word = files.allSatisfy { $0.status == .kept } ? "Kept" : "Fetched"
            let bytes = ByteText.amount(files.reduce(0) { $0 + $1.bytes })
            let others = files.count > 1 ? " and \(files.count - 1) more" : ""
            return .init(text: "\(word) \(settings.path(String(file.name))) (\(bytes))\(others)")
        } catch {
            guard Task.isCancelled else { return .init(text: "\(entry.label): \(error)", isError: true) }
            // Its end may not have been reported, and takes none of its bytes away.
            let isKept = await folder.hasPart(ofAny: items)
            let rest = isKept ? ". Its part is kept; fetch it again to continue." : "; nothing of it is kept."
            return .init(text: "The download of \(entry.label) was stopped\(rest)")
        }
    }
}
