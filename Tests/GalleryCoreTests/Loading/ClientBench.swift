import Foundation
import GalleryTestSupport

@testable import GalleryCore

/// Clients that share what a process shares, over real sockets, with time in the test's hand.
struct ClientBench: Sendable {
    let server: LocalServer
    let clock: TestClock
    let shared: APIClient.Shared
    let events = Watched<[APIEvent]>([])
    private let transport = URLSessionTransport(connections: 6)

    /// The calendar when the clock shows zero: Sun, 06 Nov 1994 08:49:37 GMT.
    static let start = Date(timeIntervalSince1970: 784_111_777)

    /// - Parameters:
    ///   - clock: one that skips every wait, unless the test means to look at waits.
    ///   - folder: where replies are kept; nowhere where `nil`.
    init(_ server: LocalServer, clock: TestClock = .skipping(), folder: URL? = nil) {
        self.server = server
        self.clock = clock
        let timekeeper = Timekeeper(
            clock: clock, date: { Self.start.addingTimeInterval(clock.now.offset / .seconds(1)) },
            chance: { 0 })
        shared = APIClient.Shared(
            cache: folder.map { DiskCache(folder: $0, timekeeper: timekeeper) }, timekeeper: timekeeper)
    }

    func client(
        _ policy: ServicePolicy = .polite, retries: Int = 4, refreshes: Bool = false,
        over other: (any HTTPTransport)? = nil
    ) -> APIClient {
        var configuration = APIClient.Configuration()
        configuration.idleTimeout = 600
        configuration.retries = retries
        configuration.refreshes = refreshes
        return APIClient(
            transport: other ?? transport, policy: policy, configuration: configuration, shared: shared
        ) { [events] event in events.update { $0.append(event) } }
    }

    /// The outcome of one request by a usual client.
    func reply(to target: String = "list", retries: Int = 4) async -> Result<HTTPReply, ServiceError> {
        await client(retries: retries).reply(to: request(target))
    }

    func request(_ target: String = "list") -> HTTPRequest { HTTPRequest(url: server.url(target)) }

    /// The waits that were told, in seconds.
    var waits: [Double] {
        events.value.compactMap { event in
            if case .waiting(_, let duration, _) = event { duration / .seconds(1) } else { nil }
        }
    }

    var wasReused: Int {
        events.value.count { event in
            if case .reused = event { true } else { false }
        }
    }
}

extension APIClient {
    /// The outcome of one request.
    func reply(
        to request: HTTPRequest, for purpose: ServicePolicy.Purpose = .list
    ) async -> Result<HTTPReply, ServiceError> {
        await replies(to: [request], for: purpose).first ?? .failure(.transport(.cancelled))
    }
}

extension Result where Success == HTTPReply, Failure == ServiceError {
    /// The body as text; `nil` where there is no reply.
    var text: String? { (try? get()).map { String(decoding: $0.body, as: UTF8.self) } }

    /// The status; `nil` where there is no reply.
    var status: Int? { (try? get())?.head.status }

    var isCanceled: Bool { if case .cancelled? = transportError { true } else { false } }

    /// What kept the reply away.
    var transportError: TransportError? {
        if case .failure(.transport(let error)) = self { error } else { nil }
    }
}
