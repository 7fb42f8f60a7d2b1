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

    private struct Work {
        var resolver: SelectionResolver
        var planner: FetchPlanner
        /// Photos that are resolved, but not planned.
        var pending = ResolvedPhotos()
        var detailed = 0
        var isOver = false
        /// Whether the last page of an open range had no new photos, which ends it.
        var isWithoutNew = false

        var progress: Progress {
            Progress(
                filter: resolver.filter, expected: resolver.expected, known: planner.known,
                detailed: detailed, isOver: isOver)
        }

        /// The next part; `nil` at the end.
        mutating func next() async throws -> FetchPlan? {
            if pending.isEmpty {
                guard !isWithoutNew, let resolved = try await resolver.next() else { return nil }
                pending = planner.withoutKnown(resolved)
                // The newest photos come first, so what follows a page without any new ones is not new either.
                isWithoutNew =
                    pending.photos.isEmpty && !resolved.photos.isEmpty && resolver.isWalkingToEnd
            }
            let part = planner.nextPart(of: &pending)
            detailed += part.photos.count { planner.needsDetails($0, part) }
            return try await planner.plan(part)
        }
    }

    /// `nil` while a part is planned: moved out for that, because an actor cannot lend its state to a
    /// suspending call, and a copy would copy every name.
    private var work: Work?
    private var hasBegun = false
    private var isOver = false
    /// How far the plan has come.
    package private(set) var progress: Progress

    /// A plan of the photos that `resolver` gives.
    package init(_ resolver: SelectionResolver, _ planner: FetchPlanner) {
        let work = Work(resolver: resolver, planner: planner)
        progress = work.progress
        self.work = work
    }

    /// The next part; `nil` at the end, and for a caller that asks while another part is planned.
    ///
    /// Once a part has been given, an error is a failure like any photo's, and ends the plan.
    package func next() async throws -> FetchPlan? {
        guard var work, !isOver else { return nil }
        self.work = nil
        defer {
            progress = work.progress
            self.work = work
        }
        do {
            let plan = try await work.next()
            work.isOver = plan == nil
            hasBegun = hasBegun || plan != nil
            return plan
        } catch let error as any ActionableError where hasBegun {
            isOver = true
            return FetchPlan(failures: [.further(error)])
        }
    }

    /// Makes room for more photos in place of `photos` that turned out to be copies.
    package func takeBack(_ photos: Int) { work?.resolver.takeBack(photos) }
}

/// Follows a fetch while it is planned.
package protocol FetchObserver: Sendable {
    /// Called with each part of the plan before its files are downloaded.
    func begin(_ plan: FetchPlan, _ progress: FetchSupply.Progress?)

    /// The number of photos that turned out to be copies since the last call, once every planned file has ended;
    /// 0 where the task is canceled.
    func copiesOnceSettled() async -> Int
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

        /// Whether copies have left room under the limit for further photos.
        private mutating func makeRoom(_ supply: FetchSupply) async -> Bool {
            let filter = await supply.progress.filter
            guard filter.isUnique, filter.isFull else { return false }
            let copies = await observer.copiesOnceSettled()
            guard copies > 0 else { return false }
            await supply.takeBack(copies)
            planAhead()
            return true
        }
    }
}
