import GalleryCore

/// The plan of a fetch, part by part, as the downloader comes to it: of a long feed only a stretch is
/// known at a time.
struct FetchSupply: Sendable {
    private var chooser: Chooser
    private var planner: FetchPlanner

    /// The files of the photos that `chooser` gives.
    init(_ chooser: Chooser, _ settings: FetchSettings) async throws {
        self.chooser = chooser
        planner = try await FetchPlanner(settings, chooser.loaders)
    }

    /// What filters have let through and left out so far.
    var sieve: Sieve { chooser.sieve }

    /// Photos in all; `nil` while nobody knows.
    var expected: Int? { chooser.expected }

    /// Makes room for as many more photos: so many turned out to be copies.
    mutating func takeBack(_ photos: Int) { chooser.takeBack(photos) }

    /// The next part; `nil` at the end.
    mutating func next() async throws -> FetchPlan? {
        guard let chosen = try await chooser.next() else { return nil }
        return try await planner.plan(chosen)
    }
}
