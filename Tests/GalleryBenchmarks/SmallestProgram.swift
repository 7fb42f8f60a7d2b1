import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The least that a program on URLSession can do: six requests at once, bytes written as they come.
///
/// The floor for `gallery fetch`: it checks nothing, resumes nothing, and keeps no manifest.
final class SmallestProgram: NSObject, URLSessionDataDelegate, Sendable {
    /// The argument after which a file of addresses follows.
    static let argument = "--smallest"

    private struct State {
        var addresses: ArraySlice<URL>
        /// Downloads that have not ended.
        var left: Int
        /// Open files by task, or -1 after a failed write.
        var files: [Int: Int32] = [:]
        var failures = 0
    }

    /// Runs callbacks on the calling thread, which holds the sender back while bytes are written.
    private final class InlineQueue: OperationQueue, @unchecked Sendable {
        // Unchecked like its superclass; it adds no state.
        override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
    }

    private let state: Mutex<State>
    private let session = Mutex<URLSession?>(nil)
    /// Where tasks are started: not in a callback, which would wait for itself.
    private let control = DispatchQueue(label: "smallest")
    private let end = DispatchSemaphore(value: 0)

    private init(_ addresses: [URL]) {
        state = Mutex(State(addresses: addresses[...], left: addresses.count))
        super.init()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpMaximumConnectionsPerHost = 6
        let made = URLSession(
            configuration: configuration, delegate: self, delegateQueue: InlineQueue())
        session.withLock { $0 = made }
    }

    /// Downloads the addresses in `list`, one a line, to the current folder. Returns the number of failures.
    static func run(list: String) throws -> Int {
        let addresses = try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n")
            .compactMap { URL(string: String($0)) }
        guard !addresses.isEmpty else { return 0 }
        let program = SmallestProgram(addresses)
        for _ in 0..<min(6, addresses.count) { program.control.async { program.startNext() } }
        program.end.wait()
        return program.state.withLock { $0.failures }
    }

    private func startNext() {
        guard let address = state.withLock({ $0.addresses.popFirst() }),
            let task = session.withLock({ $0 })?.dataTask(with: address)
        else { return }
        let name = address.lastPathComponent
        let file = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        state.withLock { $0.files[task.taskIdentifier] = file }
        task.resume()
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let file = state.withLock { $0.files[dataTask.taskIdentifier] } ?? -1
        let isWritten = data.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
                let count = write(file, rest.baseAddress, rest.count)
                guard count > 0 else { return false }
                done += count
            }
            return true
        }
        if !isWritten { state.withLock { $0.files[dataTask.taskIdentifier] = -1 } }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        let isOver = state.withLock { state in
            let file = state.files.removeValue(forKey: task.taskIdentifier) ?? -1
            let status = (task.response as? HTTPURLResponse)?.statusCode
            if error != nil || file < 0 || status != 200 { state.failures += 1 }
            if file >= 0 { close(file) }
            state.left -= 1
            return state.left == 0
        }
        if isOver { end.signal() } else { control.async { self.startNext() } }
    }
}
