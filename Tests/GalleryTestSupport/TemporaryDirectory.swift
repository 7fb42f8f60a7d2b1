import Foundation

/// Runs the body with a new, empty folder, then removes the folder and its contents.
///
///     try await withTemporaryDirectory { folder in
///         try photo.write(to: folder.appending(path: "a.jpg"))
///     }
nonisolated(nonsending) public func withTemporaryDirectory<Result>(
    _ body: nonisolated(nonsending) (URL) async throws -> Result
) async throws -> Result {
    let folder = try makeTemporaryDirectory()
    defer { remove(folder) }
    return try await body(folder)
}

/// Runs a synchronous body with a new, empty folder.
public func withTemporaryDirectory<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = try makeTemporaryDirectory()
    defer { remove(folder) }
    return try body(folder)
}

func makeTemporaryDirectory() throws -> URL {
    // Links resolved: on macOS, the folder is behind one, and a program that
    // prints where it wrote prints the resolved path.
    let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        .appending(path: "gallery-tests-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
}

private func remove(_ folder: URL) {
    // A test may have made files that it has no permission to remove.
    // Unlocked while walking, so that the walk can enter locked folders.
    unlock(folder)
    let items = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    while case let item as URL = items?.nextObject() {
        if item.hasDirectoryPath { unlock(item) }
    }
    try? FileManager.default.removeItem(at: folder)
}

private func unlock(_ folder: URL) {
    try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
}
