import Foundation
import Testing

/// Lets only as many tests run at once as the machine has cores, of all that have this trait.
///
/// Swift Testing starts every test of a run at the same moment. Those that start programs or servers, wait for
/// what others do, or compute for seconds, would keep one another from running until limits of the product's own
/// pass, so each of their suites has this trait:
///
///     @Suite(.fewAtOnce, .timeLimit(.minutes(2))) struct FetchEndToEndTests { … }
///
/// The cases of a test take its turn one after another. A test's time limit does not begin before its turn.
public struct FewAtOnce: SuiteTrait, TestTrait, TestScoping {
    private static let turns = Turns(count: max(2, ProcessInfo.processInfo.activeProcessorCount))
    private static let serialized: ParallelizationTrait = .serialized

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
        await Self.turns.take()
        do {
            try await Self.serialized.provideScope(for: test, testCase: testCase, performing: function)
        } catch {
            await Self.turns.give()
            throw error
        }
        await Self.turns.give()
    }
}

extension Trait where Self == FewAtOnce {
    /// Only as many of these tests run at once as the machine has cores.
    public static var fewAtOnce: Self { Self() }
}

/// So many turns, given in the order in which they are asked for.
private actor Turns {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(count: Int) {
        free = count
    }

    func take() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func give() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
