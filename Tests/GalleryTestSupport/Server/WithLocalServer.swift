import Foundation

/// Runs the body with a server that replies as the handler says, then stops the server.
///
///     try await withLocalServer { request in
///         request.attempt == 1 ? .file(photo).cut(at: .half) : .file(photo)
///     } run: { server in
///         …
///         #expect(server.requests.map { $0.headers["Range"] } == [nil, "bytes=50000-"])
///     }
///
/// - Parameter port: The port; 0 lets the system choose. The port of a stopped server
/// brings that server back.
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

/// Runs the body with a server that sends one reply to every request.
nonisolated(nonsending) public func withLocalServer<Result>(
    _ reply: LocalReply, run body: nonisolated(nonsending) (LocalServer) async throws -> Result
) async throws -> Result {
    try await withLocalServer({ _ in reply }, run: body)
}

/// Runs the body with a server that has a reply for each path, or path and query if given so; 404 elsewhere.
///
///     try await withLocalServer(["/v1/photos": .json(list), "/1.jpg": .file(photo)]) { server in … }
nonisolated(nonsending) public func withLocalServer<Result>(
    _ routes: [String: LocalReply], run body: nonisolated(nonsending) (LocalServer) async throws -> Result
) async throws -> Result {
    try await withLocalServer({ routes[$0.target] ?? routes[$0.path] ?? .status(404) }, run: body)
}

/// Runs the body with a server that replies as the handler says, and a new, empty folder.
nonisolated(nonsending) public func withServer<Result>(
    _ handler: @escaping LocalServer.Handler,
    run body: nonisolated(nonsending) (LocalServer, _ folder: URL) async throws -> Result
) async throws -> Result {
    try await withTemporaryDirectory { folder in
        try await withLocalServer(handler) { server in try await body(server, folder) }
    }
}

/// The same with one reply to every request.
nonisolated(nonsending) public func withServer<Result>(
    _ reply: LocalReply, run body: nonisolated(nonsending) (LocalServer, _ folder: URL) async throws -> Result
) async throws -> Result {
    try await withServer({ _ in reply }, run: body)
}
