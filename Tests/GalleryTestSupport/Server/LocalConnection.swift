import Foundation

/// The thread of one connection: reads requests and plays replies until either side ends it.
struct LocalConnection {
    let number: Int
    let socket: ClientSocket
    let server: URL
    let log: Watched<ServerLog>
    let handler: LocalServer.Handler

    func serve() {
        var reader = RequestReader(socket)
        while var request = reader.next() {
            request.serverURL = server
            request.arrival = .now
            let received = request
            let logged = log.update { $0.begin(received, on: number) }
            guard play(handler(logged).steps(for: logged)) else { break }
        }
        leave()
        socket.close()
        log.update { $0.threads -= 1 }
    }

    /// Plays the steps; returns whether the connection can take another request.
    private func play(_ steps: [ReplyStep]) -> Bool {
        for (index, step) in steps.enumerated() {
            let isLast = steps.dropFirst(index + 1).allSatisfy(\.isEnding)
            if isLast, !step.isSending { finish() }
            guard play(step, isLast: isLast) else { return false }
        }
        finish()
        return true
    }

    private func play(_ step: ReplyStep, isLast: Bool) -> Bool {
        switch step {
        case .send(let body):
            for (index, piece) in body.pieces.enumerated() {
                if isLast, index == body.pieceCount - 1 { finish() }
                guard socket.write(piece) else { return false }
            }
            return true
        case .wait(let duration):
            return socket.pause(for: duration)
        case .hold(let gate):
            return hold(gate)
        case .end(let ending):
            leave()
            ending == .close ? socket.close() : socket.reset()
            return false
        }
    }

    private func hold(_ gate: Gate?) -> Bool {
        guard let gate else { return socket.pause() }
        guard let latch = try? Latch() else { return false }
        gate.whenOpen { latch.open() }
        return socket.pause(until: latch)
    }

    // Logged before the last bytes or the end are sent, not after: a client that has received
    // them may return before this thread runs, and would look like two clients.

    private func finish() {
        log.update { $0.finish(number) }
    }

    private func leave() {
        log.update { $0.close(number) }
    }
}

extension ReplyStep {
    fileprivate var isSending: Bool {
        if case .send = self { true } else { false }
    }

    fileprivate var isEnding: Bool {
        if case .end = self { true } else { false }
    }
}
