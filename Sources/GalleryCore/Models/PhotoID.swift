/// Which photo, of which service; stable across lists and runs.
public struct PhotoID: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The service's name as the user types it, such as `500px`.
    public let service: String

    /// The service's own identifier, as its JSON spells it. Untrusted text.
    public let value: String

    /// The photo `value` of `service`.
    public init(service: String, value: String) {
        self.service = service
        self.value = value
    }

    /// `service:value`.
    public var description: String { "\(service):\(value)" }
}
