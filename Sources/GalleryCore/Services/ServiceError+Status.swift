import Foundation

extension ServiceError {
    /// What an HTTP status other than success means where a service gives it no meaning of its own.
    static func status(
        _ status: Int, of reply: HTTPReply, service: String, what: String, variable: String?
    ) -> ServiceError {
        switch status {
        case 401, 403:
            .refused(
                service: service, reason: reason(in: reply.body) ?? "status \(status)", variable: variable)
        case 404, 410: .missing(service: service, what: what)
        case 429:
            .rateLimited(service: service, seconds: reply.head["Retry-After"].flatMap { Int($0) })
        case 503 where reply.head["Retry-After"] != nil:
            .rateLimited(service: service, seconds: reply.head["Retry-After"].flatMap { Int($0) })
        default: .failed(service: service, status: status, reason: reason(in: reply.body))
        }
    }

    /// The service's own words, where the body is one of the usual error objects.
    private static func reason(in body: Data) -> String? {
        guard let wire = try? JSONDecoder().decode(WireReason.self, from: body) else { return nil }
        let text = PlainText.excerpt(wire.error ?? wire.message ?? "", limit: 120)
        return text.isEmpty ? nil : text.hasSuffix(".") ? String(text.dropLast()) : text
    }

    private struct WireReason: Decodable {
        let error: String?
        let message: String?
    }
}
