import Arguments
import GalleryCore

extension Gallery {
    /// Lists what a user has marked at a service.
    struct Favorites: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List a user's favorites.", aliases: ["bookmarks"])

        @Argument(help: "User name. (default: you)")
        var name: String?

        @OptionGroup var listing: Listing

        func run() async throws { try await listing.run(.favorites(of: name), in: .live()) }
    }
}
