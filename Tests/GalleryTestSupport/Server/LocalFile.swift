import Foundation

/// A file on the server, and its replies to conditional and range requests (RFC 9110, 13 and 14).
struct LocalFile: Sendable {
    let body: LocalBody
    let tag: String?
    let lastModified: String?
    let contentType: String
    let knowsRanges: Bool

    func answer(to request: LocalRequest) -> LocalReply.Answer {
        var headers: LocalHeaders = [:]
        headers.set("ETag", tag)
        headers.set("Last-Modified", lastModified)
        if knowsRanges { headers.set("Accept-Ranges", "bytes") }
        if isUnchanged(for: request) { return .init(status: 304, headers: headers, body: "") }
        headers.set("Content-Type", contentType)
        guard knowsRanges, holdsIfRange(request), let wish = request.headers["Range"].flatMap(ByteRange.init)
        else { return .init(status: 200, headers: headers, body: body) }
        guard let range = wish.range(in: body.count) else {
            headers.set("Content-Range", "bytes */\(body.count)")
            return .init(status: 416, headers: headers, body: "")
        }
        headers.set("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(body.count)")
        return .init(status: 206, headers: headers, body: body.slice(range))
    }

    private func isUnchanged(for request: LocalRequest) -> Bool {
        guard let known = request.headers["If-None-Match"] else {
            return lastModified != nil && request.headers["If-Modified-Since"] == lastModified
        }
        let tags = known.split(separator: ",").map { opaque($0.trimmingPrefix { $0 == " " }) }
        return known == "*" || tag.map { tags.contains(opaque(Substring($0))) } == true
    }

    /// Weak comparison: `W/` makes no difference.
    private func opaque(_ tag: Substring) -> Substring {
        tag.hasPrefix("W/") ? tag.dropFirst(2) : tag
    }

    /// Strong comparison: a weak tag never matches, and the whole file is sent.
    private func holdsIfRange(_ request: LocalRequest) -> Bool {
        guard let validator = request.headers["If-Range"] else { return true }
        if validator.hasPrefix("W/") { return false }
        return validator == tag || validator == lastModified
    }
}

/// The only form of `Range` that downloads use: a single range of bytes.
private struct ByteRange {
    private let first: Int?
    private let last: Int?

    /// `nil` for other units, multiple ranges, and invalid values, which RFC 9110 says to ignore.
    init?(_ text: String) {
        guard let match = text.wholeMatch(of: /bytes=(\d*)-(\d*)/) else { return nil }
        (first, last) = (Int(match.1), Int(match.2))
        if first == nil, last == nil { return nil }
        if let first, let last, last < first { return nil }
    }

    /// `nil` if the file has none of these bytes.
    func range(in count: Int) -> Range<Int>? {
        guard let first else {
            let suffix = min(last ?? 0, count)
            return suffix > 0 ? count - suffix..<count : nil
        }
        guard first < count else { return nil }
        return first..<min((last ?? count) &+ 1, count)
    }
}
