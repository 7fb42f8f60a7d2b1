import Arguments
import GalleryCore

extension Gallery {
    /// Forgets photos that were marked.
    struct Unmark: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Remove marks from photos.")

        @OptionGroup var marking: Marking

        func run() async throws { try await run(in: .live()) }

        func run(in context: Context) async throws {
            try await marking.run(in: context, words: ("unmarked", "not marked")) { store, photos in
                try await store.unmark(photos.map(\.id))
            }
        }
    }
}
