import Foundation
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
    /// How many bytes a file may have; `nil` for any.
    var lengths: ClosedRange<Int64>?
    var format = FetchFormat.text

    /// The directory, which is not opened yet.
    var folder: TargetFolder { TargetFolder(URL(filePath: directory)) }

    /// What is planned.
    var planning: FetchPlanner.Options {
        var options = FetchPlanner.Options(named: name)
        options.size = size
        options.writesMetadata = writesMetadata
        options.setsTimes = setsTimes
        options.isOnlyNew = isOnlyNew
        options.wantsFilesOnly = true
        return options
    }

    /// A path below the directory, as the user would type it.
    func path(_ name: String) -> String {
        directory == "." ? name : directory.hasSuffix("/") ? directory + name : directory + "/" + name
    }
}

/// How fetched files are printed.
enum FetchFormat: String, CaseIterable {
    case text, jsonl
}
