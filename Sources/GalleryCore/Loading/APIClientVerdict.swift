import Foundation

/// What a reply is worth, before the service reads it.
enum ReplyVerdict: Hashable {
    /// An answer, which may be kept.
    case good
    /// An answer that the service names, and that is not kept.
    case final
    /// May be another the next time; `pause` is what the service's rules ask for in seconds, if anything.
    case passing(pause: Int?)
}

extension ServicePolicy {
    /// Judges by the status and, since services also fail with status 200, by the body's look.
    func verdict(on reply: HTTPReply) -> ReplyVerdict {
        let status = reply.head.status
        guard status == 200 else {
            return RetryPolicy.isPassing(status: status) ? .passing(pause: nil) : .final
        }
        // A login page, of the service or of the hotel's network, must not stand in for photos for an hour.
        let start = reply.body.first { !" \t\r\n".utf8.contains($0) }
        guard let start, start != UInt8(ascii: "<") else { return .final }
        // Refusals are short; what is long is photos, and not worth reading twice.
        guard reply.body.count <= 8192,
            let fault = try? JSONDecoder().decode(WireFault.self, from: reply.body), fault.isFault
        else { return .good }
        if let code = fault.code, busyCodes.contains(code) { return .passing(pause: busyPause) }
        return .final
    }
}

// MARK: - Wire format

/// How services refuse with status 200: Flickr's `{"stat":"fail","code":105}`, MediaWiki's
/// `{"error":{"code":"maxlag"}}`, pixiv's `{"error":true}`.
private struct WireFault: Decodable {
    let isFault: Bool
    let code: String?

    private enum Key: String, CodingKey {
        case stat
        case code
        case error
    }

    private struct Detail: Decodable {
        let code: WireID?
    }

    init(from decoder: any Decoder) throws {
        let wire = try decoder.container(keyedBy: Key.self)
        let detail = try? wire.decode(Detail.self, forKey: .error)
        let isTrue = (try? wire.decode(Bool.self, forKey: .error)) == true
        let text = (try? wire.decode(String.self, forKey: .error)) ?? ""
        let failed = (try? wire.decode(String.self, forKey: .stat)) == "fail"
        isFault = failed || isTrue || !text.isEmpty || detail != nil
        code = detail?.code?.value ?? (try? wire.decode(WireID.self, forKey: .code))?.value
    }
}
