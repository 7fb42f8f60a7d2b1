import Foundation

/// A manifest, or a collection of manifests, of Presentation 3 or 2 or of both at once.
struct IIIFDocument {
    /// The pictures of a manifest in reading order.
    var photos: [Photo] = []
    /// What a collection holds, in its order, and its next page after that.
    var documents: [URL] = []

    private var service: String
    private var address: URL
    private var language: String

    init(_ service: String, _ body: Data, at address: URL, language: String) throws(ServiceError) {
        (self.service, self.address, self.language) = (service, address, language)
        let start = self
        self = try Reply(service, body).read { wire in
            var document = start
            try document.read(wire)
            return document
        }
    }

    private mutating func read(_ wire: JSONNode) throws {
        let type = wire.string("type") ?? wire.string("@type") ?? ""
        if type.hasSuffix("Collection") {
            let lists = ["items", "collections", "manifests", "members"]
            var seen: Set<URL> = []
            for member in lists.flatMap({ wire.objects($0) }) {
                guard let url = url(id(member)), seen.insert(url).inserted else { continue }
                documents.append(url)
            }
            for key in ["first", "next"] {
                guard let next = url(wire.string(key) ?? wire.object(key).flatMap(id)),
                    WebOrigin(next) == WebOrigin(address)
                else { continue }
                documents.append(next)
            }
            return
        }
        let canvases = wire.objects("items") + (wire.objects("sequences").first?.objects("canvases") ?? [])
        if canvases.isEmpty, !type.hasSuffix("Manifest"), IIIFImageServer.isOne(wire),
            let base = imageBase(wire),
            let files = IIIFImageServer(wire, at: base).files(IIIFView(), size: wire.size(), own: nil)
        {
            photos = [photo(base.absoluteString, base.lastPathComponent, files, of: wire)]
            return
        }
        guard type.hasSuffix("Manifest") || !canvases.isEmpty else { throw wire.lacks("items") }
        for canvas in canvases { add(canvas, of: wire, isOnly: canvases.count == 1) }
    }

    private mutating func add(_ canvas: JSONNode, of manifest: JSONNode, isOnly: Bool) {
        let painted = canvas.objects("items").flatMap {
            $0.objects("items")
        }
        .filter { ($0.string("motivation") ?? "painting") == "painting" }
        let bodies =
            painted.flatMap { objects($0, "body") }
            + canvas.objects("images").flatMap { objects($0, "resource") }
        let images = bodies.flatMap(images)
        let (book, page) = (label(manifest, "label") ?? "", label(canvas, "label") ?? "")
        for image in images {
            guard let files = files(image, canvas: images.count == 1 ? canvas.size() : nil) else { continue }
            let own = images.count > 1 ? label(image.wire, "label") : nil
            let names = isOnly ? [book.isEmpty ? page : book, own ?? ""] : [book, page, own ?? ""]
            let key = "\(id(canvas) ?? "")\n\(files.full.url.absoluteString)"
            let title = names.filter { !$0.isEmpty }.joined(separator: ", ")
            let small = files.small ?? thumbnail(of: canvas)
            photos.append(photo(key, title, (small, files.full, files.all), of: manifest))
        }
    }

    private func photo(
        _ key: String, _ title: String, _ files: IIIFImageServer.Files, of manifest: JSONNode
    ) -> Photo {
        let rights = manifest.string("rights") ?? manifest.string("license")
        let licenseURL = rights.flatMap { url($0) ?? anchor($0) }
        let home = objects(manifest, "homepage").first ?? objects(manifest, "related").first
        return Photo(
            id: PhotoID(service: service, value: Hexadecimal.text(FNV1a.hash(key.utf8))), title: title,
            page: url(home.flatMap(id) ?? manifest.string("related")), size: files.full.size,
            thumbnail: files.small ?? files.full, full: files.full, renditions: files.all,
            license: licenseURL.flatMap(FeedItem.license), licenseURL: licenseURL,
            attribution: (manifest.object("requiredStatement").flatMap { label($0, "value") })
                ?? label(manifest, "attribution"),
            description: label(manifest, "summary") ?? label(manifest, "description"))
    }

