import GalleryCore

/// The files of a fetch for the downloader, planned as it comes to them.
struct PlannedFiles: AsyncSequence, Sendable {
    typealias Element = DownloadItem
    typealias Failure = Never

    /// What is planned already.
    let first: FetchPlan
    /// Gives the rest; `nil` where there is none.
    let supply: FetchSupply?
    /// Learns of each file before it is fetched.
    let report: FetchReport

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(ready: first.files.map(\.item)[...], supply: supply, report: report)
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        private var ready: ArraySlice<DownloadItem>
        private let supply: FetchSupply?
        /// The part after the one that is handed out: asked for meanwhile, so that transfers need not wait for it.
        private var upcoming: Task<FetchPlan?, any Error>?
        private let report: FetchReport

        fileprivate init(ready: ArraySlice<DownloadItem>, supply: FetchSupply?, report: FetchReport) {
            self.ready = ready
            self.supply = supply
            self.report = report
            planAhead()
        }

        mutating func next(isolation actor: isolated (any Actor)?) async -> DownloadItem? { await next() }

        mutating func next() async -> DownloadItem? {
            while ready.isEmpty {
                do {
                    guard try await goOn() else { return nil }
                } catch let error as any ActionableError {
                    // What has come has come: the rest has failed, like a photo.
                    report.begin(FetchPlan(failures: [.further(error)]), await supply?.progress)
                    return nil
                } catch {
                    // Cancelled: whoever did that says what there is to say.
                    return nil
                }
            }
            return ready.popFirst()
        }

        private mutating func planAhead() {
            upcoming = supply.map { supply in Task { try await supply.next() } }
        }

        /// False where nothing follows.
        private mutating func goOn() async throws -> Bool {
            guard let upcoming, let supply else { return false }
            self.upcoming = nil
            let plan = try await withTaskCancellationHandler {
                try await upcoming.value
            } onCancel: {
                upcoming.cancel()
            }
            report.begin(plan ?? FetchPlan(), await supply.progress)
            guard let plan else { return await makeRoom(supply) }
            ready = plan.files.map(\.item)[...]
            planAhead()
            return true
        }

        /// Whether there is room under the limit after all, since photos turned out to be copies.
        private mutating func makeRoom(_ supply: FetchSupply) async -> Bool {
            let sieve = await supply.progress.sieve
            guard sieve.isUnique, sieve.isFull else { return false }
            let copies = await report.copiesOnceSettled()
            guard copies > 0 else { return false }
            await supply.takeBack(copies)
            planAhead()
            return true
        }
    }
}
