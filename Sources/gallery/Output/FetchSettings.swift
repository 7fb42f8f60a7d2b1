import GalleryCore

/// How files are fetched, after the command line and the configuration have been consulted.
struct FetchSettings: Sendable {
    var size = PhotoFileSize.full
    let directory: String
    let name: NameTemplate
    /// Files at once.
    let jobs: Int
    var overwrites = false
    var acceptsIncomplete = false
    var writesMetadata = false
    /// Whether photos that the folder has ever had are left out.
    var isOnlyNew = false
    /// Whether files get the dates of their photos.
    var setsTimes = false
    /// The most bytes per second in all; `nil` for no limit.
    var bytesPerSecond: Int?
    var format = FetchFormat.text

    /// A path below the directory, as the user would type it.
    func path(_ name: String) -> String {
        directory == "." ? name : directory.hasSuffix("/") ? directory + name : directory + "/" + name
    }
}

/// How fetched files are printed.
enum FetchFormat: String, CaseIterable {
    case text, jsonl
}

extension FetchPlanner {
    /// A planner for what `settings` say.
    ///
    /// - Parameter trustsManifest: Whether files in the folder are taken to be complete until they are checked.
    init(
        _ settings: FetchSettings, _ loaders: ServiceLoaders, trustsManifest: Bool = false
    ) async throws {
        try await self.init(
            into: settings.directory, named: settings.name, size: settings.size,
            writesMetadata: settings.writesMetadata, setsTimes: settings.setsTimes,
            isOnlyNew: settings.isOnlyNew, wantsFilesOnly: true,
            trustsManifest: trustsManifest && !settings.overwrites, loaders: loaders)
    }
}
