import Foundation
import Testing

/// Lets only half as many tests again run at once as the machine has cores, of all that have this trait: most of them
/// wait for much of their time.
///
/// Swift Testing starts every test of a run at the same moment. Those that start programs or servers, wait for
/// what others do, or compute for seconds, would keep one another from running until limits of the product's own
/// pass, so each of their suites has this trait:
///
///     @Suite(.fewAtOnce, .timeLimit(.minutes(2))) struct FetchEndToEndTests { … }
///
/// The cases of a test take its turn one after another. A test's time limit does not begin before its turn.
public struct FewAtOnce: SuiteTrait, TestTrait, TestScoping {
    private static let count = max(2, ProcessInfo.processInfo.activeProcessorCount * 3 / 2)
    private static let turns = Turns(count: count)
    private static let serialized: ParallelizationTrait = .serialized

    /// How many turns a test takes: all of them, to run alone.
    private let share: Int

    private init(share: Int) {
        self.share = share
    }

    /// Tests take turns, not suites: a long suite would run on alone when all others have ended.
    public var isRecursive: Bool { true }

    /// One turn for a test and all its cases.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
        test.isSuite || testCase != nil ? nil : self
    }

    /// Performs the test when it is its turn.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        await Self.turns.take(share)
        do {
            try await Self.serialized.provideScope(for: test, testCase: testCase, performing: function)
        } catch {
            await Self.turns.give(share)
            throw error
        }
        await Self.turns.give(share)
    }

    fileprivate static let one = Self(share: 1)
    fileprivate static let all = Self(share: count)
}

extension Trait where Self == FewAtOnce {
    /// Only half as many of these tests again run at once as the machine has cores.
    public static var fewAtOnce: Self { .one }
    /// None of the tests that take turns runs beside these: for a subject that takes its time from the clock, such as
    /// a host's rate.
    public static var alone: Self { .all }
}

/// So many turns, given in the order in which they are asked for.
private actor Turns {
    private var free: Int
    private var waiting: [(count: Int, waiter: CheckedContinuation<Void, Never>)] = []

    init(count: Int) {
        free = count
    }

    func take(_ count: Int) async {
        guard !waiting.isEmpty || free < count else {
            free -= count
            return
        }
        await withCheckedContinuation { waiting.append((count, $0)) }
    }

    func give(_ count: Int) {
        free += count
        while let first = waiting.first, first.count <= free {
            free -= first.count
            waiting.removeFirst().waiter.resume()
        }
    }
}
