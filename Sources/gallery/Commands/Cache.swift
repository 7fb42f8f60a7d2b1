import Arguments
import Foundation
import GalleryCore

extension Gallery {
    /// What services answered, on disk.
    struct Cache: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show or clear the cache on disk.",
            discussion: """
                The cache is in $XDG_CACHE_HOME/gallery, or ~/.cache/gallery.

                Examples:
                  gallery cache info
                  gallery cache clear
                """,
            subcommands: [Info.self, Clear.self])

        fileprivate static func entries(_ count: Int) -> String {
            "\(count) \(count == 1 ? "entry" : "entries")"
        }

        /// The number and size of the files in the subfolders of the cache, such as pictures that were viewed.
        fileprivate static func others(in folder: URL) -> (files: Int, bytes: Int64) {
            let keys: [URLResourceKey] = [.isRegularFileKey, .fileSizeKey]
            var found = (files: 0, bytes: Int64(0))
            for subfolder in subfolders(of: folder) {
                let files = FileManager.default.enumerator(at: subfolder, includingPropertiesForKeys: keys)
                while let file = files?.nextObject() as? URL {
                    let values = try? file.resourceValues(forKeys: Set(keys))
                    guard values?.isRegularFile == true, let bytes = values?.fileSize else { continue }
                    found.files += 1
                    found.bytes += Int64(bytes)
                }
            }
            return found
        }

        fileprivate static func subfolders(of folder: URL) -> [URL] {
            let keys: [URLResourceKey] = [.isDirectoryKey]
            let names = try? FileManager.default.contentsOfDirectory(
                at: folder, includingPropertiesForKeys: keys)
            return (names ?? []).filter {
                (try? $0.resourceValues(forKeys: Set(keys)))?.isDirectory == true
            }
        }
    }
}

extension Gallery.Cache {
    /// Says where the cache is and how large.
    struct Info: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show the cache's location and size.")

        func run() async throws {
            let context = try Context.live(needsConfiguration: false)
            guard let cache = context.shared.cache else { return }
            let info = try await cache.info()
            try context.terminal.result(info.folder.path)
            try context.terminal.result(
                "\(Gallery.Cache.entries(info.entries)), "
                    + "\(ByteText.amount(info.bytes)) of \(ByteText.amount(info.limit))")
            let others = Gallery.Cache.others(in: info.folder)
            if others.files > 0 {
                try context.terminal.result(
                    "\(others.files) other \(others.files == 1 ? "file" : "files"), "
                        + "\(ByteText.amount(others.bytes))")
            }
            if let oldest = info.oldestUse {
                try context.terminal.result("Least recently used: \(oldest.formatted(.iso8601))")
            }
            try context.terminal.flush()
        }
    }

    /// Empties the cache.
    struct Clear: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Clear the cache.")

        func run() async throws {
            let context = try Context.live(needsConfiguration: false)
            guard let cache = context.shared.cache else { return }
            let freed = try await cache.clear()
            let others = Gallery.Cache.others(in: freed.folder)
            for folder in Gallery.Cache.subfolders(of: freed.folder) {
                try? FileManager.default.removeItem(at: folder)
            }
            context.terminal.message(
                "\(Gallery.Cache.entries(freed.entries + others.files)) removed, "
                    + "\(ByteText.amount(freed.bytes + others.bytes)) freed")
        }
    }
}
