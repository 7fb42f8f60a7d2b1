import Arguments
import Foundation
import GalleryCore

extension Gallery {
    struct Cache: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            "cache", "Show or clear the cache on disk.", subcommands: [Info.self, Clear.self])

        fileprivate static func entries(_ count: Int) -> String {
            "\(count) \(count == 1 ? "entry" : "entries")"
        }

        /// The subfolders of the cache, such as that of pictures that were viewed, and what is in them.
        static func others(in folder: URL) -> (folders: [URL], files: Int, bytes: Int64) {
            let keys: Set<URLResourceKey> = [.isDirectoryKey, .isRegularFileKey, .fileSizeKey]
            var found = (folders: [URL](), files: 0, bytes: Int64(0))
            let entries = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: Array(keys))
            while let entry = entries?.nextObject() as? URL {
                let values = try? entry.resourceValues(forKeys: keys)
                if entries?.level == 1 {
                    if values?.isDirectory == true { found.folders.append(entry) }
                } else if values?.isRegularFile == true, let bytes = values?.fileSize {
                    found.files += 1
                    found.bytes += Int64(bytes)
                }
            }
            return found
        }
    }
}

extension Gallery.Cache {
    struct Info: ContextCommand {
        static let configuration = CommandConfiguration(abstract: "Show the cache's location and size.")

        static var configurationUse: ConfigurationUse { .optional }

        func run(in context: Context) async throws {
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
                try context.terminal.result("Least recently used: \(ISO8601.text(oldest))")
            }
            try context.terminal.flush()
        }
    }

    struct Clear: ContextCommand {
        static let configuration = CommandConfiguration(abstract: "Clear the cache.")

        static var configurationUse: ConfigurationUse { .optional }

        func run(in context: Context) async throws {
            guard let cache = context.shared.cache else { return }
            let freed = try await cache.clear()
            let others = Gallery.Cache.others(in: freed.folder)
            for folder in others.folders { try? FileManager.default.removeItem(at: folder) }
            context.terminal.message(
                "\(Gallery.Cache.entries(freed.entries + others.files)) removed, "
                    + "\(ByteText.amount(freed.bytes + others.bytes)) freed")
        }
    }
}
