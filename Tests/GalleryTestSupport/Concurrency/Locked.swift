import Foundation

/// A value behind a lock that ThreadSanitizer understands.
///
/// Not `Mutex`: on Linux, it consists of futex calls inside an uninstrumented library, so the
/// sanitizer reports every contended use as a race, even in correct programs (measured with
/// Swift 6.3.1). `NSLock` is a pthread mutex.
///
/// Unchecked because the compiler cannot tie `value` to `lock`. The proof: both are private, the
/// only function that accesses `value` holds the lock while it does, and everything that leaves
/// that function is `Sendable`.
public final class Locked<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    /// Creates a lock around `value`.
    public init(_ value: Value) {
        self.value = value
    }

    /// Calls `body` with exclusive access to the value.
    public func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&value)
    }
}
