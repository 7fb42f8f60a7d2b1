import Foundation
import Synchronization

/// Keeps a reply in memory, for lists and details, up to a limit.
final class MemorySink: BodySink {
    /// A list of a hundred photos is 400 KB; a hostile body must not fill the memory.
    static let limit = 32 << 20

    private struct Reply {
        var head: HTTPHead?
        var body = Data()
    }

    private let reply = Mutex(Reply())

    func begin(_ head: HTTPHead) throws {
        reply.withLock { $0 = Reply(head: head) }
        guard (head.contentLength ?? 0) <= Self.limit else { throw TooLarge() }
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws {
        try reply.withLock { reply in
            guard reply.body.count + bytes.count <= Self.limit else { throw TooLarge() }
            reply.body.append(contentsOf: bytes)
        }
    }

    /// The body as far as it has been received.
    var data: Data { reply.withLock { $0.body } }

    /// The head of a reply that is an error, whatever became of its body; `nil` where none came.
    var refusal: HTTPHead? { reply.withLock { $0.head.flatMap { $0.status >= 400 ? $0 : nil } } }

    /// The reply is larger than anything a service has to say.
    struct TooLarge: Error {
        /// In words, without a full stop.
        static let reason = "its answer is larger than \(MemorySink.limit >> 20) MB"
    }
}
