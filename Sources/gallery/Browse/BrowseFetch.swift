import Foundation
import GalleryCore

/// `f`: one photo's full file to the directory, as `gallery fetch` would bring it, from the bytes that are here.
struct BrowseFetch: Sendable {
    private let setup: BrowseSession.Setup

    init(_ setup: BrowseSession.Setup) {
        self.setup = setup
    }

    /// What came of it, for the last line of the screen.
    ///
    /// - Parameters:
    ///   - detail: what is known of the photo, so that nobody asks for it once more.
    ///   - isLoading: whether its file is on its way to the screen.
    func fetch(
        _ entry: IndexedPhoto, _ detail: PhotoDetail?, isLoading: Bool
    ) async -> BrowseModel.Notice {
        do {
            var chosen = ResolvedPhotos()
            chosen.photos = [entry]
            // The list's address goes first, as for looking: at another one the bytes would not be here.
            if let detail, entry.photo.full == nil || !detail.pages.isEmpty {
                chosen.details[entry.photo.id] = detail
            }
            var planner = try await FetchPlanner(setup.settings, setup.sources.loaders)
            let plan = try await planner.plan(chosen)
            if let failure = plan.failures.first { throw failure.error }
            return try await carryOut(plan, isLoading)
        } catch let error as any ActionableError {
            return .init(text: "\(entry.label): \(error.description)", isError: true)
        } catch {
            return .init(text: "\(entry.label): \(error)", isError: true)
        }
    }

    private func carryOut(_ plan: FetchPlan, _ isLoading: Bool) async throws -> BrowseModel.Notice {
        let transport = ReusingTransport(
            otherwise: setup.transport, pictures: setup.sources.pictures, items: plan.files.map(\.item),
            isLoading: isLoading)
        let downloader = Downloader(
            transport: transport, configuration: setup.downloads, pauses: setup.context.shared.pauses)
        let files = try await downloader.files(
            plan.files.map(\.item), into: URL(filePath: setup.settings.directory))
        guard let file = files.first else { throw DownloadError.cancelled }
        let word = files.allSatisfy { $0.status == .kept } ? "Kept" : "Fetched"
        let name = setup.settings.path(file.url.lastPathComponent)
        let bytes = ByteText.amount(files.reduce(0) { $0 + $1.bytes })
        return .init(
            text: "\(word) \(name) (\(bytes))\(files.count > 1 ? " and \(files.count - 1) more" : "")")
    }
}
