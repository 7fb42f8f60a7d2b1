import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

/// A host compatible with 500px, with two photos, on a bad day.
enum FaultyHost {
    static let key = "k3y-of-ours"
    static let photos = (1...2).map { number in
        """
        {"id":\(number),"name":"Photo \(number) (with \\"brackets\\")","width":4000,"height":3000,"camera":"Box",
        "user":{"id":7,"username":"ansel"},"images":[{"size":3,"url":"https://a.example/\(number).jpg"}]}
        """
    }

    /// The right answer to a request: a list, both photos' details, or one's.
    static func body(for request: LocalRequest) -> Data {
        let id = request.path.split(separator: "/").last.flatMap { Int($0) }
        let text =
            if let id {
                #"{"photo":\#(photos[id - 1])}"#
            } else if request.query("ids") != nil {
                #"{"photos":{"1":\#(photos[0]),"2":\#(photos[1])}}"#
            } else {
                #"{"total_pages":1,"total_items":2,"photos":[\#(photos.joined(separator: ","))]}"#
            }
        return Data(text.utf8)
    }

    /// The photos as a list brings them.
    static func listed() throws(ServiceError) -> [Photo] {
        let list = Data("{\"photos\":[\(photos.joined(separator: ","))]}".utf8)
        return try FiveHundredPixelsImporter(service: "500px", files: nil).batch(list).map(\.photo)
    }

    /// What comes of `ask` where `fault` is met by its first request, or by each.
    ///
    /// - Parameter ask: whether the photos are there and right.
    static func outcome(
        _ fault: APIFault, always isAlways: Bool,
        _ ask: (PhotoLoader) async throws(ServiceError) -> Bool
    ) async throws -> (outcome: FaultCell.Outcome, waits: [Double]) {
        let good: LocalServer.Handler = { .body(body(for: $0), contentType: "application/json") }
        return try await withLocalServer(good) { other in
            let faulty: LocalServer.Handler = { request in
                guard isAlways || request.number == 1, fault.way != .refused else { return good(request) }
                return fault.reply(.init(request: request, body: body(for: request), other: other.url))
            }
            return try await withLocalServer(faulty) { server in
                let bench = ClientBench(server)
                let transport = try Detour(fault.way, for: isAlways ? .max : 1)
                let loader = PhotoLoader(
                    service: FiveHundredPixels(base: server.url("v1"), key: Secret(key)),
                    client: bench.client(retries: 1, over: transport))
                let what: String
                do throws(ServiceError) {
                    what = try await ask(loader) ? "photos" : "other photos"
                } catch {
                    what = "\(error.exitStatus) \(error.word)"
                }
                #expect(!other.requests.contains { "\($0.target) \($0.headers)".contains(key) })
                // JSON is never gone on with.
                #expect(server.requests.allSatisfy { $0.headers["Range"] == nil })
                let requests = fault.way == .refused ? transport.sent.value : server.requests.count
                return (.init(what: what, requests: requests), bench.waits)
            }
        }
    }
}

extension ServiceError {
    /// The exit status of a command that ends with it: a second opinion on `ExitStatus`.
    var exitStatus: Int {
        switch self {
        case .unsupported, .noAddress, .unknownUser: 64
        case .unreadable, .foreign: 65
        case .missing, .noFolder, .noDetails, .noFile: 66
        case .transport(.cancelled): 130
        case .transport, .failed: 69
        case .rateLimited: 75
        case .keyMissing, .refused: 77
        }
    }

    var word: String {
        switch self {
        case .transport(.unreachable): "unreachable"
        case .transport(.cutShort): "cut short"
        case .transport(.timedOut): "timed out"
        case .transport(.redirect): "redirect"
        case .transport(.malformed): "malformed"
        case .transport(.badHeader): "bad header"
        case .transport(.browsersOnly): "browsers only"
        case .transport(.unreadable): "unreadable by the library"
        case .transport(.interrupted): "interrupted"
        case .transport(.proxy): "proxy"
        case .transport(.rejected): "rejected"
        case .transport(.cancelled): "cancelled"
        case .unreadable, .foreign: "unreadable"
        case .keyMissing: "key missing"
        case .noFolder: "no folder"
        case .refused: "refused"
        case .missing: "missing"
        case .rateLimited(_, let seconds): "rate limited" + (seconds.map { " for \($0)" } ?? "")
        case .failed(_, let status, _): "failed \(status)"
        case .unsupported: "unsupported"
        case .noAddress: "no address"
        case .unknownUser: "unknown user"
        case .noDetails: "no details"
        case .noFile: "no file"
        }
    }
}
