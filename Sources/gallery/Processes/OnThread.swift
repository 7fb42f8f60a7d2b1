import Foundation

/// The result of work that blocks, on a thread of its own: it would hold up the cooperative pool.
func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { waiter in
        Thread.detachNewThread { waiter.resume(returning: work()) }
    }
}
