import Dispatch

/// Runs an actor on a queue of its own, so that what blocks on the disk blocks none of the
/// threads that tasks share. Dispatch's own executor, `DispatchSerialQueue`, is not on Linux.
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
