import GalleryCore

/// The plan of a fetch, part by part, as the downloader comes to it: of a long feed only a stretch is
/// known at a time.
///
/// An actor because the next part is planned while the one before is carried out, and what it knows of a
/// hundred thousand names should not be copied for that.
actor FetchSupply {
    /// How far it has come.
    struct Progress: Sendable {
        /// What filters have let through and left out so far.
        let sieve: FilterRun
        /// Photos in all; `nil` while nobody knows.
        let expected: Int?
    }

    private struct Work {
        var chooser: SelectionResolver
        var planner: FetchPlanner

        var progress: Progress { Progress(sieve: chooser.sieve, expected: chooser.expected) }
    }

    /// `nil` while a part is being planned: taken out for that, since an actor lends nothing of its own to
    /// what takes time, and a copy would copy every name.
    private var work: Work?
    private var hasBegun = false
    private var isOver = false
    /// How far it has come.
    private(set) var progress: Progress

    /// The files of the photos that `chooser` gives.
    init(_ chooser: SelectionResolver, _ settings: FetchSettings) async throws {
        let work = Work(chooser: chooser, planner: try await FetchPlanner(settings, chooser.loaders))
        progress = work.progress
        self.work = work
    }

    /// The next part; `nil` at the end, and for who asks while another is being planned.
    ///
    /// What has come has come: an error behind the first part is a failure, like a photo's, and the last part.
    func next() async throws -> FetchPlan? {
        guard var work, !isOver else { return nil }
        self.work = nil
        defer {
            progress = work.progress
            self.work = work
        }
        do {
            guard let chosen = try await work.chooser.next() else { return nil }
            let plan = try await work.planner.plan(chosen)
            hasBegun = true
            return plan
        } catch let error as any ActionableError where hasBegun {
            isOver = true
            return FetchPlan(failures: [.further(error)])
        }
    }

    /// Makes room for as many more photos: so many turned out to be copies.
    func takeBack(_ photos: Int) { work?.chooser.takeBack(photos) }
}
