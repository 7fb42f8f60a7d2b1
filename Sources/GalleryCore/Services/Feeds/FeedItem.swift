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
        /// Files with the same number are of one picture; `nil` where only the addresses tell.
        var group: Int?
    }

    var guid = ""
    var title = ""
    var author: String?
    var page: URL?
    var published: Date?
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
        for file in files where !Self.isOrnament(file.url) {
            let address = Self.key(file.url)
            let key = file.group.map { "group \($0)" } ?? address
            let place = places[address] ?? places[key] ?? pictures.count
            if place == pictures.count {
                pictures.append([])
                places[key] = place
            }
            pictures[place].append(file)
            places[address] = place
        }
        return pictures.map { photo(of: $0, isOnly: pictures.count == 1, service) }
    }

    private func photo(of files: [File], isOnly: Bool, _ service: String) -> Photo {
        // The address without a size is the original's.
        let best = files.max { Self.rank($0) < Self.rank($1) } ?? files[0]
        let name = files.compactMap(\.title).first
        let small = files.filter { Self.rank($0).1 > 0 }.min { Self.rank($0).1 < Self.rank($1).1 }
        let thumbnail = (isOnly ? self.thumbnail : nil) ?? small ?? best
        let renditions = files.map(Self.rendition)
        let size = best.size
        return Photo(
            id: PhotoID(
                service: service,
                value: Hexadecimal.text(FNV1a.hash("\(guid)\n\(Self.key(files[0].url))".utf8))),
            title: title.isEmpty ? name ?? "" : title, author: author.map { Author(name: $0) },
            page: page == best.url ? nil : page, size: size, thumbnail: Self.rendition(thumbnail),
            full: Self.rendition(best), renditions: renditions, published: published, tags: tags,
            license: licenseURL.flatMap(Self.license), licenseURL: licenseURL, description: description,
            isAdult: isAdult)
    }

    private static func rendition(_ file: File) -> Rendition {
        Rendition(url: file.url, size: file.size, bytes: file.bytes)
    }

    private static func rank(_ file: File) -> (Int, Int) {
        (key(file.url) == file.url.absoluteString ? 1 : 0, file.size?.width ?? file.width ?? 0)
    }

    /// Query items that choose a size of the same picture, or sign that choice.
    private static let sizing: Set<Substring> = [
        "w", "h", "width", "height", "fit", "crop", "resize", "quality", "q", "s", "auto", "dpr", "ssl",
        "strip",
    ]

    /// The address without its choice of a size, by which files of one picture are recognized.
    private static func key(_ url: URL) -> String {
        let parts = url.absoluteString.split(separator: "?", maxSplits: 1)
        guard parts.count == 2 else { return url.absoluteString }
        let items = parts[1].split(separator: "&").filter { item in
            !sizing.contains(item.prefix { $0 != "=" })
        }
        return String(parts[0]) + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
    }

    /// Whether a file is an author's portrait, or one of the emoji of WordPress.
    private static func isOrnament(_ url: URL) -> Bool {
        guard let page = PageAddress(url) else { return false }
        return page.isHost("gravatar.com") || page.isHost("s.w.org")
    }

    /// The short name of a Creative Commons license at its address.
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
        var (reader, files) = (MarkupReader(text), [File]())
        _ = try? reader.read(["img"], at: base) { files += self.files(of: $0, at: base) }
        // An image without a picture's file name is usually a tracking pixel.
        let pictures = files.filter { isPicture($0.url, type: nil) }
        return pictures.isEmpty ? files : pictures
    }

    /// The files of an `<img>`, one picture.
    static func files(of image: MarkupNode, at document: URL) -> [File] {
        let size =
            image.size
            ?? PixelSize(width: image.number("data-orig-width"), height: image.number("data-orig-height"))
        // Emoticons and tracking pixels.
        if let edge = size?.longestEdge ?? image.number("width") ?? image.number("height"), edge <= 32 {
            return []
        }
        let title = image.attribute("alt").map(PlainText.line)
        let group = image.attribute("src").map { Int(truncatingIfNeeded: FNV1a.hash($0.utf8)) }
        var files: [File] = []
        for (address, width) in candidates(image.attribute("srcset") ?? "") {
            guard let url = image.url(address, at: document) else { continue }
            let shown = width.flatMap { width in size.flatMap { scaled($0, to: width) } }
            files.append(File(url: url, size: shown, width: width, title: title, group: group))
        }
        if let url = image.url(image.attribute("src"), at: document),
            !files.contains(where: { $0.url == url })
        {
            files.insert(
                File(url: url, size: files.isEmpty ? image.size : nil, title: title, group: group), at: 0)
        }
        return files
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
