import Foundation
import GalleryTestSupport

@testable import GalleryCore

/// Keeps what a transport hands over, and may refuse it.
final class RecordingSink: BodySink {
    struct Refusal: Error, Equatable {}

    private struct State {
        var heads: [HTTPHead] = []
        var body = Data()
    }

    private let state = Watched(State())
    private let limit: Int?

    /// - Parameter limit: refuses what goes beyond so many bytes.
    init(limit: Int? = nil) {
        self.limit = limit
    }

    var heads: [HTTPHead] { state.value.heads }
    var body: Data { state.value.body }

    func begin(_ head: HTTPHead) throws {
        state.update { $0.heads.append(head) }
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws {
        // Copied first: what goes behind the lock is `Sendable`.
        let piece = Data(bytes)
        let count = state.update { state in
            state.body.append(piece)
            return state.body.count
        }
        if let limit, count > limit { throw Refusal() }
    }
}

/// What came of sending: the status or the error's case, in a word.
func outcome(
    of request: HTTPRequest, over transport: some HTTPTransport, idleTimeout: Int = 10,
    to sink: RecordingSink = RecordingSink()
) async -> String {
    let sent = await transport.deliver(request, to: sink) {
        (request) async -> Result<HTTPHead, TransportError> in
        do throws(TransportError) {
            return .success(try await transport.send(request, idleTimeout: idleTimeout, to: sink))
        } catch {
            return .failure(error)
        }
    }
    switch sent {
    case .success(let head): return "\(head.status)"
    case .failure(let error):
        return switch error {
        case .unreachable: "unreachable"
        case .cutShort(_, let received, let expected):
            "cut short \(received)/\(expected.map(String.init) ?? "?")"
        case .timedOut(_, let seconds): "timed out after \(seconds)"
        case .redirect(_, let reason): "redirect: \(reason)"
        case .malformed(_, let reason): "malformed: \(reason)"
        case .proxy(let host, let reason, _): "proxy \(host) \(reason)"
        case .badHeader: "bad header"
        case .browsersOnly: "browsers only"
        case .unreadable(_, let isPassing): isPassing ? "unreadable so far" : "unreadable"
        case .interrupted: "interrupted"
        case .rejected: "rejected"
        case .cancelled: "cancelled"
        }
    }
}

/// Lines of a log, from any thread.
final class Lines: Sendable {
    private let lines = Watched<[String]>([])

    var all: [String] { lines.value }

    func add(_ line: String) {
        lines.update { $0.append(line) }
    }
}
