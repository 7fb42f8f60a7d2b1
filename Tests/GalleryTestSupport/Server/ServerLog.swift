/// What a server has observed: all requests, and the connections currently open.
struct ServerLog: Sendable {
    private struct Connection {
        let descriptor: Descriptor
        var isBusy = false
    }

    private(set) var requests: [LocalRequest] = []
    private(set) var acceptedConnections = 0
    private(set) var peakConnections = 0
    private(set) var peakRequestsInFlight = 0
    /// Threads that have not ended, including the one that accepts connections.
    var threads = 0

    private var attempts: [String: Int] = [:]
    private var connections: [Int: Connection] = [:]

    var openConnections: Int { connections.count }
    var requestsInFlight: Int { connections.values.count { $0.isBusy } }

    /// Records a new connection and returns its number.
    mutating func open(_ descriptor: Descriptor) -> Int {
        acceptedConnections += 1
        threads += 1
        connections[acceptedConnections] = Connection(descriptor: descriptor)
        peakConnections = max(peakConnections, connections.values.count(where: isAlive))
        return acceptedConnections
    }

    /// Records a request and returns it with its place in the log.
    mutating func begin(_ request: LocalRequest, on connection: Int) -> LocalRequest {
        var request = request
        request.connection = connection
        request.number = requests.count + 1
        request.attempt = attempts["\(request.method) \(request.target)", default: 0] + 1
        attempts["\(request.method) \(request.target)"] = request.attempt
        requests.append(request)
        connections[connection]?.isBusy = true
        peakRequestsInFlight = max(
            peakRequestsInFlight, connections.values.count { $0.isBusy && isAlive($0) })
        return request
    }

    mutating func finish(_ connection: Int) {
        connections[connection]?.isBusy = false
    }

    mutating func close(_ connection: Int) {
        connections[connection] = nil
    }

    /// A client that closes one connection and opens another has one, even
    /// if the thread of the first has not noticed yet.
    private func isAlive(_ connection: Connection) -> Bool {
        !connection.descriptor.isHungUp
    }
}
