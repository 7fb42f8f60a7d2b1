import Foundation

/// Returns once `condition` holds: for what has no event to wait for, such as a file of another process.
///
/// It is asked on a thread of its own, so that no other test waits for this one to yield.
///
/// - Parameter interval: The time from one look to the next, only so that looking does not keep others from running.
/// - Throws: `CancellationError` if the task is canceled first, or the error of `condition`.
public func until(
    every interval: Duration = .milliseconds(1), _ condition: @escaping @Sendable () throws -> Bool
) async throws {
    let cancellation = try Latch()
    try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        while ready([(cancellation.raw, POLLIN)], timeout: interval)[0] == 0 {
                            if try condition() { return }
                        }
                        throw CancellationError()
                    })
            }
        }
    } onCancel: {
        cancellation.open()
    }
}
