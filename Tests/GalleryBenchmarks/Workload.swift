import Foundation
import GalleryTestSupport

/// Photos to fetch: how many, how large, how far away; and the server that has them.
struct Workload: Sendable {
    let name: String
    /// Photos in the feed.
    let files: Int
    /// The length of each, in bytes.
    let bytes: Int
    /// What the server waits before each answer.
    let latency: Duration
    /// How often each program is run.
    let rounds: Int
    /// Whether the other programs are run as well: where only memory is asked for, they are not.
    let isForAll: Bool

    private let picture: LocalBody

    private init(
        _ name: String, files: Int, bytes: Int, latency: Duration = .zero, rounds: Int = 5,
        isForAll: Bool = true
    ) {
        self.name = name
        self.files = files
        self.bytes = bytes
        self.latency = latency
        self.rounds = rounds
        self.isForAll = isForAll
        picture = .picture(bytes: bytes)
    }

    static let all = [
        Workload("small", files: 200, bytes: 100_000),
        Workload("distant", files: 200, bytes: 100_000, latency: .milliseconds(50)),
        Workload("large", files: 1, bytes: 256 << 20),
        Workload("tiny", files: 2000, bytes: 10_000),
        Workload("medium", files: 200, bytes: 2_000_000),
        Workload("gigabyte", files: 1, bytes: 1 << 30),
        Workload("huge", files: 1, bytes: 2 << 30, rounds: 1, isForAll: false),
        Workload("many", files: 100_000, bytes: 400, rounds: 1, isForAll: false),
    ]

    /// Where photo `number` is, from 1.
    func address(_ number: Int, on server: URL) -> String { "\(server.absoluteString)/full/\(number).jpg" }

    /// Lists as a 500px-compatible server gives them, and files with tags and ranges.
    func reply(to request: LocalRequest) -> LocalReply {
        let reply =
            request.path == "/v1/photos"
            ? LocalReply.json(list(request)) : .file(picture, tag: "\"\(bytes)\"")
        return latency == .zero ? reply : reply.delayed(by: latency)
    }

    private func list(_ request: LocalRequest) -> String {
        let page = request.query("page").flatMap(Int.init) ?? 1
        let size = request.query("rpp").flatMap(Int.init) ?? 20
        let numbers = stride(from: (page - 1) * size + 1, through: min(files, page * size), by: 1)
        let photos = numbers.map { number in
            let address = address(number, on: request.serverURL)
            return """
                {"id":\(number),"name":"Photo \(number)","width":4000,"height":3000,\
                "user":{"id":7,"username":"ansel","fullname":"Ansel A."},\
                "images":[{"size":3,"url":"\(address)"},{"size":2048,"url":"\(address)"}]}
                """
        }
        return """
            {"current_page":\(page),"total_pages":\((files + size - 1) / size),"total_items":\(files),\
            "photos":[\(photos.joined(separator: ","))]}
            """
    }
}

extension LocalBody {
    /// A JPEG of this many bytes. A large one's pixels are zeros made while they are sent, so that
    /// gigabytes need no memory here; programs that fetch do not look at them.
    fileprivate static func picture(bytes count: Int) -> LocalBody {
        if count < 1 << 20 { return LocalBody(Pictures.jpeg(bytes: count)) }
        let small = Pictures.jpeg(width: 16, height: 16)
        let (head, marker) = (small.dropLast(2), Data(small.suffix(2)))
        return LocalBody(count: count) { range in
            var bytes = Data(count: range.count)
            for (whole, place) in [(head, 0), (marker, count - marker.count)] {
                for index in range.clamped(to: place..<place + whole.count) {
                    bytes[index - range.lowerBound] = whole[index - place]
                }
            }
            return bytes
        }
    }
}
