import Foundation
import GalleryTestSupport
import Testing

/// Lines that end well, and the files of the program's folders: paths that begin with `~/` are below its home, others
/// below its working folder.
extension BuiltProduct {
    /// Runs the program until it exits, and expects a status; for the parameters, see
    /// ``run(_:environment:input:in:terminal:timeLimit:)``.
    @discardableResult
    func run(
        _ arguments: [String], environment: [String: String] = [:], input: Data? = nil,
        in workingFolder: URL? = nil, expecting status: Int32, at place: SourceLocation = #_sourceLocation
    ) async throws -> ProductOutcome {
        let outcome = try await run(arguments, environment: environment, input: input, in: workingFolder)
        #expect(outcome.status == status, "\(outcome.all)", sourceLocation: place)
        return outcome
    }

    /// The same, expecting success.
    @discardableResult
    func runWell(
        _ arguments: [String], environment: [String: String] = [:], input: Data? = nil,
        in workingFolder: URL? = nil, at place: SourceLocation = #_sourceLocation
    ) async throws -> ProductOutcome {
        try await run(
            arguments, environment: environment, input: input, in: workingFolder, expecting: 0, at: place)
    }

    func place(_ path: String) -> URL {
        path.hasPrefix("~/") ? home.appending(path: path.dropFirst(2)) : folder.appending(path: path)
    }

    func data(_ path: String) throws -> Data { try Data(contentsOf: place(path)) }

    func text(_ path: String) throws -> String { try String(contentsOf: place(path), encoding: .utf8) }

    func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: place(path).path) }

    func remove(_ path: String) throws { try FileManager.default.removeItem(at: place(path)) }

    /// The names in a folder, in order.
    func names(in folder: String = ".") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: place(folder).path).sorted()
    }

    /// Makes a folder, and those above it.
    @discardableResult
    func makeFolder(_ path: String) throws -> URL {
        try FileManager.default.createDirectory(at: place(path), withIntermediateDirectories: true)
        return place(path)
    }

    /// Writes a file, and makes the folders above it.
    @discardableResult
    func write(_ data: Data, to path: String) throws -> URL {
        let file = place(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
        return file
    }

    @discardableResult
    func write(_ text: String, to path: String) throws -> URL { try write(Data(text.utf8), to: path) }

    /// Writes the user's settings, which only the user can read unless `mode` says otherwise.
    func configure(_ json: String, mode: Int = 0o600) throws {
        let file = try write(json, to: "~/.config/gallery/config.json")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    }
}

extension ProductOutcome {
    /// The objects that are printed as JSON lines.
    var objects: [[String: Any]] {
        get throws {
            try lines.map {
                try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
            }
        }
    }
}
