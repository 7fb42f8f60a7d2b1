import Foundation

/// A feed's item and its pictures, whatever the feed's format.
struct FeedItem {
    struct File {
        let url: URL
        var size: PixelSize?
        var width: Int?
        var bytes: Int64?
        /// The picture's own text.
        var title: String?
        /// What stands for the picture where it is not seen.
        var alt: String?
        /// Files with the same number are of one picture; `nil` where only the addresses tell.
        var group: Int?
        /// Whether a link around the picture leads to it.
        var isLinked = false

        fileprivate mutating func add(_ other: File) {
            (size, width, bytes) = (size ?? other.size, width ?? other.width, bytes ?? other.bytes)
            (title, alt, isLinked) = (title ?? other.title, alt ?? other.alt, isLinked || other.isLinked)
        }
    }

    var guid = ""
    var title = ""
    var author: String?
    var page: URL?
    var published: WrittenDate?
    var tags: [String] = []
    var description: String?
    var licenseURL: URL?
    var isAdult = false
    var files: [File] = []
    var thumbnail: File?

    func photos(service: String) -> [Photo] {
        var pictures: [[File]] = []
        /// Which picture an address, or what holds files, belongs to.
        var places: [String: Int] = [:]
        var known: [URL: (place: Int, index: Int)] = [:]
        for file in files where !Self.isOrnament(file.url) {
            if let (place, index) = known[file.url] {
                pictures[place][index].add(file)
                if let group = file.group { places["group \(group)"] = place }
                continue
            }
            let picture = PictureName.text(of: file.url)
            let key = file.group.map { "group \($0)" } ?? picture
            let place = places[picture] ?? places[key] ?? pictures.count
            if place == pictures.count { pictures.append([]) }
            known[file.url] = (place, pictures[place].count)
            pictures[place].append(file)
            (places[key], places[picture]) = (place, place)
        }
        return pictures.map { photo(of: $0, isOnly: pictures.count == 1, service) }
    }

    private func photo(of files: [File], isOnly: Bool, _ service: String) -> Photo {
        // The address without a size is the original's.
        let ranked = files.map { (file: $0, rank: Self.rank($0)) }
        let best = ranked.max { $0.rank < $1.rank }?.file ?? files[0]
        let name = files.compactMap { $0.title ?? $0.alt }.first
        let small = ranked.filter { $0.rank.1 > 0 }.min { $0.rank.1 < $1.rank.1 }?.file
        let thumbnail = (isOnly ? self.thumbnail : nil) ?? small ?? best
        let renditions = files.map(Self.rendition)
        let size = best.size
        return Photo(
            id: PhotoID(
                service: service,
                value: Hexadecimal.text(
                    FNV1a.hash("\(guid)\n\(PictureName.withoutQuery(files[0].url))".utf8))),
            title: title.isEmpty ? name ?? "" : title, author: author.map { Author(name: $0) },
            page: page == best.url ? nil : page, size: size, thumbnail: Self.rendition(thumbnail),
            full: Self.rendition(best), renditions: renditions, tags: tags,
            license: licenseURL.flatMap(Self.license), licenseURL: licenseURL, description: description,
            alt: files.lazy.compactMap(\.alt).first { !$0.isEmpty }, isAdult: isAdult
        ).dated(published: published)
    }

    private static func rendition(_ file: File) -> Rendition {
        Rendition(url: file.url, size: file.size, bytes: file.bytes)
    }

    private static func rank(_ file: File) -> (Int, Int) {
        let isWhole = PictureName.text(of: file.url) == file.url.absoluteString
        return (file.isLinked ? 2 : isWhole ? 1 : 0, file.size?.width ?? file.width ?? 0)
    }

    /// Whether a file is an author's portrait, an emoji, or a counter of WordPress.
    static func isOrnament(_ url: URL) -> Bool {
        guard let page = PageAddress(url) else { return false }
        return ["gravatar.com", "s.w.org", "stats.wordpress.com", "pixel.wp.com"].contains(where: page.isHost)
    }

    static func license(_ url: URL) -> String? {
        guard let page = PageAddress(url), page.isHost("creativecommons.org"), page.path.count >= 3 else {
            return nil
        }
        let version = PlainText.excerpt(page.path[2])
        switch (page.path[0], page.path[1]) {
        case ("licenses", let word): return "CC \(PlainText.excerpt(word).uppercased()) \(version)"
        case ("publicdomain", "zero"): return "CC0 \(version)"
        case ("publicdomain", "mark"): return "Public Domain Mark \(version)"
        default: return nil
        }
    }
}

