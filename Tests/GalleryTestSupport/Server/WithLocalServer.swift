import Foundation

/// Runs the body with a server that answers as the handler says, and stops it.
///
///     try await withLocalServer { request in
///         request.attempt == 1 ? .file(photo).cut(at: .half) : .file(photo)
///     } run: { server in
///         …
///         #expect(server.requests.map { $0.headers["Range"] } == [nil, "bytes=50000-"])
///     }
///
/// - Parameter port: 0 lets the system choose; the port of a server that
///   has stopped brings it back.
nonisolated(nonsending) public func withLocalServer<Result>(
    port: Int = 0, _ handler: @escaping LocalServer.Handler,
    run body: nonisolated(nonsending) (LocalServer) async throws -> Result
) async throws -> Result {
    let server = try LocalServer(port: port, handler: handler)
    do {
        let result = try await body(server)
        await server.stop()
        return result
    } catch {
        await server.stop()
        throw error
    }
}

/// The same with one reply to every request.
nonisolated(nonsending) public func withLocalServer<Result>(
    _ reply: LocalReply, run body: nonisolated(nonsending) (LocalServer) async throws -> Result
) async throws -> Result {
    try await withLocalServer({ _ in reply }, run: body)
}

/// The same with a reply for each path, or path with query where given so; 404 elsewhere.
///
///     try await withLocalServer(["/v1/photos": .json(list), "/1.jpg": .file(photo)]) { server in … }
nonisolated(nonsending) public func withLocalServer<Result>(
    _ routes: [String: LocalReply], run body: nonisolated(nonsending) (LocalServer) async throws -> Result
) async throws -> Result {
    try await withLocalServer({ routes[$0.target] ?? routes[$0.path] ?? .status(404) }, run: body)
}
