import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite(.fewAtOnce, .timeLimit(.minutes(1))) struct CursorPreviewTests {
    /// A feed of one photo, whose file never comes.
    private struct OnePhoto: CursorSource {
        let photo: Photo
        /// The names of the files that were asked for.
        let asked: Watched<[String]>
        let pages = Counter()
        let pageSize = 20
        let detailsPerRequest = 1

        func total() async -> Int? { nil }

        func page(_ slice: PageSlice) async throws(ServiceError) -> Page {
            pages.increment()
            // Asked for over and over it is an endless loop, which an error ends.
            guard pages.value < 50 else { throw .failed(service: "s", status: 500, reason: nil) }
            return Page(photos: [IndexedPhoto(index: 1, photo: photo)], hasMore: false)
        }

        func details(_ photos: [Photo]) async throws(ServiceError) -> [PhotoID: Result<
            PhotoDetail, ServiceError
        >] {
            [:]
        }

        nonisolated(nonsending) func picture(
            _ photo: Photo, _ rendition: Rendition, progress: CursorSource.Progress
        ) async throws(DownloadError) -> DownloadedFile {
            asked.update { $0.append(rendition.url.lastPathComponent) }
            throw .cancelled
        }
    }

    private func file(_ name: String) -> Rendition {
        Rendition(
            url: URL(filePath: "/\(name)"),
            size: PixelSize(width: 1000, height: name == "full" ? 2000 : 800))
    }

    @Test(arguments: [
        (full: true, preview: true, asked: "preview"), (full: false, preview: true, asked: "preview"),
        (full: true, preview: false, asked: "full"),
    ])
    func `who looks gets the quick file where a list tells of one`(full: Bool, preview: Bool, asked: String)
        async throws
    {
        let photo = Photo(
            id: PhotoID(service: "s", value: "1"), title: "", full: full ? file("full") : nil,
            renditions: preview ? [file("preview")] : [])
        let names = Watched<[String]>([])
        let cursor = PhotoCursor(OnePhoto(photo: photo, asked: names))
        await cursor.go(to: 1)
        let first = try await untilStandstill({ "a file" }) { try await names.first { !$0.isEmpty } }
        #expect(first == [asked])
        await cursor.close()
    }
}
