import Foundation

/// The recorded replies and pictures under `fixtures/`.
public enum Fixture {
    /// The package's folder, derived from the path of this file.
    public static let packageRoot = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The URL of a fixture, by its path below `fixtures/`: `500px/search_docs_2012.json`.
    public static func url(_ name: String) -> URL {
        packageRoot.appending(path: "fixtures/\(name)")
    }

    /// The contents of a fixture.
    public static func data(_ name: String) throws -> Data {
        try Data(contentsOf: url(name))
    }

    /// The sorted names of the files in a fixture folder, in the form that ``data(_:)`` takes.
    public static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url(folder).path)
            .sorted().map { "\(folder)/\($0)" }
    }
}
