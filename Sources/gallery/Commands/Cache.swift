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
    }
}

extension Gallery.Cache {
    /// Says where the cache is and how large.
    struct Info: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show the cache's location and size.")

        func run() async throws {
            let context = try Context.live()
            guard let cache = context.shared.cache else { return }
            let info = try await cache.info()
            try context.terminal.result(info.folder.path)
            try context.terminal.result(
                "\(Gallery.Cache.entries(info.entries)), "
                    + "\(ByteText.amount(info.bytes)) of \(ByteText.amount(info.limit))")
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
            let context = try Context.live()
            guard let cache = context.shared.cache else { return }
            let freed = try await cache.clear()
            context.terminal.message(
                "\(Gallery.Cache.entries(freed.entries)) removed, "
                    + "\(ByteText.amount(freed.bytes)) freed")
        }
    }
}
