import Foundation

/// The files that are installed with the program. `Bundle.module` would end the process where they are missing.
package enum Resources {
    /// Where `name` is: beside the program, or where a system package puts it.
    package static func url(of name: String) throws(MissingResource) -> URL {
        let places = places(of: name)
        guard let found = places.first(where: { FileManager.default.fileExists(atPath: $0.path) }) else {
            throw MissingResource(name: name, places: places.map(\.path))
        }
        return found
    }

    /// The content of the file `name`, in UTF-8.
    package static func text(of name: String) throws(MissingResource) -> String {
        let file = try url(of: name)
        guard let text = try? String(contentsOf: file, encoding: .utf8) else {
            throw MissingResource(name: name, places: [file.path])
        }
        return text
    }

    /// Where `name` may be, most likely place first.
    package static func places(of name: String) -> [URL] {
        System.programFolders.flatMap { folder in
            [
                // SwiftPM's layout, on Linux and macOS.
                "gallery_GalleryCore.resources/", "gallery_GalleryCore.bundle/",
                "gallery_GalleryCore.bundle/Contents/Resources/",
                // The layout of a system package.
                "../share/gallery/",
            ].map { folder.appending(path: $0 + name).standardizedFileURL }
        }
    }
}

/// A file that should have been installed with the program, and is not.
public struct MissingResource: ActionableError, Hashable {
    /// Its path among the installed files.
    public let name: String
    /// Where it was looked for.
    public let places: [String]

    /// One sentence that names the file and the places.
    public var description: String {
        "The program's '\(name)' is missing; none of these can be read: \(places.joined(separator: ", "))."
    }

    /// What to do about it.
    public var hint: String? { "Install the folder 'gallery_GalleryCore.resources' next to the program." }
}
