import Foundation

/// The site as it is asked: what every request carries, and what its refusals mean.
struct PixivSite: Sendable {
    /// The name that errors carry.
    let service: String
    /// Where the site is.
    let base: URL
    /// The session of an account; `nil` for a stranger.
    let session: Secret?

    /// Where a visitor comes from, and who it is. The host of the images refuses whoever does
    /// not come from the site; the site turns away agents that do not begin as browsers do,
    /// and the name that follows is our own.
    static let visitor = [
        "Referer": "https://www.pixiv.net/",
        "User-Agent": "Mozilla/5.0 (compatible) \(HTTPRequest.userAgent)",
    ]

    /// A request below the site's address.
    func request(_ path: String, _ query: [(String, String?)] = []) -> HTTPRequest {
        var request = HTTPRequest(base, path, query: query)
        request.headers = Self.visitor
        if let session { request.secrets[.header(name: "Cookie", prefix: "PHPSESSID=")] = session }
        return request
    }

    /// The body of an answer about `what`, such as `photo 123`.
    func body(of reply: HTTPReply, about what: String) throws(ServiceError) -> Data {
        let fault = PixivFault(reply.body)
        if fault?.isRateLimit == true { throw .rateLimited(service: service, seconds: nil) }
        if let fault, fault.isBadSession, session != nil { throw refused(fault.text) }
        switch reply.head.status {
        case 200:
            guard let fault else { return reply.body }
            throw .unreadable(.message(service: service, text: fault.text ?? "an error without a reason"))
        // 400 is a number that no user or work can have.
        case 400, 404: throw .missing(service: service, what: what)
        case 401, 403:
            // Without a word in JSON it was not the site but a guard before it.
            throw session == nil && fault != nil
                ? keyMissing : refused(fault?.text ?? "status \(reply.head.status)")
        case let status:
            throw .status(status, of: reply, service: service, what: what, variable: nil)
        }
    }

    /// This is not for strangers.
    var keyMissing: ServiceError { .keyMissing(service: service, variable: Pixiv.sessionVariable) }

    /// This is not for the account whose session it is, or that is none.
    func refused(_ reason: String?) -> ServiceError {
        .refused(
            service: service, reason: reason ?? "no reason given",
            variable: session.map { _ in Pixiv.sessionVariable })
    }
}

extension Secret {
    /// Whose session it is: the number before the `_`, which is no secret but part of the
    /// address of the user's page.
    var pixivUser: String? {
        PixivAddress.number(
            value.split(separator: "_", omittingEmptySubsequences: false).first.map(String.init))
    }
}
