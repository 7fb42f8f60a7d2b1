import Arguments
import GalleryCore

extension Gallery {
    /// Lists one author's photos.
    struct User: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List one author's photos.")

        @Argument(help: "The author's username.")
        var name: String

        @OptionGroup(title: "List options")
        var list: ListOptions

        @OptionGroup(title: "Filter options")
        var filters: FilterOptions

        @OptionGroup(title: "Service options")
        var service: ServiceOptions

        func run() async throws {
            try await Listing(feed: .user(name), service: service, list: list, filters: filters)
                .run(in: .live)
        }
    }
}
