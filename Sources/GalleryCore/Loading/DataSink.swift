import Foundation
import Synchronization

/// Keeps a reply in memory, for lists and details, up to a limit.
final class DataSink: BodySink {
    /// A list of a hundred photos is 400 KB; a hostile body must not fill the memory.
    static let limit = 32 << 20

    private let body = Mutex(Data())

    func begin(_ head: HTTPHead) throws {
        guard (head.contentLength ?? 0) <= Self.limit else { throw TooLarge() }
        body.withLock { $0 = Data() }
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws {
        try body.withLock { body in
            guard body.count + bytes.count <= Self.limit else { throw TooLarge() }
            body.append(contentsOf: bytes)
        }
    }

    /// What has been received.
    var data: Data { body.withLock { $0 } }

    /// The reply is larger than anything a service has to say.
    struct TooLarge: Error {
        /// In words, without a full stop.
        static let reason = "its answer is larger than \(DataSink.limit >> 20) MB"
    }
}
