import Foundation

/// That the site did not do what it was asked, in whichever of its ways of saying so.
///
/// `error` was seen as `true`, as a text (`ranking.php`) and as an object (the apps'
/// interface); with status 200 too; and with an empty message, or none.
struct PixivFault {
    /// The site's own words, plain and short; `nil` where it has none.
    let text: String?

    /// The fault that `body` tells; `nil` where it tells none, or is no JSON.
    init?(_ body: Data) {
        guard let wire = try? JSONDecoder().decode(WireFault.self, from: body) else { return nil }
        let said: String?
        switch wire.error {
        case .flag(true): said = wire.message?.text
        case .text(let text): said = text
        case .object(let object): said = object.user_message?.text ?? object.message?.text
        case .flag(false), nil: return nil
        }
        var text = PlainText.excerpt(said ?? "", limit: 120)
        while let last = text.last, ".。".contains(last) { text.removeLast() }
        self.text = text.isEmpty ? nil : text
    }

    /// Source: gallery-dl, `PixivAppAPI._call`.
    var isRateLimit: Bool { text?.lowercased().contains("rate limit") == true }

    /// How `/ajax` answers a session that it does not know. Source: gallery-dl, `_request_ajax`.
    var isBadSession: Bool { text == "An unknown error occurred" }
}

// MARK: - Wire format

private struct WireFault: Decodable {
    let error: WireError?
    let message: WireMessage?
}

private struct WireErrorObject: Decodable {
    let user_message: WireMessage?
    let message: WireMessage?
}

/// A text with something in it; anything else is as good as none.
private struct WireMessage: Decodable {
    let text: String?

    init(from decoder: any Decoder) throws {
        text = (try? WireText(from: decoder))?.filled
    }
}

private enum WireError: Decodable {
    case flag(Bool)
    case text(String)
    case object(WireErrorObject)

    init(from decoder: any Decoder) throws {
        if let flag = try? WireBool(from: decoder) {
            self = .flag(flag.value)
        } else if let text = try? WireText(from: decoder) {
            self = text.value.isEmpty ? .flag(false) : .text(text.value)
        } else {
            self = .object(try WireErrorObject(from: decoder))
        }
    }
}
