import Foundation
import GalleryCore

/// Serves files that were loaded for looking at from disk, and everything else as before.
struct ReusingTransport: HTTPTransport {
    private let files: [URL: URL]
    private let local: FileTransport
    private let otherwise: any HTTPTransport

    /// A transport that knows the files of `items` that `pictures` has.
    init(otherwise: any HTTPTransport, pictures: PictureFolder, items: [DownloadItem]) {
        self.otherwise = otherwise
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
        guard let file = files[request.url], request.headers["Range"] == nil else {
            return try await otherwise.send(request, idleTimeout: idleTimeout, to: sink)
        }
        return try await local.send(HTTPRequest(url: file), idleTimeout: idleTimeout, to: sink)
    }
}
