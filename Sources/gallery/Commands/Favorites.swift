import Arguments
import GalleryCore

extension Gallery {
    /// Lists what a user has marked at a service.
    struct Favorites: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List what a user has marked.", aliases: ["bookmarks"])

        @Argument(help: "Whose favorites; without a name, yours.")
        var name: String?

        @OptionGroup(title: "List options")
        var list: ListOptions

        @OptionGroup(title: "Filter options")
        var filters: FilterOptions

        @OptionGroup(title: "Service options")
        var service: ServiceOptions

        func run() async throws {
            try await Listing(feed: .favorites(of: name), service: service, list: list, filters: filters)
                .run(in: .live())
        }
    }
}
