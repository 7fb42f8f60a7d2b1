import Arguments

extension Gallery {
    /// Lists what is liked now.
    struct Popular: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List popular photos.")

        @OptionGroup(title: "Ranking options")
        var ranking: RankingOptions

        @OptionGroup var listing: Listing

        func run() async throws { try await listing.run(ranking.feed, in: .live()) }
    }
}
