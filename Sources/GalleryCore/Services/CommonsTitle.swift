import Foundation

/// The two ways to name a file of Commons: its page's number, `18263872`, or its title, `File:Sea.jpg`.
enum CommonsTitle {
    /// Whether `identifier` is a title rather than a number.
    static func isTitle(_ identifier: String) -> Bool { !isNumber(identifier) }

    /// The identifier in a page's address; `nil` where the page is no file's.
    static func identifier(atPage page: URL) -> String? {
        guard ["commons.wikimedia.org", "commons.m.wikimedia.org"].contains(page.host?.lowercased()) else {
            return nil
        }
        let items = URLComponents(url: page, resolvingAgainstBaseURL: false)?.queryItems ?? []
        if let number = items.first(where: { $0.name == "curid" })?.value {
            return isNumber(number) ? number : nil
        }
        // The site's viewer opens files over other pages: `…/wiki/Sea#/media/File:Sea.jpg`.
        if let fragment = page.fragment(percentEncoded: false), fragment.hasPrefix("/media/") {
            return title(fragment.dropFirst("/media/".count))
        }
        let path = page.path(percentEncoded: false)
        return path.hasPrefix("/wiki/") ? title(path.dropFirst("/wiki/".count)) : nil
    }

    /// The name in a title, without `File:` and the extension.
    static func name(_ title: String) -> String {
        let file = title.hasPrefix("File:") ? title.dropFirst(5) : title[...]
        guard let dot = file.lastIndex(of: "."), dot > file.startIndex, file[dot...].count <= 5 else {
            return String(file)
        }
        return String(file[..<dot])
    }

    /// The title as the wiki itself spells it.
    private static func title(_ text: Substring) -> String? {
        let spaced = text.replacing("_", with: " ")
        guard spaced.hasPrefix("File:"), let first = spaced.dropFirst(5).first, !spaced.contains("|") else {
            return nil
        }
        return "File:" + first.uppercased() + spaced.dropFirst(6)
    }

    private static func isNumber(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) }
    }
}
