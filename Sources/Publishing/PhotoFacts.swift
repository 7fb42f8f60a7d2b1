import Foundation
import GalleryCore

/// What a photo's page says beside the picture: a list of names and values.
struct PhotoFacts {
    let site: PhotoSite
    let photo: PublishedPhoto

    private var entry: Photo { photo.photo }

    var markup: SafeMarkup? {
        var facts: [SafeMarkup] = []
        func add(_ name: SafeMarkup, _ value: SafeMarkup?) {
            if let value { facts.append("<div><dt>\(name)</dt><dd>\(value)</dd></div>\n") }
        }
        add("License", license)
        if site.options.showsDetails {
            add("Taken", Self.day(entry.takenDate, entry.takenText))
            add("Published", Self.day(entry.publishedDate, entry.publishedText))
            add("Camera", photo.detail?.camera.map(Self.text))
            add("Lens", photo.detail?.lens.map(Self.text))
            add("Exposure", exposure)
            add("Place", place)
            add("Tags", entry.tags.isEmpty ? nil : Self.text(entry.tags.prefix(50).joined(separator: ", ")))
            add("Size", entry.size.map { "\($0.width) × \($0.height) pixels" })
        }
        if let address = photo.address {
            add("File", .link(to: address, around: "Open the picture"))
        } else if photo.pictures.count == 1, let path = (photo.original ?? photo.pictures.first)?.path {
            add("File", "<a href=\"\(site.link(path, up: 1))\">Open the picture</a>")
        }
        add("Source", source)
        return facts.isEmpty ? nil : "<dl>\n\(facts)</dl>\n"
    }

    private var license: SafeMarkup? {
        guard let name = photo.license else { return nil }
        return photo.licenseAddress.map { .link(to: $0, rel: "license ", around: "\(name)") } ?? "\(name)"
    }

    private var source: SafeMarkup? {
        photo.source.map { source in
            let host = source.host ?? entry.id.service
            return .link(to: source, around: "\(host.hasPrefix("www.") ? String(host.dropFirst(4)) : host)")
        }
    }

    /// Such as `1/640 s · f/2.8 · ISO 100 · 50 mm`. Services send numbers with and without what they count.
    private var exposure: SafeMarkup? {
        guard let detail = photo.detail else { return nil }
        let parts = [
            (detail.shutterSpeed, "", " s"), (detail.aperture, "f/", ""), (detail.iso, "ISO ", ""),
            (detail.focalLength, "", " mm"),
        ].compactMap { text, before, after -> String? in
            guard let text = PublishedPhoto.filled(text) else { return nil }
            let isBare = text.allSatisfy { $0.isNumber || "./".contains($0) }
            return isBare ? before + text + after : text
        }
        return parts.isEmpty ? nil : "\(parts.joined(separator: " · "))"
    }

    private var place: SafeMarkup? {
        guard site.options.showsPlaces, let latitude = photo.detail?.latitude,
            let longitude = photo.detail?.longitude
        else { return nil }
        let text = String(
            format: "%.4f° %@, %.4f° %@", abs(latitude), latitude < 0 ? "S" : "N", abs(longitude),
            longitude < 0 ? "W" : "E")
        return "\(text)"
    }

    private static func text(_ text: String) -> SafeMarkup { "<span dir=\"auto\">\(text)</span>" }

    /// A day, a month, or a year as the clock said it that was there.
    private static func day(_ date: WrittenDate?, _ text: String?) -> SafeMarkup? {
        guard let date, let text else { return nil }
        let year = Date.FormatStyle(locale: Locale(identifier: "en_US"), timeZone: .gmt).year()
        let month = date.precision == .year ? year : year.month(.wide)
        let style = [.year, .month].contains(date.precision) ? month : month.day()
        let local = date.date.addingTimeInterval(Double(date.offset ?? 0)).formatted(style)
        return "<time datetime=\"\(text)\">\(local)</time>"
    }
}

extension PublishedPhoto {
    /// The author's page at the service, where its address follows from what is known; `nil` elsewhere.
    var authorPage: URL? {
        guard let author = photo.author, let host = source?.host else { return nil }
        let paths: [(host: String, path: String, name: String?)] = [
            ("flickr.com", "people/", author.id), ("500px.com", "p/", author.username),
            ("pixiv.net", "users/", author.id), ("inaturalist.org", "people/", author.username),
            ("wallhaven.cc", "user/", author.username),
            ("commons.wikimedia.org", "wiki/User:", author.username),
        ]
        return paths.lazy.filter { host == $0.host || host.hasSuffix("." + $0.host) }.compactMap { place in
            place.name.flatMap { URL(string: "https://\(host)/\(place.path)\(PercentEncoding.encoded($0))") }
        }.first
    }
}
