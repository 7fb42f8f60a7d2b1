import Foundation
import Testing

/// What must hold for a test to run. Where it does not, the test is skipped, and the end of the run says how many
/// were for the same reason.
///
///     @Test(.needs("chafa", PictureBench.hasChafa)) func `a picture of symbols`() { … }
public struct Condition: TestTrait, SuiteTrait {
    private let reason: LeftOut
    private let holds: @Sendable () async -> Bool

    init(_ reason: LeftOut, _ holds: @escaping @Sendable () async -> Bool) {
        self.reason = reason
        self.holds = holds
    }

    /// Each test of a suite is counted.
    public var isRecursive: Bool { true }

    /// Skips the test unless the condition holds.
    public func prepare(for test: Test) async throws {
        guard await !holds() else { return }
        if !test.isSuite { LeftOut.note(reason, at: test.sourceLocation) }
        let skipped = ConditionTrait.disabled(
            Comment(rawValue: reason.comment), sourceLocation: test.sourceLocation)
        try await skipped.prepare(for: test)
    }
}

extension Trait where Self == Condition {
    /// Skipped where a program is not installed.
    public static func needs(
        _ program: String, _ isInstalled: @autoclosure @escaping @Sendable () -> Bool
    ) -> Self {
        Condition(.program(program), isInstalled)
    }

    /// The same, where one has to ask a program whether it is what it is called.
    public static func needs(_ program: String, _ isInstalled: @escaping @Sendable () async -> Bool) -> Self {
        Condition(.program(program), isInstalled)
    }

    /// Skipped for root, who may read and write everything. The gate runs these tests as an ordinary user besides.
    public static var needsOrdinaryUser: Self { Condition(.root) { geteuid() != 0 } }
}

/// Skips the rest of the test, or of its case, where a program is not installed, and returns what was found of it.
public func needed<Found>(
    _ program: String, _ found: Found?, sourceLocation: SourceLocation = #_sourceLocation
) throws -> Found {
    if let found { return found }
    LeftOut.note(.program(program), at: sourceLocation)
    try Test.cancel(Comment(rawValue: LeftOut.program(program).comment), sourceLocation: sourceLocation)
}