extension FeedItem {
    /// Whether a file is a picture, by its type where one is told, else by its address.
    static func isPicture(_ url: URL, type: String?, medium: String? = nil) -> Bool {
        if let medium { return medium.lowercased() == "image" }
        if let type, type.contains("/"), type != "application/octet-stream" {
            return type.lowercased().hasPrefix("image/")
        }
        let path = url.path(percentEncoded: false).lowercased()
        return [".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif", ".heic", ".tif", ".tiff", ".jxl"]
            .contains { path.hasSuffix($0) }
    }

    static func files(inHTML text: String, at base: URL) -> [File] {
        var (reader, nodes) = (MarkupReader(text), [MarkupNode]())
        _ = try? reader.read(["img", "a"], at: base) { nodes.append($0) }
        return files(of: nodes, at: base)
    }

    static func files(of nodes: [MarkupNode], at base: URL) -> [File] {
        var (files, links) = ([File](), Set<URL>())
        for image in nodes where image.name == "img" {
            let own = self.files(of: image, at: base)
            files += own
            // One around several is none's.
            guard let first = own.first,
                let full = image.url(image.attribute("data-orig-file") ?? image.link, at: base),
                isFile(full), links.insert(full).inserted
            else { continue }
            files.append(File(url: full, alt: first.alt, group: first.group, isLinked: true))
        }
        // An image without a picture's file name is usually a tracking pixel.
        let pictures = files.filter { isPicture($0.url, type: nil) }
        if !pictures.isEmpty { files = pictures }
        // Reddit links one below a thumbnail.
        let link = nodes.first { $0.name == "a" && $0.text == "[link]" }
        if let full = link?.url(link?.link, at: base), isFile(full), Set(files.map(\.group)).count < 2 {
            files.append(File(url: full, alt: files.first?.alt, group: files.first?.group, isLinked: true))
        }
        return files
    }

    /// Whether a link leads to a picture's file, rather than to a wiki's page about it.
    private static func isFile(_ url: URL) -> Bool {
        isPicture(url, type: nil) && !url.lastPathComponent.contains(":")
    }

    private static func files(of image: MarkupNode, at document: URL) -> [File] {
        let size =
            image.size
            ?? PixelSize(width: image.number("data-orig-width"), height: image.number("data-orig-height"))
        // Emoticons and tracking pixels.
        if let edge = size?.longestEdge ?? image.number("width") ?? image.number("height"), edge <= 32 {
            return []
        }
        let alt = image.attribute("alt").map(PlainText.line)
        let set = ["data-srcset", "data-lazy-srcset", "srcset"].lazy.compactMap(image.attribute).first ?? ""
        let source = source(of: image, at: document)
        let group = Int(truncatingIfNeeded: FNV1a.hash((source?.absoluteString ?? set).utf8))
        var files: [File] = []
        for (address, width) in candidates(set) {
            guard let url = image.url(address, at: document) else { continue }
            let shown = width.flatMap { width in size.flatMap { scaled($0, to: width) } }
            files.append(File(url: url, size: shown, width: width, alt: alt, group: group))
        }
        if let url = source, !files.contains(where: { $0.url == url }) {
            files.insert(
                File(url: url, size: files.isEmpty ? image.size : nil, alt: alt, group: group), at: 0)
        }
        return files
    }

    /// The address of an `<img>`: where scripts load it later, what is there until then is no picture.
    private static func source(of image: MarkupNode, at document: URL) -> URL? {
        let own = image.url(image.attribute("src"), at: document)
        let later = ["data-src", "data-lazy-src", "data-original", "data-lazy"].lazy
            .compactMap { image.url(image.attribute($0), at: document) }
        return own == nil ? later.first : later.first { isPicture($0, type: nil) } ?? own
    }

    /// The addresses of a `srcset`, and their widths in pixels. Commas are parts of addresses, except at their end.
    private static func candidates(_ set: String) -> [(address: String, width: Int?)] {
        var (found, isInside) = ([(address: String, width: Int?)](), false)
        for word in set.split(whereSeparator: \.isWhitespace) {
            let whole = word.hasSuffix(",") ? word.dropLast() : word
            if !isInside {
                found.append((String(whole), nil))
            } else if whole.hasSuffix("w") {
                found[found.count - 1].width = Int(whole.dropLast())
            }
            isInside = whole.endIndex == word.endIndex
        }
        return found
    }

    private static func scaled(_ size: PixelSize, to width: Int) -> PixelSize? {
        let height = (Double(size.height) * Double(width) / Double(size.width)).rounded()
        return PixelSize(width: width, height: Int(exactly: height))
    }
}
