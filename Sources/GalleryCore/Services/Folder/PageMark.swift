import Foundation

/// Why the pictures of a folder are nobody's photos.
enum FolderMark: CaseIterable {
    /// `web` wrote it.
    case page
    /// It is a system's or a program's own: thumbnails, trash, a catalog.
    case system
    /// A file in it, `.nomedia`, says so.
    case noMedia

    /// By its name, as Synology, QNAP, Windows, macOS, Linux, and Lightroom have it.
    static func isOfSystems(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasPrefix(".trash") || names.contains(name) || endings.contains(where: name.hasSuffix)
    }

    private static let names: Set = [
        "@eadir", "#recycle", "$recycle.bin", "__macosx", "system volume information", "lost+found",
    ]
    private static let endings = [".lrdata", ".photoslibrary"] + System.packages

    /// What one and several are called.
    var words: (String, String) {
        switch self {
        case .page: ("gallery page", "gallery pages")
        case .system: ("system folder", "system folders")
        case .noMedia: ("folder with '.nomedia'", "folders with '.nomedia'")
        }
    }
}

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
