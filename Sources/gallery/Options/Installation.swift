import Foundation
import GalleryCore

/// Where the program's bundled files are.
///
/// `Bundle.module` would trap if the folder were missing.
enum Installation {
    /// The folder of the bundled catalog.
    ///
    /// - Throws: ``MissingCatalog``, which names the paths that were tried.
    static func sample() throws -> URL {
        let folder = executable.deletingLastPathComponent()
        let candidates = [
            // SwiftPM's resource bundles, on Linux and on macOS.
            folder.appending(path: "gallery_GalleryCore.resources/sample"),
            folder.appending(path: "gallery_GalleryCore.bundle/sample"),
            folder.appending(path: "gallery_GalleryCore.bundle/Contents/Resources/sample"),
            // A system package.
            folder.deletingLastPathComponent().appending(path: "share/gallery/sample"),
        ]
        let found = candidates.first {
            FileManager.default.fileExists(atPath: $0.appending(path: "photos.json").path)
        }
        guard let found else { throw MissingCatalog(paths: candidates.map(\.path)) }
        return found
    }

    /// The running executable, with symbolic links resolved.
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

/// The bundled catalog is not installed.
struct MissingCatalog: StatusError {
    let paths: [String]

    var description: String {
        "The bundled photos are missing; none of these exists: \(paths.joined(separator: ", "))."
    }
    var hint: String? { "Install the folder 'gallery_GalleryCore.resources' next to the program." }
    var status: ExitStatus { .missing }
}
