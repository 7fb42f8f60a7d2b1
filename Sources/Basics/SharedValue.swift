import Synchronization

/// A value that several threads read and change.
package final class SharedValue<Value: Sendable>: Sendable {
    private let state: Mutex<Value>

    package init(_ value: Value) { state = Mutex(value) }

    package var value: Value {
        get { withLock { $0 } }
        set { withLock { $0 = newValue } }
    }

    package func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        state.withLock { body(&$0) }
    }
}
