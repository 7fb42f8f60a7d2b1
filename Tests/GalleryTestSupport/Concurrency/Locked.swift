import Foundation

/// A value behind a lock that ThreadSanitizer knows.
///
/// Not `Mutex`: on Linux that is made of futex calls inside an uninstrumented
/// library, so the sanitizer reports every contended use of it as a race, in
/// correct programs too (measured on Swift 6.3.1). `NSLock` is a pthread mutex.
///
/// Unchecked because the compiler cannot tie `value` to `lock`. The proof:
/// both are private, and the one function that touches `value` holds the lock
/// while it does; what leaves it is `Sendable`.
public final class Locked<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    /// A lock around `value`.
    public init(_ value: Value) {
        self.value = value
    }

    /// Calls `body` with the value while no other thread has it.
    public func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&value)
    }
}