    /// Where the picture is that an `info.json` describes: where that was found, since copies name another place.
    private func imageBase(_ wire: JSONNode) -> URL? {
        let end = address.absoluteString.range(of: "/info.json", options: .backwards)
        return url(end.map { String(address.absoluteString[..<$0.lowerBound]) } ?? id(wire))
    }

    // MARK: - Pictures

    /// A picture, and the part of it that is shown.
    private struct Image {
        let wire: JSONNode
        var view = IIIFView()
    }

    private func images(_ body: JSONNode) -> [Image] {
        let type = body.string("type") ?? body.string("@type") ?? ""
        if type.hasSuffix("Choice") {
            let choices = body.objects("items") + objects(body, "default") + objects(body, "item")
            return choices.map { Image(wire: $0) }
        }
        if type.hasSuffix("SpecificResource"), let source = body.object("source") ?? body.object("full") {
            return [Image(wire: source, view: IIIFView(body.object("selector")))]
        }
        return type.hasSuffix("Image") || type.isEmpty ? [Image(wire: body)] : []
    }

    private func thumbnail(of canvas: JSONNode) -> Rendition? {
        let wire = objects(canvas, "thumbnail").first
        return url(wire.flatMap(id) ?? canvas.string("thumbnail")).map {
            Rendition(url: $0, size: wire?.size())
        }
    }

    private func files(_ image: Image, canvas: PixelSize?) -> IIIFImageServer.Files? {
        let own = url(id(image.wire))
        let size = image.wire.size() ?? canvas
        let services = objects(image.wire, "service").filter { id($0) != nil }
        guard
            let server = services.first(where: IIIFImageServer.isOne)
                ?? services.first(where: { IIIFImageServer.kind(of: $0).isEmpty }), let base = url(id(server))
        else { return own.map { (nil, Rendition(url: $0, size: size), []) } }
        return IIIFImageServer(server, at: base).files(image.view, size: image.view.size(of: size), own: own)
    }

    // MARK: - Values in any form

    private func id(_ wire: JSONNode) -> String? { wire.string("id") ?? wire.string("@id") }
    private func url(_ text: String?) -> URL? { text.flatMap { MarkupNode(name: "").url($0, at: address) } }

    /// Where an HTML anchor in place of an address leads.
    private func anchor(_ text: String) -> URL? {
        var (reader, found) = (MarkupReader(text), String?.none)
        _ = try? reader.read(["a"]) { found = found ?? $0.attribute("href") }
        return url(found)
    }

    /// An object, or those of a list in its place.
    private func objects(_ wire: JSONNode, _ key: String) -> [JSONNode] {
        wire.object(key).map { [$0] } ?? wire.objects(key)
    }

    /// A text in the user's language, else in English, else in none, else in the first; in one line.
    private func label(_ wire: JSONNode, _ key: String) -> String? {
        let texts: [String]
        if let text = wire.string(key) {
            texts = [text]
        } else if let value = wire.object(key)?.string("@value") {
            texts = [value]
        } else if let object = wire.object(key), let languages = try? wire.keys(of: key), !languages.isEmpty {
            texts = object.strings(preferred(of: languages.sorted()))
        } else {
            let values = wire.objects(key).map {
                (language: $0.string("@language") ?? "none", text: $0.string("@value"))
            }
            let wanted = values.isEmpty ? "" : preferred(of: values.map(\.language))
            texts = wire.strings(key) + values.filter { $0.language == wanted }.compactMap(\.text)
        }
        let line = PlainText.line(Markup.plain(texts.joined(separator: ", ")))
        return line.isEmpty ? nil : line
    }

    /// The one to read of `languages`, of which there is one; those of a country are its language too.
    private func preferred(of languages: [String]) -> String {
        let wanted = [language, "en", "none", "@none"].lazy.compactMap { word in
            languages.first { $0 == word } ?? languages.first { $0.hasPrefix(word + "-") }
        }
        return wanted.first ?? languages[0]
    }
}
