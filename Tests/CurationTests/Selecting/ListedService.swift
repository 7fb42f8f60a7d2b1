import Foundation
import GalleryTestSupport

@testable import GalleryCore

/// A service that needs no network: its lists and files are what a test says.
struct ListedService: PhotoService {
    /// The photos of a feed, newest first.
    struct Listing {
        var photos: [Int] = []
        /// Whether pages say how many photos there are.
        var tellsTotal = false
        var brokenPage: Int?
        /// The page that is empty, of a feed that is said to be.
        var emptyPage: Int?
        /// Photos that cannot be read.
        var unreadable: Set<Int> = []
        /// Photos that pages leave out, whose places stay free; and whether the total leaves them out too.
        var hidden: Set<Int> = []
        var isTotalShort = false
        /// The photos that come first once page 1 has been sent, and those that are gone then.
        var late: [Int] = []
        var removed: Set<Int> = []
        /// How many pages were asked for.
        var asked = 0
    }

    /// What has become of a photo's file.
    struct Files {
        var unreachable: Set<Int> = []
        /// Those that have no end.
        var broken: Set<Int> = []
        /// How often each was sent whole.
        var sent: [Int: Int] = [:]
    }

    let listings: Locked<[String: Listing]>
    let files: Locked<Files>
    let name = "listed"

    func pageSizes(of feed: Feed) -> PageSizes { .upTo(12) }

    func page(
        _ slice: PageSlice, of feed: Feed, cursor: PageCursor?
    ) throws(ServiceError) -> Exchange<Page> {
        let key = "\(feed)"
        let now = listings.withLock { $0[key] ?? Listing() }
        if slice.size > 1, slice.number == now.brokenPage {
            throw .failed(service: name, status: 500, reason: nil)
        }
        if slice.size > 1, slice.number == now.emptyPage {
            return .done(Page(photos: [], total: now.tellsTotal ? 0 : nil, hasMore: false))
        }
        let numbers = now.photos.dropFirst(slice.firstIndex - 1).prefix(slice.size)
        let photos = numbers.enumerated().filter { !now.unreadable.contains($1) && !now.hidden.contains($1) }
            .map { IndexedPhoto(index: slice.firstIndex + $0, photo: Self.photo($1)) }
        let leftOut = numbers.filter(now.unreadable.contains).map { number in
            ImportError.message(service: name, text: "\(number) cannot be read.")
        }
        let total = now.photos.count - (now.isTotalShort ? now.hidden.count : 0)
        let page = Page(
            photos: photos, total: now.tellsTotal ? total : nil,
            hasMore: slice.indexes.upperBound < now.photos.count, leftOut: leftOut)
        if slice.size > 1 {
            listings.withLock { listings in
                var next = now
                next.photos = now.late + now.photos.filter { !now.removed.contains($0) }
                (next.late, next.removed, next.asked) = ([], [], now.asked + 1)
                listings[key] = next
            }
        }
        return .done(page)
    }

    static func photo(_ number: Int) -> Photo {
        let url = URL(string: "https://pictures.example/\(number).jpg") ?? URL(filePath: "/")
        return Photo(
            id: PhotoID(service: "listed", value: "\(number)"), title: "Photo \(number % 7)",
            full: Rendition(url: url, size: nil))
    }

    static func picture(_ number: Int) -> Data {
        Pictures.jpeg(bytes: 1000 + number % 50, seed: UInt64(number))
    }

    func details(
        of photos: [Photo]
    ) throws(ServiceError) -> Exchange<[PhotoID: Result<PhotoDetail, ServiceError>]> {
        .done(Dictionary(uniqueKeysWithValues: photos.map { ($0.id, .success(PhotoDetail(photo: $0))) }))
    }

    func photo(atPage page: URL) -> PhotoID? { nil }
}

extension ListedService: HTTPTransport {
    func send(
        _ request: HTTPRequest, idleTimeout: Int, to sink: some BodySink
    ) async throws(TransportError) -> HTTPHead {
        let number = Int(request.url.deletingPathExtension().lastPathComponent) ?? 0
        let now = files.withLock { $0 }
        let isBroken = now.broken.contains(number)
        let body = isBroken ? Self.picture(number).dropLast(2) : Self.picture(number)
        let tag = isBroken ? "\"broken\"" : "\"whole\""
        let status =
            now.unreachable.contains(number) ? 404 : request.headers["If-None-Match"] == tag ? 304 : 200
        let head = HTTPHead(
            status: status, url: request.url,
            headers: ["ETag": tag, "Content-Length": status == 200 ? "\(body.count)" : "0"])
        do {
            try sink.begin(head)
            if status == 200 { try Data(body).withUnsafeBytes { try sink.receive($0) } }
        } catch {
            throw .rejected(error)
        }
        if status == 200, !isBroken { files.withLock { $0.sent[number, default: 0] += 1 } }
        return head
    }
}
