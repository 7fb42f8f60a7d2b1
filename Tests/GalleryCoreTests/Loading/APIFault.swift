import Foundation
import GalleryTestSupport

/// A way for a service's answer to go wrong.
struct APIFault: Sendable {
    /// What the faulty reply may be made of.
    struct Whole: Sendable {
        let request: LocalRequest
        /// The answer as it should be.
        let body: Data
        /// Another host, which answers as it should.
        let other: URL

        var reply: LocalReply { .body(body, contentType: "application/json") }
    }

    let name: String
    /// How the request goes out that meets it.
    var way = Detour.Way.usual
    let reply: @Sendable (Whole) -> LocalReply

    init(_ name: String, _ way: Detour.Way = .usual, reply: @escaping @Sendable (Whole) -> LocalReply) {
        self.name = name
        self.way = way
        self.reply = reply
    }
}

// MARK: - Connections

extension APIFault {
    static let refused = APIFault("refused", .refused) { $0.reply }
    static let closedAtOnce = APIFault("closed at once") { _ in .noAnswer() }
    static let resetAtOnce = APIFault("reset at once") { _ in .noAnswer(.reset) }
    static let stall = APIFault("stalled at half", .impatient) { $0.reply.stalled(at: .half) }
    static let drip = APIFault("drips") { $0.reply.dripping(bytes: 50, every: .milliseconds(1)) }
    static let noHTTP = APIFault("no HTTP") { _ in .raw("hello\r\n\r\n") }

    static func reset(at point: BodyPoint) -> APIFault {
        APIFault("reset at \(point)") { $0.reply.cut(at: point, by: .reset) }
    }

    static func cut(at point: BodyPoint) -> APIFault {
        APIFault("cut at \(point)") { $0.reply.cut(at: point) }
    }

    static func cutWithoutLength(at point: BodyPoint) -> APIFault {
        APIFault("without a length, cut at \(point)") { $0.reply.withoutLength().cut(at: point) }
    }

    static func cutInChunks(at point: BodyPoint) -> APIFault {
        APIFault("in chunks, cut at \(point)") { $0.reply.chunked(size: 64).cut(at: point) }
    }
}

// MARK: - Redirects

extension APIFault {
    static let redirectLoop = APIFault("redirected to itself") { .redirect(to: $0.request.target) }
    static let redirectToFile = APIFault("redirected to a file") { _ in .redirect(to: "file:///etc/passwd") }

    static let redirectElsewhere = APIFault("redirected to another host") { whole in
        let key = "&consumer_key=\(FaultyHost.key)"
        return .redirect(to: whole.other.absoluteString + whole.request.target.replacing(key, with: ""))
    }

    static let redirectWithKey = APIFault("redirected to another host with the key") { whole in
        .redirect(to: whole.other.absoluteString + whole.request.target)
    }
}

// MARK: - Answers

extension APIFault {
    static func status(_ status: Int, retryAfter: String? = nil) -> APIFault {
        APIFault("status \(status)" + (retryAfter.map { ", Retry-After \($0)" } ?? "")) { _ in
            .status(status).header("Retry-After", retryAfter)
        }
    }

    static let html = APIFault("HTML") { _ in .html("<!DOCTYPE html><html><body>Log in</body></html>") }
    static let empty = APIFault("empty") { _ in .json("") }
    static let emptyWithoutLength = APIFault("empty, without a length") { _ in .json("").withoutLength() }
    static let otherType = APIFault("said to be a picture") { .body($0.body, contentType: "image/jpeg") }
    static let picture = APIFault("a picture said to be JSON") { _ in
        .body(Pictures.jpeg(bytes: 3_000), contentType: "application/json")
    }
    static let tooLong = APIFault("longer announced than sent") {
        $0.reply.announcing(length: $0.body.count + 10)
    }
    static let tooShort = APIFault("shorter announced than sent") {
        // Closing, or the bytes too many would now and then begin the next answer.
        $0.reply.announcing(length: $0.body.count - 10).closing()
    }
    static let huge = APIFault("announced as 50 MB") { $0.reply.announcing(length: 50_000_000) }
    static let otherTag = APIFault("cut under another tag") {
        $0.reply.header("ETag", #""v0""#).cut(at: .half)
    }

    static let gzip = APIFault("compressed all the same") { .gzip($0.body) }
    static let gzipCut = APIFault("compressed and cut, the length right") { .gzip($0.body, cut: 100) }
    static let gzipCutShort = APIFault("compressed, the connection cut") {
        .gzip($0.body).cut(at: .half)
    }
    static let gzipReset = APIFault("compressed, the connection reset") {
        .gzip($0.body).cut(at: .half, by: .reset)
    }
    static let gzipInChunks = APIFault("compressed in chunks, the connection cut") {
        .gzip($0.body).chunked(size: 64).cut(at: .half)
    }
    static let noGzip = APIFault("said to be compressed") { $0.reply.header("Content-Encoding", "gzip") }
}
