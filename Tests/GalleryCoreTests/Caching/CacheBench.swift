import Foundation
import GalleryCore
import GalleryTestSupport

/// A cache in a folder of its own, with a calendar that the test turns.
struct CacheBench: Sendable {
    let folder: URL
    let clock = TestClock()
    let warnings = Watched<[CacheError]>([])

    /// A cache as another process would open it.
    func cache(limit: Int64 = DiskCache.defaultLimit) -> DiskCache {
        DiskCache(folder: folder, limit: limit, timekeeper: timekeeper) { error in
            warnings.update { $0.append(error) }
        }
    }

    var timekeeper: Timekeeper {
        let clock = clock
        return Timekeeper(
            clock: clock, date: { Self.start.addingTimeInterval(clock.now.offset / .seconds(1)) })
    }

    static let start = Date(timeIntervalSince1970: 1_700_000_000)

    static func request(_ number: Int = 1, secret: String? = nil) -> HTTPRequest {
        var request = HTTPRequest(url: URL(filePath: "/"))
        if let url = URL(string: "https://api.example.org/v1/photos?page=\(number)") { request.url = url }
        request.secrets[.query(name: "key")] = secret.flatMap { Secret($0) }
        return request
    }

    static func reply(_ body: String, headers: [String: String] = [:]) -> HTTPReply {
        HTTPReply(
            head: HTTPHead(status: 200, url: URL(filePath: "/"), headers: headers), body: Data(body.utf8))
    }

    /// The names of the files in the folder, hidden ones too.
    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }

    var entry: URL? { names.first { $0.hasSuffix(".reply") }.map { folder.appending(path: $0) } }
}
