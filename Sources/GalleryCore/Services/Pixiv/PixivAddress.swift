import Foundation

/// What the site's addresses refer to: works, users, images, and placeholders for withheld images.
enum PixivAddress {
    /// The number of the work at `/artworks/1`, `/en/artworks/1`, `/i/1`, or, as used until 2019,
    /// `/member_illust.php?mode=medium&illust_id=1`; or of an image, `…/img/2022/…/1_p0.png`.
    static func work(_ page: URL) -> String? {
        guard let page = PageAddress(page) else { return nil }
        if isImageHost(page) {
            guard page.path.contains(where: imageFolders.contains), let file = page.path.last else {
                return nil
            }
            return PageAddress.number(String(file.prefix { $0 != "_" && $0 != "." }))
        }
        guard page.isHost("pixiv.net") else { return nil }
        if page.path.last == "member_illust.php" { return PageAddress.number(page.query["illust_id"]) }
        return number(after: ["artworks", "i"], in: page.path)
    }

    static func feed(_ page: URL) -> Feed? {
        guard let page = PageAddress(page), page.isHost("pixiv.net"), !isImageHost(page) else { return nil }
        if page.path.last == "ranking.php" {
            let day = page.query["date"].map {
                $0.prefix(4) + "-" + $0.dropFirst(4).prefix(2) + "-" + $0.dropFirst(6)
            }
            return .popular(ranking: page.query["mode"], date: day.flatMap { CalendarDay(String($0)) })
        }
        if page.path.last == "member.php" { return PageAddress.number(page.query["id"]).map { .user($0) } }
        if let tags = page.path.firstIndex(of: "tags"), tags + 1 < page.path.count {
            return .search(page.path[tags + 1])
        }
        return number(after: ["users", "u"], in: page.path).map { user in
            page.path.contains("bookmarks") ? .favorites(of: user) : .user(user)
        }
    }

    /// The number of a user, given as is or in an address such as `/users/1` or `/en/users/1/artworks`.
    static func user(_ text: String) -> String? {
        if let number = PageAddress.number(text) { return number }
        guard case .user(let number)? = URL(string: text).flatMap({ feed($0) }) else { return nil }
        return number
    }

    /// `i.pximg.net` and, until 2017, `i1.pixiv.net`.
    private static func isImageHost(_ page: PageAddress) -> Bool {
        page.isHost("pximg.net") || page.host.wholeMatch(of: /i[0-9]*\.pixiv\.net/) != nil
    }

    /// The folders of works' images; others hold pictures of users and of the site.
    private static let imageFolders: Set = [
        "img-original", "img-master", "custom-thumb", "img-zip-ugoira", "img-inf",
    ]

    /// An image's address; `nil` if it is not one, or a placeholder's.
    static func picture(_ address: String?) -> URL? {
        isPlaceholder(address) ? nil : address.flatMap { WebAddress.url($0) }
    }

    /// Whether it is a placeholder for a withheld image: a whole picture, which would be saved as if it were the work.
    static func isPlaceholder(_ address: String?) -> Bool {
        address.flatMap { URL(string: $0) }?.path.hasPrefix("/common/images/limit_") ?? false
    }

    /// A file of a work of `size`. Its address contains its size: `/c/240x480/` is a crop of the work, or a box that
    /// the whole of it fits; without that, what is made by the site has no more than 1200 pixels a side, and the rest
    /// is the original.
    static func file(_ address: String?, of size: PixelSize?) -> Rendition? {
        guard let url = picture(address) else { return nil }
        let parts = url.path.split(separator: "/")
        let isCut = url.path.contains("_square1200") || url.path.contains("_custom1200")
        if parts.first == "c" {
            let sides = parts.dropFirst().first?.split(separator: "_").first?.split(separator: "x")
            let box = sides.flatMap { $0.count == 2 ? PixelSize(width: Int($0[0]), height: Int($0[1])) : nil }
            return Rendition(
                url: url, size: isCut ? box : box.flatMap { size?.fitting($0) }, isCropped: isCut)
        }
        let isMade = !isCut && url.path.contains("_master1200")
        let isOriginal = parts.contains("img-original")
        return Rendition(
            url: url, size: isMade ? size?.fitting(longestEdge: 1200) : isOriginal ? size : nil,
            isCropped: isCut)
    }

    /// The work at up to 1200 pixels a side, at the thumbnail's path without the crop; `nil` if that has another form.
    static func regular(_ thumbnail: String?, of size: PixelSize?) -> Rendition? {
        guard let url = picture(thumbnail),
            let found = url.absoluteString.wholeMatch(
                of:
                    /(https?:\/\/[^\/]+)\/c\/[^\/]+\/(?:img-master|custom-thumb)(\/img\/.+)_(?:square|custom|master)1200\.jpg/
            )
        else { return nil }
        return file("\(found.1)/img-master\(found.2)_master1200.jpg", of: size)
    }

    static func page(ofWork id: String) -> URL? {
        PageAddress.number(id).flatMap { URL(string: "https://www.pixiv.net/artworks/\($0)") }
    }

    private static func number(after words: [String], in parts: [String]) -> String? {
        guard let word = parts.firstIndex(where: words.contains), word < parts.count - 1 else { return nil }
        return PageAddress.number(parts[word + 1])
    }
}
