import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

/// The ways to send over HTTP.
enum TransportKind: CaseIterable, CustomTestStringConvertible {
    case inProcess
    case worker

    var testDescription: String {
        switch self {
        case .inProcess: "in the process"
        case .worker: "by a worker"
        }
    }

    func transport(connections: Int = 6, log: RequestLog? = nil) throws -> any HTTPTransport {
        switch self {
        case .inProcess: URLSessionTransport(connections: connections, log: log)
        case .worker:
            URLSessionTransport(workers: try TestWorkers().workers(), connections: connections, log: log)
        }
    }
}

/// Workers of the built program, and their processes.
final class TestWorkers: Sendable {
    private let program: String
    private let words: [String]
    private let started = Watched<[pid_t]>([])

    /// Workers as the program starts them.
    convenience init() throws {
        self.init(try ProductLocation.executable("gallery").path, ["gallery: network"])
    }

    /// Workers that are another program, started with `words`, its name first.
    init(_ program: String, _ words: [String]) {
        self.program = program
        self.words = words
    }

    /// All that were started, in order.
    var processes: [pid_t] { started.value }

    func workers(
        lifetime: Int = 4000, grace: Duration = .seconds(5), patience: Duration = .milliseconds(25)
    ) -> NetworkWorkers {
        NetworkWorkers(lifetime: lifetime, grace: grace, patience: patience) { [self] socket in
            guard let process = start(socket) else { return nil }
            started.update { $0.append(process) }
            return process
        }
    }

    func waitForProcesses(_ count: Int) async throws {
        try await started.first { $0.count >= count }
    }

    private func start(_ socket: Int32) -> pid_t? {
        #if canImport(Glibc)
            var actions = posix_spawn_file_actions_t()
        #else
            var actions: posix_spawn_file_actions_t? = nil
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var arguments = words.map { strdup($0) } + [nil]
        defer { for word in arguments { free(word) } }
        let environment = ProcessInfo.processInfo.environment.merging([
            "HOME": "/dev/null", "SWIFT_BACKTRACE": "enable=no",
        ]) { $1 }
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for variable in variables { free(variable) } }
        var process = pid_t()
        return posix_spawn(&process, program, &actions, nil, &arguments, &variables) == 0 ? process : nil
    }
}
