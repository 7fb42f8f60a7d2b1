import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The worker's side of ``NetworkWorkers``: a process that sends requests and nothing else.
package enum NetworkWorker {
    /// The most requests at once: the program has its own, lower limit.
    static let connections = 1024

    /// Carries requests that arrive at `socket` until the program at its other end has gone, then ends the
    /// process.
    package static func run(on socket: Int32) -> Never {
        signal(SIGPIPE, SIG_IGN)
        ProcessGuard.engage()
        let output = Output(socket)
        if let hello = WorkerFrame.hello.bytes { output.write(hello) }
        let desk = Desk(output)
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: WorkerFrame.longestPayload + 65_536, alignment: 16)
        var filled = 0
        while true {
            let count = SystemCall.retrying {
                read(socket, buffer.baseAddress.map { $0 + filled }, buffer.count - filled)
            }
            guard count > 0 else { _exit(0) }
            filled += count
            var rest = UnsafeRawBufferPointer(rebasing: buffer[..<filled])
            do {
                while let frame = try RawFrame(in: rest) {
                    desk.receive(try WorkerFrame(frame))
                    rest = UnsafeRawBufferPointer(rebasing: rest[frame.length...])
                }
            } catch {
                _exit(1)
            }
            filled = rest.count
            buffer.copyMemory(from: rest)
        }
    }

    /// Requests in the order in which they came.
    private final class Desk: Sendable {
        private let output: Output
        private let carrier = URLSessionCarrier(connections: NetworkWorker.connections)
        private let receivers = Mutex<[UInt32: FrameReceiver]>([:])

        init(_ output: Output) {
            self.output = output
        }

        /// Starting a request may wait for URLSession, and that for the program to read. Nothing is lost: the
        /// program reads and writes on threads of their own, and what it cancels is behind the request anyway.
        func receive(_ frame: WorkerFrame) {
            switch frame {
            case .request(let id, let request):
                let receiver = FrameReceiver(id, output) { self.receivers.withLock { $0[id] = nil } }
                receivers.withLock { $0[id] = receiver }
                carrier.start(request, for: receiver)
            case .cancel(let id): cancel(id)
            case .hello, .head, .body, .headOnly, .end: break
            }
        }

        private func cancel(_ id: UInt32) {
            guard let receiver = receivers.withLock({ $0[id] }) else {
                // Not known, or just over: then the program does not know it either.
                return output.write(.end(id, code: -1000, text: ""))
            }
            carrier.cancel(receiver)
        }
    }

    /// Sends what happens to one request to the program.
    ///
    /// A head waits for what follows it, and a body's last bytes for the end of the request, so that a small
    /// reply wakes the program once.
    private final class FrameReceiver: ReplyReceiver {
        private struct State {
            /// Frames that have not been sent.
            var waiting: [UInt8] = []
            /// Bytes of the body to come, as far as the head says. Only a hint: a wrong one costs a moment.
            var missing: Int64?
        }

        private let id: UInt32
        private let output: Output
        private let completion: @Sendable () -> Void
        private let state = Mutex(State())

        init(_ id: UInt32, _ output: Output, completion: @escaping @Sendable () -> Void) {
            self.id = id
            self.output = output
            self.completion = completion
        }

        func receive(status: Int, headers: [String: String], isFinal: Bool) -> Bool {
            state.withLock { state in
                state.missing = headers["Content-Length"].flatMap { Int64($0) }
                let head = WorkerFrame.head(id, status: status, headers: headers, isFinal: isFinal)
                state.waiting += head.bytes ?? []
            }
            return true
        }

        func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
            state.withLock { state in
                state.missing = state.missing.map { $0 - Int64(bytes.count) }
                let isLast = state.missing == 0 && bytes.count <= WorkerFrame.longestPayload
                if isLast { state.waiting += WorkerFrame.header(.body, id, count: bytes.count) + bytes }
                guard !isLast else { return }
                output.write(state.waiting, body: bytes, of: id)
                state.waiting = []
            }
            return true
        }

        func endAtHead() { flush(.headOnly(id)) }

        func finish(_ failure: CarrierFailure?) {
            completion()
            guard case .session(let code, let text)? = failure else {
                return flush(.end(id, code: 0, text: ""))
            }
            flush(.end(id, code: code, text: text))
        }

        private func flush(_ last: WorkerFrame) {
            state.withLock { state in
                output.write(state.waiting + (last.bytes ?? []))
                state.waiting = []
            }
        }
    }

    /// The way to the program. Blocks while the program is busy, which holds the hosts back.
    private final class Output: Sendable {
        private let socket: Int32
        private let turn = Mutex(())

        init(_ socket: Int32) {
            self.socket = socket
        }

        func write(_ frame: WorkerFrame) {
            if let bytes = frame.bytes { write(bytes) }
        }

        func write(_ bytes: [UInt8]) {
            turn.withLock { _ in bytes.withUnsafeBytes(send) }
        }

        /// Writes `frames`, then `body` as frames.
        func write(_ frames: [UInt8], body: UnsafeRawBufferPointer, of id: UInt32) {
            turn.withLock { _ in
                var first = frames
                var rest = body
                while !rest.isEmpty {
                    let part = UnsafeRawBufferPointer(rebasing: rest.prefix(WorkerFrame.longestPayload))
                    send(first + WorkerFrame.header(.body, id, count: part.count), part)
                    first = []
                    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(part.count))
                }
            }
        }

        /// Both in one call of the system, where it takes them.
        private func send(_ header: [UInt8], _ body: UnsafeRawBufferPointer) {
            var header = header
            let sent = header.withUnsafeMutableBytes { header in
                var pieces = [
                    iovec(iov_base: header.baseAddress, iov_len: header.count),
                    iovec(iov_base: UnsafeMutableRawPointer(mutating: body.baseAddress), iov_len: body.count),
                ]
                return SystemCall.retrying { writev(socket, &pieces, 2) }
            }
            guard sent > 0 else { _exit(0) }
            let missing = max(0, header.count - sent)
            if missing > 0 { header.suffix(missing).withUnsafeBytes(send) }
            send(UnsafeRawBufferPointer(rebasing: body.dropFirst(max(0, sent - header.count))))
        }

        private func send(_ bytes: UnsafeRawBufferPointer) {
            // Nobody is left to work for.
            if !WorkerSocket.send(bytes, to: socket) { _exit(0) }
        }
    }
}

/// What a worker asks of the system for itself.
private enum ProcessGuard {
    /// Ends with the thread that started it, and leaves no core behind, which would hold keys.
    static func engage() {
        #if canImport(Glibc)
            typealias Control = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
            // Glibc's module leaves variadic functions out.
            guard let symbol = dlsym(nil, "prctl") else { return }
            let control = unsafeBitCast(symbol, to: Control.self)
            // `PR_SET_PDEATHSIG` and `PR_SET_DUMPABLE`, linux/prctl.h.
            _ = control(1, UInt(SIGKILL), 0, 0, 0)
            _ = control(4, 0, 0, 0, 0)
        #endif
    }
}
