import Foundation

/// How a folder is known to hold a page that `web` wrote: by the file that says what the page consists of.
package enum PageMark {
    package static let name = "gallery-web"
    /// Its first line.
    package static let title =
        "What 'gallery web' wrote here. Files that have changed since are not replaced."

    /// Whether there is such a page in an open folder. Blocks briefly.
    package static func isThere(in folder: Descriptor) -> Bool {
        guard let file = try? SystemCall.open(name, in: folder, O_RDONLY),
            (try? SystemCall.status(of: file))?.isRegular == true,
            let start = try? SystemCall.read(file, at: 0, count: title.utf8.count)
        else { return false }
        return start.elementsEqual(title.utf8)
    }
}
