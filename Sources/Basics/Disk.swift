import Dispatch

/// Runs work that blocks on the disk off the threads that tasks share.
package enum Disk {
    private static let queue = DispatchQueue(label: "gallery.disk", attributes: .concurrent)

    private final class Executor: TaskExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    private static let executor = Executor()

    /// Runs `work`, whatever becomes of the caller.
    package static func start(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// The result of `work`, which may block. A task's rather than a continuation's: ThreadSanitizer knows that its end
    /// comes before what waits for it.
    package static func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await Task(executorPreference: executor) { Result(catching: work) }.value.get()
    }
}

/// Runs an actor on a queue of its own, so that it may block on the disk. Linux lacks `DispatchSerialQueue`.
package final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    package init(label: String) { queue = DispatchQueue(label: label) }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
