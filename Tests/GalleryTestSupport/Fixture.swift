import Foundation

/// The recorded replies and pictures under `fixtures/`.
public enum Fixture {
    /// The package's folder, found from this file's own place in it.
    public static let packageRoot = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The address of a fixture, named from `fixtures/`: `500px/search_docs_2012.json`.
    public static func url(_ name: String) -> URL {
        packageRoot.appending(path: "fixtures/\(name)")
    }

    /// The bytes of a fixture.
    public static func data(_ name: String) throws -> Data {
        try Data(contentsOf: url(name))
    }

    /// The names of a fixture folder's files, sorted, each as ``data(_:)`` takes it.
    public static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url(folder).path)
            .sorted().map { "\(folder)/\($0)" }
    }
}
