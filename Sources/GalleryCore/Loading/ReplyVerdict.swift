import Foundation

/// What to do with a reply, before the service reads it.
enum ReplyVerdict: Hashable {
    /// An answer that may be cached.
    case good
    /// An answer for the service to interpret, which is not cached.
    case final
    /// A failure that may be temporary; `pause` is the number of seconds that the service's rules ask for, if any.
    case passing(pause: Int?)
}

extension ServicePolicy {
    /// Judges by the status and, since services also fail with status 200, by the body.
    func verdict(on reply: HTTPReply) -> ReplyVerdict {
        let status = reply.head.status
        guard status == 200 else {
            return RetryPolicy.isPassing(status: status) ? .passing(pause: nil) : .final
        }
        // A login page, of the service or of the hotel's network, must not stand in for photos for an hour.
        let start = reply.body.first { !" \t\r\n".utf8.contains($0) }
        guard let start, start != UInt8(ascii: "<") else { return .final }
        // Refusals are short; a long body is photos, and not parsed twice.
        guard reply.body.count <= 8192, let wire = JSONDocument(reply.body).root else { return .good }
        // Flickr's `{"stat":"fail","code":105}`, MediaWiki's `{"error":{"code":"maxlag"}}`, pixiv's `{"error":true}`.
        let detail = wire.object("error")
        guard
            wire.string("stat") == "fail" || wire["error"]?.bool == true || detail != nil
                || !(wire.string("error") ?? "").isEmpty
        else { return .good }
        let code = (detail?["code"] ?? wire["code"])?.id
        return code.map(busyCodes.contains) == true ? .passing(pause: busyPause) : .final
    }
}

extension HTTPReply {
    /// Whether the body ends where JSON cannot, in a reply whose head does not say where it ends.
    ///
    /// A connection that is cut looks like the end of a body without a length, and a compressed body
    /// that is cut passes as whole (see `URLSessionTransport`): only the JSON can tell.
    var isCutShort: Bool {
        // Whether a body that is shorter than it was sent would have been noticed on the way.
        let saysWhereBodyEnds =
            head.contentLength != nil || head["Transfer-Encoding"]?.lowercased().contains("chunked") == true
        guard head.status == 200, head.isEncoded || !saysWhereBodyEnds else { return false }
        return JSONEnd.isMissing(in: body)
    }
}

/// Whether a JSON text is complete, judged by quotes and brackets only: it need not be valid otherwise.
enum JSONEnd {
    /// True for an empty body and one with a string or bracket open at its end, a callback's too; false for HTML.
    static func isMissing(in body: some Sequence<UInt8>) -> Bool {
        var (depth, isInString, isEscaped, isBlank) = (0, false, false, true)
        for byte in body where !(isBlank && " \t\r\n".utf8.contains(byte)) {
            if isBlank, byte == UInt8(ascii: "<") { return false }
            isBlank = false
            switch byte {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\") where isInString: isEscaped = true
            case UInt8(ascii: "\""): isInString.toggle()
            case _ where isInString: break
            case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "("): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ")"): depth -= 1
            default: break
            }
        }
        return isBlank || isInString || depth > 0
    }
}
