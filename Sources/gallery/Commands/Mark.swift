import Arguments
import GalleryCore

extension Gallery {
    /// Remembers photos, whole, on this machine.
    struct Mark: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Mark photos of any service on this machine.",
            discussion: "The feed 'marked' has them, newest first: gallery show 1- --feed marked.")

        @OptionGroup var marking: Marking

        func run() async throws { try await run(in: .live()) }

        func run(in context: Context) async throws {
            try await marking.run(in: context, words: ("marked", "already marked")) { store, photos in
                // Of several named at once the first is to be the newest.
                try await store.mark(photos.reversed())
            }
        }
    }
}
