/// The plan of a fetch, part by part, as the downloader gets to it: only a stretch of a long feed is in memory.
///
/// An actor, because the next part is planned while the one before it is downloaded, and the names of a
/// hundred thousand files are not to be copied for that.
package actor FetchSupply {
    /// How far the plan has come.
    package struct Progress: Sendable {
        /// What the filter has let through and left out so far.
        package let filter: FilterRun
        /// Photos in all; `nil` while unknown.
        package let expected: Int?
        /// Photos left out because the folder has had them.
        package let known: Int
        /// Photos whose details have been requested so far.
        package let detailed: Int
        /// Whether everything is planned.
        package let isOver: Bool
    }

    private let planner: FetchPlanner
    /// `nil` while it resolves: moved out for that, because an actor cannot lend its state to a suspending call,
    /// and a copy would copy every photo that it has met.
    private var resolver: SelectionResolver?
    /// Photos that are resolved, but not planned.
    private var pending = ResolvedPhotos()
    private var landmarks: FeedLandmarks?
    private var hasBegun = false
    private var isOver = false
    /// How far the plan has come.
    package private(set) var progress: Progress

    /// A plan of the photos that `resolver` gives.
    package init(_ resolver: SelectionResolver, _ planner: FetchPlanner) {
        self.resolver = resolver
        self.planner = planner
        landmarks = resolver.openFeed.map { feed in
            let key = FeedLandmarks.key(feed, planner.options.size)
            return FeedLandmarks(key, after: planner.end(of: key))
        }
        progress = Progress(
            filter: resolver.filter, expected: resolver.expected, known: 0, detailed: 0, isOver: false)
    }

    /// The next part; `nil` at the end, and for a caller that asks while another part is planned.
    ///
    /// Once a part has been given, an error is a failure like any photo's, and ends the plan.
    package func next() async throws -> FetchPlan? {
        guard !isOver, var resolver else { return nil }
        self.resolver = nil
        var detailed = 0
        var isPlanned = false
        defer {
            progress = Progress(
                filter: resolver.filter, expected: resolver.expected, known: planner.known,
                detailed: progress.detailed + detailed, isOver: isPlanned)
            self.resolver = resolver
        }
        do {
            if pending.isEmpty {
                // Where the newest photos come first, what follows those of a whole run is not new.
                let isAmongKnown = planner.options.isOnlyNew && landmarks?.areMet == true
                guard !isAmongKnown, let resolved = try await resolver.next() else {
                    isPlanned = true
                    return nil
                }
                resolved.photos.forEach { landmarks?.take($0.photo.id) }
                pending = planner.withoutKnown(resolved)
            }
            let part = planner.nextPart(of: &pending)
            detailed = part.photos.count { planner.needsDetails($0, part) }
            hasBegun = true
            return try await planner.plan(part)
        } catch let error as any ActionableError where hasBegun {
            isOver = true
            return FetchPlan(failures: [.further(error)])
        }
    }

    /// Makes room for more photos in place of `photos` that turned out to be duplicates.
    package func takeBack(_ photos: Int) { resolver?.takeBack(photos) }

    /// Notes in the folder's manifest that everything was planned and downloaded, where the photos are those of a
    /// feed to its end, newest first. Only for a run without a failure.
    package func noteEnd(in folder: TargetFolder) async throws(DownloadError) {
        guard progress.isOver, let landmarks, !landmarks.isEmpty, let resolver, !resolver.hasUnreadable,
            resolver.hasReachedEnd || planner.options.isOnlyNew && landmarks.areMet
        else { return }
        let (entry, known) = (landmarks.entry, planner.end(of: landmarks.key))
        guard entry != known else { return }
        try await Disk.run { () throws(DownloadError) in try folder.existing()?.manifest.add(entry) }
    }
}

/// Follows a fetch while it is planned.
package protocol FetchObserver: Sendable {
    /// Called with each part of the plan before its files are downloaded.
    func begin(_ plan: FetchPlan, _ progress: FetchSupply.Progress?)

    /// The number of photos that turned out to be duplicates since the last call, once every planned file has
    /// ended; 0 where the task is canceled.
    func duplicatesOnceSettled() async -> Int
}

/// The files of a fetch for the downloader, planned as it gets to them.
package struct PlannedFiles: AsyncSequence, Sendable {
    package typealias Element = DownloadItem
    package typealias Failure = Never

    private let first: FetchPlan
    private let supply: FetchSupply?
    private let observer: any FetchObserver

    /// The files of `first`, which `observer` knows of, and then those of `supply`.
    package init(first: FetchPlan, supply: FetchSupply?, observer: any FetchObserver) {
        self.first = first
        self.supply = supply
        self.observer = observer
    }

    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(ready: first.files.map(\.item)[...], supply: supply, observer: observer)
    }

    package struct AsyncIterator: AsyncIteratorProtocol {
        private var ready: ArraySlice<DownloadItem>
        private let supply: FetchSupply?
        /// The part after the current one, planned meanwhile so that downloads need not wait for it.
        private var upcoming: Task<FetchPlan?, any Error>?
        private let observer: any FetchObserver

        fileprivate init(
            ready: ArraySlice<DownloadItem>, supply: FetchSupply?, observer: any FetchObserver
        ) {
            self.ready = ready
            self.supply = supply
            self.observer = observer
            planAhead()
        }

        package mutating func next(isolation actor: isolated (any Actor)?) async -> DownloadItem? {
            await next()
        }

        package mutating func next() async -> DownloadItem? {
            while ready.isEmpty {
                do {
                    guard try await proceed() else { return nil }
                } catch {
                    // Canceled: whoever did that reports it.
                    return nil
                }
            }
            return ready.popFirst()
        }

        private mutating func planAhead() {
            upcoming = supply.map { supply in Task { try await supply.next() } }
        }

        /// Takes the next part. False at the end.
        private mutating func proceed() async throws -> Bool {
            guard let upcoming, let supply else { return false }
            self.upcoming = nil
            let plan = try await withTaskCancellationHandler {
                try await upcoming.value
            } onCancel: {
                upcoming.cancel()
            }
            observer.begin(plan ?? FetchPlan(), await supply.progress)
            guard let plan else { return await makeRoom(supply) }
            ready = plan.files.map(\.item)[...]
            planAhead()
            return true
        }

        /// Whether duplicates have left room under the limit for further photos.
        private mutating func makeRoom(_ supply: FetchSupply) async -> Bool {
            let filter = await supply.progress.filter
            guard filter.isUnique, filter.isFull else { return false }
            let duplicates = await observer.duplicatesOnceSettled()
            guard duplicates > 0 else { return false }
            await supply.takeBack(duplicates)
            planAhead()
            return true
        }
    }
}
