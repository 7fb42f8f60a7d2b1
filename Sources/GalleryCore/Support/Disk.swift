import Dispatch

/// Runs work that blocks on the disk off the threads that tasks share.
enum Disk {
    private static let queue = DispatchQueue(label: "gallery.disk", attributes: .concurrent)

    /// Runs `work`, whatever becomes of the caller.
    static func start(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// The result of `work`, which may block.
    static func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { waiter in
            queue.async { waiter.resume(returning: Result(catching: work)) }
        }
        return try result.get()
    }
}

/// Runs an actor on a queue of its own, so that it may block on the disk.
///
/// Dispatch's own executor, `DispatchSerialQueue`, is not available on Linux.
final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(label: String) {
        queue = DispatchQueue(label: label)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
