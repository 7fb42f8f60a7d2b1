import Foundation
import GalleryTestSupport

/// Photos to fetch: how many, how large, how far away; and the server that has them.
struct Workload: Sendable {
    let name: String
    let files: Int
    let bytes: Int
    /// What the server waits before each answer.
    let latency: Duration
    /// How often each program is run.
    let rounds: Int
    /// Whether the other programs are run as well: where only memory is asked for, they are not.
    let isForAll: Bool

    var title: String {
        let size =
            bytes < 1_000_000
            ? "\(bytes / 1000) KB" : bytes < 1 << 28 ? "\(bytes / 1_000_000) MB" : "\(bytes >> 20) MiB"
        return "\(files) \(files == 1 ? "file" : "photos") of \(size)"
            + (latency == .zero ? "" : " from 50 ms away")
    }

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
        Workload("distant", files: 200, bytes: 100_000, latency: .milliseconds(50)),
        Workload("tiny", files: 2000, bytes: 10_000),
        Workload("medium", files: 200, bytes: 2_000_000),
        Workload("gigabyte", files: 1, bytes: 1 << 30),
        Workload("huge", files: 1, bytes: 2 << 30, rounds: 1, isForAll: false),
        Workload("many", files: 100_000, bytes: 400, rounds: 1, isForAll: false),
    ]

    /// Where photo `number` is, from 1.
    func address(_ number: Int, on server: URL) -> String {
        "\(server.absoluteString)/full/\(number).jpg"
    }

    /// The photos as `gallery fetch -` takes them.
    func lines(on server: URL) -> String {
        (1...files).map { number in
            let file = #"{"url":"\#(address(number, on: server))"}"#
            return #"{"service":"500px","id":"\#(number)","title":"Photo \#(number)","full":\#(file)}"#
                + "\n"
        }.joined()
    }

    /// Runs the body with a server that has the photos: nginx where it is installed and nothing has to wait.
    nonisolated(nonsending) func withServer<Result>(
        _ body: nonisolated(nonsending) (URL) async throws -> Result
    ) async throws -> Result {
        guard latency == .zero, Nginx.executable != nil else {
            let reply = LocalReply.file(picture, tag: "\"\(bytes)\"")
            return try await withLocalServer(latency == .zero ? reply : reply.delayed(by: latency)) {
                try await body($0.url)
            }
        }
        return try await withNginx(location: "access_log off; try_files /picture.jpg =404;") { nginx in
            try picture.write(to: nginx.root.appending(path: "picture.jpg"))
            return try await body(nginx.url)
        }
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

    fileprivate func write(to file: URL) throws {
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        for piece in pieces { try handle.write(contentsOf: piece) }
        try handle.close()
    }
}
