import Foundation
import GalleryCore

/// Where the product and what came with it are.
///
/// `Bundle.module` would end the process where the folder is missing, so the search is ours.
enum Installation {
    /// The folder of the bundled catalog.
    ///
    /// - Throws: ``MissingCatalog`` that names where it was looked for.
    static func sample() throws -> URL {
        let folder = executable.deletingLastPathComponent()
        let places = [
            // What SwiftPM lays beside a product on Linux, and on macOS.
            folder.appending(path: "gallery_GalleryCore.resources/sample"),
            folder.appending(path: "gallery_GalleryCore.bundle/sample"),
            folder.appending(path: "gallery_GalleryCore.bundle/Contents/Resources/sample"),
            // What a package of a system lays out.
            folder.deletingLastPathComponent().appending(path: "share/gallery/sample"),
        ]
        let found = places.first {
            FileManager.default.fileExists(atPath: $0.appending(path: "photos.json").path)
        }
        guard let found else { throw MissingCatalog(places: places.map(\.path)) }
        return found
    }

    /// The running program's file, links resolved.
    private static var executable: URL {
        #if os(Linux)
            let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            return URL(filePath: path ?? CommandLine.arguments[0])
        #else
            return (Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0]))
                .resolvingSymlinksInPath()
        #endif
    }
}

/// The bundled catalog is not beside the program.
struct MissingCatalog: StatusError {
    let places: [String]

    var description: String {
        "The bundled photographs are missing. They were looked for in \(places.joined(separator: ", "))."
    }
    var hint: String? { "Install the folder 'gallery_GalleryCore.resources' beside the program." }
    var status: ExitStatus { .missing }
}
