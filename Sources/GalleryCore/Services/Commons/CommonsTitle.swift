import Foundation

/// The two ways to name a file on Commons: its page number, `18263872`, or its title, `File:Sea.jpg`.
enum CommonsTitle {
    static func isTitle(_ identifier: String) -> Bool { PageAddress.number(identifier) == nil }

    /// The identifier of the file that an address is about; `nil` if it is about none. Files of Commons have a page on
    /// every Wikipedia too, under its word for `File:`. `wiki` is the API of a wiki whose pages are meant anywhere on
    /// its host.
    static func identifier(atPage address: URL, or wiki: URL? = nil) -> String? {
        guard let page = PageAddress(address) else { return nil }
        if ["upload.wikimedia.org", "thumb.wikimedia.org"].contains(page.host) {
            return title(upload: page.path)
        }
        let isOther = wiki.map { WebOrigin($0) == WebOrigin(address) } ?? false
        guard isOther || isWiki(page) else { return nil }
        if isOther || isCommons(page) {
            if let number = page.query["curid"] { return PageAddress.number(number) }
            // The identifier of a file's structured data is the page's number.
            if page.path.first == "entity", let entity = page.path.last, entity.first == "M" {
                return PageAddress.number(String(entity.dropFirst()))
            }
            if page.path.last == "thumb.php" { return page.query["f"].flatMap { title(file: $0) } }
        }
        // The site's viewer opens files over other pages: `…/wiki/Sea#/media/File:Sea.jpg`.
        if page.fragment.first == "media" { return title(Array(page.fragment.dropFirst())) }
        if let title = page.query["title"] { return self.title(title.split(separator: "/").map(String.init)) }
        if isOther { return title(Array(page.path.drop { !$0.contains(":") })) }
        // `/wiki/…`, or a variant of the language's script such as `/zh-tw/…`.
        return page.path.first == "w" ? nil : title(Array(page.path.dropFirst()))
    }

    static func feed(atPage address: URL) -> Feed? {
        guard let page = PageAddress(address), isCommons(page) else { return nil }
        if let text = page.query["search"], !text.isEmpty { return .search(text) }
        let title = (page.query["title"] ?? page.path.dropFirst().joined(separator: "/"))
            .replacing("_", with: " ")
        for prefix in ["User:", "User talk:", "Special:ListFiles/", "Special:Contributions/"]
        where title.hasPrefix(prefix) {
            return title.dropFirst(prefix.count).split(separator: "/").first.map { .user(String($0)) }
        }
        guard title.hasPrefix("Category:") else { return nil }
        let ranking = Commons.categories.first { $0.value.replacing("_", with: " ") == title }?.key
        return ranking.map { .popular(ranking: $0) } ?? .search(title)
    }

    static func isWikimedia(_ host: URL) -> Bool {
        PageAddress(host).map { $0.isHost("wikimedia.org") || isWiki($0) } ?? false
    }

    private static func isCommons(_ page: PageAddress) -> Bool {
        ["commons.wikimedia.org", "commons.m.wikimedia.org"].contains(page.host)
    }

    private static func isWiki(_ page: PageAddress) -> Bool {
        let wikis = [
            "wikipedia.org", "wiktionary.org", "wikibooks.org", "wikiquote.org", "wikisource.org",
            "wikinews.org", "wikivoyage.org", "wikiversity.org", "wikidata.org",
        ]
        return isCommons(page) || wikis.contains(where: page.isHost)
    }

    /// The title in `wikipedia/commons/a/ab/Sea.jpg`, `…/thumb/a/ab/Sea.jpg/330px-Sea.jpg`, or, for an earlier version,
    /// `…/archive/a/ab/20120101000000!Sea.jpg`. Other projects' folders hold files that are not on Commons.
    private static func title(upload path: [String]) -> String? {
        guard path.starts(with: ["wikipedia", "commons"]) else { return nil }
        let rest = path.dropFirst(2).drop { $0 == "thumb" || $0 == "archive" }
        guard rest.count >= 3, let name = rest.dropFirst(2).first else { return nil }
        let isEarlier = path.contains("archive")
        return title(file: isEarlier ? String(name.split(separator: "!", maxSplits: 1).last ?? "") : name)
    }

    /// The title that a page's path names: `File:Sea.jpg`, in any language, or `Special:FilePath/Sea.jpg`.
    private static func title(_ parts: [String]) -> String? {
        guard let first = parts.first, let colon = first.firstIndex(of: ":") else { return nil }
        let (namespace, name) = (first[..<colon], String(first[first.index(after: colon)...]))
        if namespace == "Special" {
            let isFile = parts.count == 2 && ["FilePath", "Filepath"].contains(name)
            let isRedirect = parts.count == 3 && name == "Redirect" && parts[1] == "file"
            return isFile || isRedirect ? title(file: parts[parts.count - 1]) : nil
        }
        guard parts.count == 1 else { return nil }
        if namespace == "File" || namespace == "Image" { return title(file: name) }
        // Every language has its own word, and a file's name ends in its type.
        let others = [
            "User", "Talk", "Template", "Category", "Help", "Wikipedia", "Portal", "Draft", "Module",
        ]
        return others.contains(String(namespace)) || !hasType(name) ? nil : title(file: name)
    }

    private static func hasType(_ name: String) -> Bool {
        let types = [
            "jpg", "jpeg", "jpe", "png", "gif", "webp", "avif", "svg", "tif", "tiff", "xcf", "pdf", "djvu",
            "webm", "ogv", "ogg", "oga", "mp3", "wav", "flac", "stl", "mid",
        ]
        return name.lastIndex(of: ".").map { types.contains(name[$0...].dropFirst().lowercased()) } ?? false
    }

    private static func title(file name: String) -> String? {
        let spaced = name.replacing("_", with: " ").trimmingCharacters(in: .whitespaces)
        guard let first = spaced.first, !spaced.contains(where: { "|#<>[]{}".contains($0) }) else {
            return nil
        }
        return "File:" + first.uppercased() + spaced.dropFirst()
    }

    /// The name in a title, without `File:` and the extension.
    static func name(_ title: String) -> String {
        let file = title.hasPrefix("File:") ? title.dropFirst(5) : title[...]
        guard let dot = file.lastIndex(of: "."), dot > file.startIndex, file[dot...].count <= 5 else {
            return String(file)
        }
        return String(file[..<dot])
    }
}
