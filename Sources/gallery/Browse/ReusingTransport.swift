import Foundation
import GalleryCore

/// Serves files that were loaded for looking at from disk, and everything else as before.
struct ReusingTransport: HTTPTransport {
    private let files: [URL: URL]
    /// A file that is on its way to the screen: it comes once, and then serves both.
    private let awaited: DownloadItem?
    private let pictures: PictureFolder
    private let local: FileTransport
    private let otherwise: any HTTPTransport

    /// A transport that knows the files of `items` that `pictures` has.
    ///
    /// - Parameter isLoading: whether the first of them is on its way there.
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
        // A part is gone on with where it comes from: the server knows whether its file has changed.
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
