import Foundation

/// What is asked of a folder, as the query of its address.
enum FolderQuery: Hashable, Sendable {
    /// The pictures at places `first` and following, from 1, of those that match.
    case list(first: Int, count: Int, FolderMatch)
    /// One picture, by its path below the folder.
    case photo(String)

    /// The items of the query.
    var items: [(String, String?)] {
        switch self {
        case .list(let first, let count, let match):
            [("first", "\(first)"), ("count", "\(count)")] + match.items
        case .photo(let path): [("photo", path)]
        }
    }

    /// The query of `url`, or `nil` where that asks for a file.
    init?(_ url: URL) {
        guard url.isFileURL,
            let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems, !items.isEmpty
        else { return nil }
        func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
        if let path = value("photo") {
            self = .photo(path)
        } else if let first = value("first").flatMap({ Int($0) }), first > 0,
            let count = value("count").flatMap({ Int($0) }), count > 0
        {
            self = .list(
                first: first, count: count, FolderMatch(words: value("words"), author: value("author")))
        } else {
            return nil
        }
    }
}

/// Which pictures of a folder are meant.
struct FolderMatch: Hashable, Sendable {
    /// Words that all stand in the path, the title, the author's name or the tags; `nil` for any.
    let words: String?
    /// The author's name, username or identifier; `nil` for any.
    let author: String?

    var items: [(String, String?)] { [("words", words), ("author", author)] }

    /// Whether every picture is meant.
    var isEverything: Bool { words == nil && author == nil }

    /// Whether the picture at `path` is meant; its metadata is asked for only where that matters.
    func accepts(_ path: String, _ metadata: () -> Photo?) -> Bool {
        if isEverything { return true }
        let photo = metadata()
        if let author {
            let names = [photo?.author?.name.lowercased(), photo?.author?.username?.lowercased()]
            guard names.contains(author.lowercased()) || photo?.author?.id == author else { return false }
        }
        guard let words else { return true }
        let text = ([path, photo?.title ?? "", photo?.author?.name ?? ""] + (photo?.tags ?? []))
            .joined(separator: "\n").lowercased()
        return words.lowercased().split(separator: " ").allSatisfy { text.contains($0) }
    }
}
