import Arguments
import GalleryCore

extension Gallery {
    /// Lists photos that match a text.
    struct Search: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List photos that match a text.")

        @Argument(help: "Text to search for.")
        var text: String

        @OptionGroup var listing: Listing

        func run() async throws { try await listing.run(.search(text), in: .live()) }
    }
}
