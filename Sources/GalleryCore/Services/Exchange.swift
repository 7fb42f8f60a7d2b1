/// A conversation with a service, as a value: what to send next, and how to read the answer.
///
/// Services phrase and read; only ``PhotoLoader`` sends. So a service that needs a
/// look-up first, answers in several parts or lacks a batch request says so here,
/// and is tested with recorded replies alone.
public enum Exchange<Value: Sendable>: Sendable {
    /// One reply, or why it did not come.
    public typealias Outcome = Result<HTTPReply, ServiceError>

    /// Nothing more to send.
    case done(Value)

    /// Send these, together, and read their outcomes in the same order.
    case send([HTTPRequest], read: @Sendable ([Outcome]) throws(ServiceError) -> Exchange<Value>)

    /// Sends one request whose reply is needed: a failure ends the exchange.
    public static func ask(
        _ request: HTTPRequest,
        then read: @escaping @Sendable (HTTPReply) throws(ServiceError) -> Exchange<Value>
    ) -> Exchange<Value> {
        .send([request]) { (outcomes) throws(ServiceError) in try read(outcomes[0].get()) }
    }

    /// The same exchange with its value changed at the end.
    public func map<Other>(
        _ transform: @escaping @Sendable (Value) throws(ServiceError) -> Other
    ) throws(ServiceError) -> Exchange<Other> {
        switch self {
        case .done(let value): .done(try transform(value))
        case .send(let requests, let read):
            .send(requests) { (outcomes) throws(ServiceError) in try read(outcomes).map(transform) }
        }
    }

    /// This exchange, and then the one its value leads to.
    public func then<Other>(
        _ next: @escaping @Sendable (Value) throws(ServiceError) -> Exchange<Other>
    ) throws(ServiceError) -> Exchange<Other> {
        switch self {
        case .done(let value): try next(value)
        case .send(let requests, let read):
            .send(requests) { (outcomes) throws(ServiceError) in try read(outcomes).then(next) }
        }
    }
}
