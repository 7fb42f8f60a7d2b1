import Foundation

/// The bytes on disk that a request can resume from.
struct ResumeOffer: Hashable {
    /// The part's length in bytes, from 1.
    let length: Int64
    /// The strong entity tag or the date that these bytes were sent with.
    let validator: String
    /// The announced length of the whole file.
    let total: Int64?

    var validatorField: String { validator.hasPrefix("\"") ? "ETag" : "Last-Modified" }

    /// The header fields that ask for the bytes from here on, or for the whole file if it has changed.
    var headers: [String: String] { ["Range": "bytes=\(length)-", "If-Range": validator] }
}

/// What a reply means for the part on disk.
enum ResumeDecision: Hashable {
    /// The body continues the part. `total` is the length of the whole file.
    case append(total: Int64?)
    /// The body is the whole file.
    case startOver(total: Int64?)
    case complete
    /// The reply does not fit the part: discard it and start over.
    case discard
    case refuse(status: Int)

    /// Decides by status and `Content-Range`; `offer` is what the request resumed from.
    init(_ head: HTTPHead, offer: ResumeOffer?) {
        switch (head.status, offer) {
        case (200, _), (203, _): self = .startOver(total: head.isEncoded ? nil : head.contentLength)
        case (206, let offer?): self = Self.partial(head, offer)
        case (416, let offer?): self = Self.unsatisfiable(head, offer)
        case (206, nil): self = Self.wholeRange(head)
        case (let status, _): self = .refuse(status: status)
        }
    }

    /// Some hosts answer with a range that nobody asked for: that of the whole file is the file.
    private static func wholeRange(_ head: HTTPHead) -> Self {
        guard !head.isEncoded, let range = head["Content-Range"].flatMap(ContentRange.init),
            let total = range.total, range.bytes == 0..<total, head.contentLength ?? total == total
        else { return .discard }
        return .startOver(total: total)
    }

    /// Some hosts honor `Range` but not `If-Range`, so only the reply's validator shows that it is from the same file.
    /// RFC 9110, 15.3.7, requires it in a 206 as in a 200.
    private static func partial(_ head: HTTPHead, _ offer: ResumeOffer) -> Self {
        guard !head.isEncoded, head[offer.validatorField] == offer.validator,
            let range = head["Content-Range"].flatMap(ContentRange.init), let bytes = range.bytes,
            bytes.lowerBound == offer.length, agree(range.total, offer.total)
        else { return .discard }
        if let announced = head.contentLength, announced != Int64(bytes.count) { return .discard }
        return .append(total: range.total ?? offer.total)
    }

    private static func unsatisfiable(_ head: HTTPHead, _ offer: ResumeOffer) -> Self {
        // An error may omit the validator, since it has no bytes of the file.
        guard head[offer.validatorField] ?? offer.validator == offer.validator,
            let range = head["Content-Range"].flatMap(ContentRange.init), range.bytes == nil,
            range.total == offer.length, agree(range.total, offer.total)
        else { return .discard }
        return .complete
    }

    private static func agree(_ one: Int64?, _ other: Int64?) -> Bool {
        one == nil || other == nil || one == other
    }
}

/// A `Content-Range` in bytes: RFC 9110, 14.4.
struct ContentRange: Hashable {
    /// The range of the body; `nil` in `bytes */1234`.
    let bytes: Range<Int64>?
    /// The length of the whole file; `nil` if the host does not know it.
    let total: Int64?

    init?(_ field: String) {
        let form = /bytes +(?:(?<first>[0-9]+)-(?<last>[0-9]+)|\*)\/(?<total>[0-9]+|\*)/.ignoresCase()
        guard let match = field.wholeMatch(of: form) else { return nil }
        total = Int64(match.total)
        guard total != nil || match.total == "*" else { return nil }
        guard let first = match.first, let last = match.last else {
            bytes = nil
            return
        }
        guard let first = Int64(first), let last = Int64(last), first <= last, last < total ?? .max
        else { return nil }
        bytes = first..<last + 1
    }
}
