import Arguments

extension Gallery {
    /// Lists what is liked now.
    struct Popular: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List popular photos.")

        @OptionGroup(title: "Ranking options")
        var ranking: RankingOptions

        @OptionGroup(title: "List options")
        var list: ListOptions

        @OptionGroup(title: "Filter options")
        var filters: FilterOptions

        @OptionGroup(title: "Service options")
        var service: ServiceOptions

        func run() async throws {
            try await Listing(feed: ranking.feed, service: service, list: list, filters: filters)
                .run(in: .live)
        }
    }
}
