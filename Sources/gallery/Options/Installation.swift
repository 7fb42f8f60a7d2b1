import Foundation
import GalleryCore

/// What is installed with the program.
enum Installation {
    /// The folder of the bundled catalog.
    ///
    /// - Throws: ``MissingCatalog``, which names the paths that were tried.
    static func sample() throws -> URL {
        guard let folder = BundledCatalog.folder else {
            throw MissingCatalog(paths: BundledCatalog.candidates.map(\.path))
        }
        return folder
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
