import Arguments
import GalleryCore

extension Gallery {
    /// Lists photos that match a text.
    struct Search: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List photos that match a text.")

        @Argument(help: "What to look for.")
        var text: String

        @OptionGroup(title: "List options")
        var list: ListOptions

        @OptionGroup(title: "Filter options")
        var filters: FilterOptions

        @OptionGroup(title: "Service options")
        var service: ServiceOptions

        func run() async throws {
            try await Listing(feed: .search(text), service: service, list: list, filters: filters)
                .run(in: .live)
        }
    }
}
