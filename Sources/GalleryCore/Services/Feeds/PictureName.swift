import Foundation

/// What the addresses of a picture's files have in common.
enum PictureName {
    /// The address without its choice of a size: that of the original, where hosts have it by that.
    static func text(of url: URL) -> String {
        let parts = withoutQuery(url).split(separator: "?", maxSplits: 1)
        var path = parts[0].split(separator: "/", omittingEmptySubsequences: false)
        guard path.count > 3, let file = path.popLast() else { return url.absoluteString }
        // Flickr's originals differ in more than the letter.
        if path[2].hasSuffix("static.flickr.com") || path[2].hasSuffix("staticflickr.com") {
            return "flickr " + file.prefix { $0 != "_" }
        }
        let name = (path.filter { !isSize($0) } + [withoutSize(file)]).joined(separator: "/")
        return parts.count > 1 ? "\(name)?\(parts[1])" : name
    }

    /// Query items that choose a size of the same picture, or sign that choice.
    private static let sizing: Set<Substring> = [
        "w", "h", "width", "height", "fit", "crop", "resize", "quality", "q", "s", "auto", "dpr", "ssl",
        "strip",
    ]

    static func withoutQuery(_ url: URL) -> String {
        let parts = url.absoluteString.split(separator: "?", maxSplits: 1)
        guard parts.count == 2 else { return url.absoluteString }
        let items = parts[1].split(separator: "&").filter { item in
            !sizing.contains(item.prefix { $0 != "=" })
        }
        return String(parts[0]) + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
    }

    /// Whether a folder is a choice of a size: `w_424,c_limit` of Cloudinary and Substack, `s1600` of Blogger, `size/w600`
    /// and `format/webp` of Ghost.
    private static func isSize(_ folder: Substring) -> Bool {
        if folder.contains("_") {
            let choices = folder.split(separator: ",")
            return choices.allSatisfy { (1...3).contains($0.prefix { $0 != "_" }.count) }
                && choices.contains {
                    ["w_", "h_"].contains($0.prefix(2)) && $0.dropFirst(2).allSatisfy(\.isNumber)
                }
        }
        return ["size", "format", "webp"].contains(folder)
            || ["s", "w", "h"].contains(folder.first) && folder.utf8.count(where: digits.contains) > 1
                && folder.utf8.allSatisfy { digits.contains($0) || "swhxpcknou-".utf8.contains($0) }
    }

    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

    /// WordPress names files `sea-300x200.jpg`, and the largest that it shows `sea-scaled.jpg`.
    private static func withoutSize(_ file: Substring) -> Substring {
        guard let dot = file.lastIndex(of: "."), let dash = file[..<dot].lastIndex(of: "-") else {
            return file
        }
        let sides = file[dash..<dot].dropFirst().split(separator: "x", omittingEmptySubsequences: false)
        let isSize =
            sides.count == 2 && sides.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(digits.contains) }
        return isSize || file[dash..<dot] == "-scaled" ? file[..<dash] + file[dot...] : file
    }
}
