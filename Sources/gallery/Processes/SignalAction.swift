import Foundation

extension sigaction {
    /// The action that calls `handler`, which may do only what is safe in the midst of anything.
    init(_ handler: @escaping @convention(c) (Int32) -> Void, flags: Int32) {
        self.init()
        #if canImport(Glibc)
            __sigaction_handler.sa_handler = handler
        #else
            __sigaction_u.__sa_handler = handler
        #endif
        sa_flags = flags
    }

    /// Whether the signal goes by unnoticed.
    var isIgnoring: Bool {
        #if canImport(Glibc)
            let handler = __sigaction_handler.sa_handler
        #else
            let handler = __sigaction_u.__sa_handler
        #endif
        // A number in the place of a function, which two functions cannot be compared as.
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
