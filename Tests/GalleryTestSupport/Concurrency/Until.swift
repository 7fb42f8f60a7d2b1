import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Returns once `condition` holds: for what has no event to wait for, such as a file of another process.
///
/// It is asked on a thread of its own, so that no other test waits for this one to yield.
///
/// - Throws: `CancellationError` if the task is canceled first, or the error of `condition`.
public func until(_ condition: @escaping @Sendable () throws -> Bool) async throws {
    let isOver = Flag()
    try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        while try !condition() {
                            if isOver.isSet { throw CancellationError() }
                            // Only so that looking does not keep the others from running.
                            poll(nil, 0, 1)
                        }
                    })
            }
        }
    } onCancel: {
        isOver.set()
    }
}

private final class Flag: Sendable {
    private let value = Mutex(false)
    var isSet: Bool { value.withLock(\.self) }
    func set() { value.withLock { $0 = true } }
}
