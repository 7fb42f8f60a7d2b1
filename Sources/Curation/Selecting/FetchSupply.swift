import GalleryCore

/// The plan of a fetch, part by part, as the downloader gets to it: only a stretch of a long feed is in memory. An
/// actor, because the next part is planned while the one before it is downloaded.
package actor FetchSupply {
    package struct Progress: Sendable {
        /// What the filter has let through and left out so far.
        package var filter: FilterRun
        /// Photos in all; `nil` while unknown.
        package var expected: Int?
        /// Photos left out because the folder, or the archive, has had them.
        package var known = 0
        /// Photos whose details have been requested so far.
        package var detailed = 0
        package var isOver = false
    }

    package private(set) var progress: Progress

    private let planner: FetchPlanner?
    /// `nil` while it resolves: an actor cannot lend its state to a suspending call, and a copy copies every photo.
    private var resolver: SelectionResolver?
    private var pending = ResolvedPhotos()
    private var landmarks: FeedLandmarks?
    private var hasBegun = false
    private var hasFailed = false
    private var made: FetchPlan?
    private var ready: ArraySlice<DownloadItem> = []
    /// The part after the current one, planned meanwhile so that downloads need not wait for it.
    private var upcoming: Task<FetchPlan?, any Error>?

    package init(_ resolver: SelectionResolver, _ planner: FetchPlanner) {
        (self.resolver, self.planner) = (resolver, planner)
        landmarks = resolver.nameOfRun(planner.options.size).map { name in
            let (end, walk) = (planner.end(of: name), planner.walk(through: name))
            return FeedLandmarks(name, after: end, walk, today: planner.today)
        }
        progress = Progress(filter: resolver.filter, expected: resolver.expected)
    }

    package init(_ plan: FetchPlan) {
        made = plan
        planner = nil
        progress = Progress(filter: .everything, isOver: true)
    }

    // MARK: - Parts

    /// The next part; `nil` at the end, and while another part is planned. Once a part has been given, an error is a
    /// failure like any photo's, and ends the plan.
    package func next() async throws -> FetchPlan? {
        if let made = made.take() { return made }
        guard !hasFailed, let planner, var resolver else { return nil }
        self.resolver = nil
        defer {
            progress.filter = resolver.filter
            progress.expected = resolver.expected
            progress.known = planner.known
            self.resolver = resolver
        }
        do {
            progress.isOver = false
            if pending.isEmpty {
                // Where the newest photos come first, what follows those of a whole run is not new.
                let isAmongKnown = planner.options.isOnlyNew && landmarks?.areMet == true
                guard !isAmongKnown, let resolved = try await resolver.next() else {
                    progress.isOver = true
                    return nil
                }
                resolved.photos.forEach { landmarks?.take($0.photo.id) }
                pending = planner.withoutKnown(resolved)
            }
            let part = planner.nextPart(of: &pending)
            progress.detailed += part.photos.count { planner.needsDetails($0, part) }
            hasBegun = true
            return try await planner.plan(part)
        } catch let error as any ActionableError where hasBegun {
            hasFailed = true
            return FetchPlan(failures: [.further(error)])
        }
    }

    /// Notes in the folder's manifest that everything was planned and downloaded, where the photos are those of a
    /// feed to its end, newest first, and none can have been passed over. Only for a run without a failure.
    package func noteEnd(in folder: TargetFolder) async throws(DownloadError) {
        guard progress.isOver, let planner, let landmarks, !landmarks.isEmpty, let resolver,
            // What an archive has left out, the folder has not had.
            planner.options.archive == nil,
            resolver.walk.hasReachedEnd || planner.options.isOnlyNew && landmarks.areMet,
            await resolver.isWhole()
        else { return }
        let (entry, known) = (landmarks.entry, planner.end(of: landmarks.key))
        let walk = landmarks.walk(toEnd: resolver.walk.hasReachedEnd)
        try await Disk.run { () throws(DownloadError) in
            guard let folder = try folder.existing() else { return }
            // What it says is had must be on the device before it.
            try folder.sync()
            if entry != known { try folder.manifest.add(entry) }
            try folder.manifest.add(walk)
        }
    }

    // MARK: - Files

    /// Plans the first part, whose files ``files(_:)`` gives first. An error here is no photo's.
    package func begin() async throws -> FetchPlan {
        guard let first = try await next() else { return FetchPlan() }
        take(first)
        return first
    }

    /// The files for the downloader, planned as it gets to them. `observer` knows of the first part.
    package nonisolated func files(_ observer: any FetchObserver) -> AsyncStream<DownloadItem> {
        AsyncStream { await self.nextFile(observer) }
    }

    private func take(_ plan: FetchPlan) {
        ready = plan.files.map(\.item)[...]
        upcoming = Task { try await self.next() }
    }

    private func nextFile(_ observer: any FetchObserver) async -> DownloadItem? {
        while ready.isEmpty {
            guard let planning = upcoming.take() else { return nil }
            let part = await withTaskCancellationHandler {
                await planning.result
            } onCancel: {
                planning.cancel()
            }
            // Canceled: whoever did that reports it.
            guard case .success(let plan) = part else { return nil }
            observer.begin(plan ?? FetchPlan(), progress)
            if let plan { take(plan) } else { await makeRoom(observer) }
        }
        return ready.popFirst()
    }

    /// Goes on where duplicates have left room under the limit for further photos.
    private func makeRoom(_ observer: any FetchObserver) async {
        guard progress.filter.isUnique, progress.filter.isFull else { return }
        let duplicates = await observer.duplicatesOnceSettled()
        guard duplicates > 0 else { return }
        resolver?.takeBack(duplicates)
        upcoming = Task { try await self.next() }
    }
}

/// Follows a fetch while it is planned.
package protocol FetchObserver: Sendable {
    /// Called with each part of the plan before its files are downloaded.
    func begin(_ plan: FetchPlan, _ progress: FetchSupply.Progress?)

    /// How many photos proved to be duplicates since the last call, once every planned file has ended; 0 if canceled.
    func duplicatesOnceSettled() async -> Int
}
