import Foundation
import GalleryCore
import TerminalPictures

/// This program, started again as a ``NetworkWorker``.
enum WorkerProcess {
    /// What a worker is told that it is called, as `ps` shows it.
    private static let name = "gallery: network"

    /// The workers of this process, started when they are needed, with no key in their environment, no terminal, and no
    /// home for URLSession's folders; a crash of one prints nothing.
    static let workers: NetworkWorkers = {
        #if os(Linux)
            var variables = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("XDG_") }
            for name in ["HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"] { variables[name] = "/dev/null" }
            variables["SWIFT_BACKTRACE"] = "enable=no"
            // Not the path it was started with, where another version may be by now.
            let run = ProcessRun("/proc/self/exe", [], variables)
            return NetworkWorkers { try? run.start(input: $0, output: nil, name: name) }
        #else
            // Requests are sent from this process, which no reply ends there.
            return NetworkWorkers(launch: nil)
        #endif
    }()

    static func workIfWorker() {
        guard CommandLine.arguments.first == name else { return }
        var status = stat()
        guard fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
        NetworkWorker.run(on: STDIN_FILENO)
    }
}
