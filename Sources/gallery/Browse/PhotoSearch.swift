import Foundation
import GalleryCore

/// A text that is looked for in titles and authors.
struct PhotoSearch: Hashable, Sendable {
    enum Direction: Hashable, Sendable {
        case forward, backward
    }

    let text: String
    var direction = Direction.forward
    /// Whether it goes on as soon as more photos are loaded.
    var isWaiting = false

    /// Whether the title or the author contains the text, whatever their case and accents.
    func matches(_ photo: Photo) -> Bool {
        [photo.title, photo.author?.name ?? "", photo.author?.username ?? ""].contains {
            $0.range(of: text, options: [.caseInsensitive, .diacriticInsensitive]) != nil
        }
    }
}

extension BrowseModel {
    /// Goes to the next match, or loads more photos if none is loaded.
    mutating func find(_ direction: PhotoSearch.Direction) -> [BrowseAction] {
        guard var search else { return [] }
        search.direction = direction
        search.isWaiting = false
        defer { self.search = search }
        let here = (mode == .grid ? grid.selected : cursor.current?.index) ?? 0
        let candidates =
            direction == .forward
            ? cursor.run.filter { ($0.index ?? 0) > here }
            : cursor.run.reversed().filter { ($0.index ?? 0) < here }
        if let index = candidates.first(where: { search.matches($0.photo) })?.index {
            return mode == .grid ? select(index: index) : [.go(index)]
        }
        let isOver = direction == .forward ? cursor.isRunToEnd : cursor.isRunFromStart
        let text = PlainText.excerpt(search.text)
        let edge = direction == .forward ? cursor.run.last?.index : cursor.run.first?.index
        guard !isOver, let edge else {
            notice = Notice(text: "No other photo matches '\(text)'.")
            return []
        }
        search.isWaiting = true
        notice = Notice(text: "Looking for '\(text)' beyond photo \(edge) …")
        return [.look(beyond: edge, count: 50)]
    }
}

extension Photo {
    /// The file itself, of a photo that lies in a folder of this machine.
    var ownFile: URL? {
        guard id.service == Folder.word, let file = full?.url, file.isFileURL else { return nil }
        return file
    }
}
