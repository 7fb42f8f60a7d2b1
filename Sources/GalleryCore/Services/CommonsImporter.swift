import Foundation

/// Reads what MediaWiki's query API answers about files, in both versions of its format.
struct CommonsImporter: Sendable {
    /// The fields of the file's own page that are read.
    static let metadata = [
        "Artist", "DateTimeOriginal", "GPSLatitude", "GPSLongitude", "ImageDescription", "LicenseShortName",
        "UsageTerms",
    ]

    /// What is a picture to us: no drawing, document, film or camera's raw file.
    private static let types = ["image/jpeg", "image/png", "image/gif", "image/webp", "image/avif"]

    private let service = "commons"

    /// An answer, with or without files in it.
    func answer(_ body: Data) throws(ServiceError) -> CommonsAnswer {
        let answer = try Reply(service, body).decode(CommonsAnswer.self)
        // A list without members has no `query`, but says that it is complete.
        guard answer.query != nil || answer.batchcomplete != nil else {
            throw .unreadable(.absent(service: service, field: "query"))
        }
        return answer
    }

    /// The failure that a reply of status 200 tells of; `nil` where it tells of none.
    func failure(_ reply: HTTPReply) -> ServiceError? {
        guard let wire = Reply(service, reply.body).decodeIfPossible(WireFailure.self)?.error else {
            return nil
        }
        let info = PlainText.excerpt(wire.info ?? wire.code, limit: 120)
        let reason = info.hasSuffix(".") ? String(info.dropLast()) : info
        let seconds = reply.head["Retry-After"].flatMap { Int($0) }
        return switch wire.code {
        // The servers' copies are behind; five seconds is what the site asks for where it says nothing.
        case "maxlag": .rateLimited(service: service, seconds: seconds ?? 5)
        case "ratelimited", "cirrussearch-too-busy-error": .rateLimited(service: service, seconds: seconds)
        case "readonly": .failed(service: service, status: 503, reason: reason)
        case _ where wire.code.hasPrefix("internal_api_error"):
            .failed(service: service, status: 500, reason: reason)
        case _ where wire.code.hasPrefix("baduser"): .missing(service: service, what: "such user")
        case "readapidenied", "permissiondenied", "blocked", "autoblocked":
            .refused(service: service, reason: reason, variable: nil)
        default: .unreadable(.message(service: service, text: reason + "."))
        }
    }

    /// The photos of a batch, which is the page `slice`; what is no picture is left out of its slot.
    func photos(_ batch: CommonsBatch, _ slice: PageSlice) -> [IndexedPhoto] {
        batch.places(in: slice).compactMap { index, page in
            photo(page).map { IndexedPhoto(index: index, photo: $0) }
        }
    }

    /// The details of the photo that was asked for as `id`, by number or by title.
    func detail(of id: PhotoID, in batch: CommonsBatch) throws(ServiceError) -> PhotoDetail {
        let what = "photo \(PlainText.excerpt(id.value))"
        guard let page = batch.page(id.value), let info = page.imageinfo?.first else {
            throw .missing(service: service, what: what)
        }
        guard let photo = photo(page) else {
            let type = PlainText.excerpt(info.mime ?? "unknown")
            throw .missing(service: service, what: "\(what): its type is \(type)")
        }
        var detail = PhotoDetail(photo: photo)
        detail.latitude = info.extmetadata?.number("GPSLatitude")
        detail.longitude = info.extmetadata?.number("GPSLongitude")
        return detail
    }

    // MARK: - Wire to model

    private func photo(_ page: CommonsPage) -> Photo? {
        guard let id = page.pageid?.value, let info = page.imageinfo?.first, isPicture(info),
            let url = info.url.flatMap({ WebAddress.url($0) })
        else { return nil }
        let size = PixelSize(width: info.width?.value, height: info.height?.value)
        let thumbnail = info.thumburl.flatMap { WebAddress.url($0) }.map {
            Rendition(
                url: $0, size: PixelSize(width: info.thumbwidth?.value, height: info.thumbheight?.value))
        }
        let about = info.extmetadata
        return Photo(
            id: PhotoID(service: service, value: "\(id)"), title: CommonsTitle.name(page.title ?? ""),
            author: author(about?.text("Artist"), uploader: info.user),
            page: info.descriptionurl.flatMap { WebAddress.url($0) }, size: size, thumbnail: thumbnail,
            full: Rendition(url: url, size: size), published: info.timestamp?.value,
            taken: about?.date("DateTimeOriginal"),
            license: about?.text("LicenseShortName") ?? about?.text("UsageTerms"),
            description: about?.text("ImageDescription"))
    }

    /// The artist as the page names them; the name to list further photos by is the uploader's.
    private func author(_ artist: String?, uploader: String?) -> Author? {
        let artist = artist.map { PlainText.line($0) } ?? ""
        guard let name = artist.isEmpty ? uploader : artist else { return nil }
        return Author(name: name, username: uploader)
    }

    private func isPicture(_ info: CommonsPage.WireInfo) -> Bool {
        if let type = info.mime { return Self.types.contains(type) }
        let ending = info.url.flatMap { URL(string: $0) }?.pathExtension.lowercased() ?? ""
        return Self.types.contains("image/" + (ending == "jpg" ? "jpeg" : ending))
    }
}

private struct WireFailure: Decodable {
    let error: WireError?

    struct WireError: Decodable {
        let code: String
        let info: String?
    }
}
