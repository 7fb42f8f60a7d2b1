import Foundation
import GalleryCore

/// The key `f`: downloads one photo as `gallery fetch` would, reusing bytes that browsing has loaded.
struct BrowseFetch: Sendable {
    private let setup: BrowseSession.Setup

    init(_ setup: BrowseSession.Setup) {
        self.setup = setup
    }

    /// Downloads the photo, and returns the result for the status line.
    ///
    /// - Parameters:
    ///   - detail: The photo's details if they are known, to save a request.
    ///   - isLoading: Whether browsing is loading the file right now.
    func fetch(
        _ entry: IndexedPhoto, _ detail: PhotoDetail?, isLoading: Bool
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
            return try await carryOut(plan, into: folder, isLoading)
        } catch let error as any ActionableError {
            return .init(text: "\(entry.label): \(error.description)", isError: true)
        } catch {
            return .init(text: "\(entry.label): \(error)", isError: true)
        }
    }

    private func carryOut(
        _ plan: FetchPlan, into folder: TargetFolder, _ isLoading: Bool
    ) async throws -> BrowseModel.Notice {
        let transport = ReusingTransport(
            otherwise: setup.transport, pictures: setup.sources.pictures, items: plan.files.map(\.item),
            isLoading: isLoading)
        let downloader = Downloader(
            transport: transport, configuration: setup.downloads, paces: setup.context.shared.paces)
        let files = try await downloader.files(plan.files.map(\.item), into: folder)
        guard let file = files.first else { throw DownloadError.cancelled }
        let word = files.allSatisfy { $0.status == .kept } ? "Kept" : "Fetched"
        let name = setup.settings.path(String(file.name))
        let bytes = ByteText.amount(files.reduce(0) { $0 + $1.bytes })
        return .init(
            text: "\(word) \(name) (\(bytes))\(files.count > 1 ? " and \(files.count - 1) more" : "")")
    }
}

/// Serves files that browsing has loaded from disk, and everything else over the network.
struct ReusingTransport: HTTPTransport {
    private let files: [URL: URL]
    /// A file that browsing is loading: it is waited for rather than requested twice.
    private let awaited: DownloadItem?
    private let pictures: PictureFolder
    private let local: FileTransport
    private let otherwise: any HTTPTransport

    /// A transport that reuses those files of `items` that `pictures` has.
    ///
    /// - Parameter isLoading: Whether `pictures` is loading the first of them.
    init(
        otherwise: any HTTPTransport, pictures: PictureFolder, items: [DownloadItem], isLoading: Bool = false
    ) {
        self.otherwise = otherwise
        self.pictures = pictures
        awaited = isLoading ? items.first : nil
        local = FileTransport(roots: [pictures.folder])
        files = Dictionary(
            items.compactMap { item in
                pictures.kept(of: item.photo, item.source).map { (item.source.url, $0) }
            }, uniquingKeysWith: { first, _ in first })
    }

    func send(
        _ request: HTTPRequest, idleTimeout: Int, to sink: some BodySink
    ) async throws(TransportError) -> HTTPHead {
        // A part is resumed from its server, which knows whether the file has changed.
        guard request.headers["Range"] == nil, let file = await file(at: request.url) else {
            return try await otherwise.send(request, idleTimeout: idleTimeout, to: sink)
        }
        return try await local.send(HTTPRequest(url: file), idleTimeout: idleTimeout, to: sink)
    }

    private func file(at address: URL) async -> URL? {
        if let file = files[address] { return file }
        guard let awaited, awaited.source.url == address else { return nil }
        return try? await pictures.file(of: awaited.photo, awaited.source) { _, _ in }.url
    }
}
