import Foundation

/// What `wait` returns, or an error that says what did not come, as soon as it cannot come any more: when everything
/// in this process stands still.
///
/// No clock decides. Nothing may be under way that only time or another process would move on, such as a real timer
/// or a socket. Where other tests run at the same time, they have to stand still as well.
@discardableResult
public func untilStandstill<Value: Sendable>(
    _ expected: @escaping @Sendable () -> String, wait: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask { try await wait() }
        group.addTask {
            await Standstill.reached()
            return nil
        }
        defer { group.cancelAll() }
        guard let value = try await group.next() ?? nil else { throw NeverCame(what: expected()) }
        return value
    }
}

/// What a test waited for and never came.
public struct NeverCame: Error, CustomStringConvertible {
    /// What was waited for.
    public let what: String
    /// One sentence for the report.
    public var description: String { "Everything stands still, and this never came: \(what)." }
}

/// A moment at which no thread of the process but the one that looks runs or is about to.
private enum Standstill {
    /// A thread, as the system sees it: what it does, and how often it has stopped doing it.
    private struct Look: Equatable {
        let isAsleep: Bool
        let switches: [String]
    }

    /// Returns at the next standstill, or when the task is canceled: when every other thread slept in two looks,
    /// and none has run in between. Then nobody is left to wake another.
    static func reached() async {
        let last = Locked<[String: Look]?>(nil)
        try? await until(every: .milliseconds(10)) {
            let now = look()
            return last.withLock { last in
                defer { last = now }
                return now != nil && now == last && now?.values.allSatisfy(\.isAsleep) == true
            }
        }
    }

    /// The other threads by their numbers; `nil` where the system does not tell, or one has just ended.
    private static func look() -> [String: Look]? {
        let files = FileManager.default
        guard let own = try? files.destinationOfSymbolicLink(atPath: "/proc/thread-self"),
            let threads = try? files.contentsOfDirectory(atPath: "/proc/self/task")
        else { return nil }
        var looks: [String: Look] = [:]
        for thread in threads where !own.hasSuffix("/\(thread)") {
            guard let text = try? String(contentsOfFile: "/proc/self/task/\(thread)/status", encoding: .utf8)
            else { return nil }
            let lines = text.split(separator: "\n")
            looks[thread] = Look(
                isAsleep: lines.contains { $0.hasPrefix("State:\tS") },
                switches: lines.filter { $0.contains("ctxt_switches") }.map(String.init))
        }
        return looks
    }
}
