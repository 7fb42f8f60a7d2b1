import Arguments
import GalleryCore

extension Gallery {
    /// Lists one author's photos.
    struct User: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List one author's photos.")

        @Argument(help: "Author's username.")
        var name: String

        @OptionGroup var listing: Listing

        func run() async throws { try await listing.run(.user(name), in: .live()) }
    }
}
