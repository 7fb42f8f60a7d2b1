import Foundation
import GalleryCore

/// How files are fetched, after the command line and the configuration have been consulted.
struct FetchSettings: Sendable {
    let directory: String
    var planning: FetchPlanner.Options
    var downloads: Downloader.Configuration
    var format = FetchFormat.text

    init(directory: String, named name: NameTemplate, _ downloads: Downloader.Configuration) {
        (self.directory, self.downloads) = (directory, downloads)
        planning = FetchPlanner.Options(named: name)
        planning.wantsFilesOnly = true
    }

    /// The directory, which is not opened yet.
    var folder: TargetFolder { TargetFolder(URL(filePath: directory)) }

    /// The path of the file `name` as the user would type it; its item's name may begin with folders.
    func path(_ name: String, of item: DownloadItem) -> String {
        let folders = item.name.split(separator: "/").dropLast().map { $0 + "/" }.joined()
        return path(folders + name)
    }

    func path(_ name: String) -> String {
        directory == "." ? name : directory.hasSuffix("/") ? directory + name : directory + "/" + name
    }
}

enum FetchFormat: String, CaseIterable { case text, jsonl }
