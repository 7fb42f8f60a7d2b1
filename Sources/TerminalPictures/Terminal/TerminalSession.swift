import Basics
import Foundation

/// What is typed in one window, or one script without a terminal.
package enum TerminalSession {
    private static let boot = String(System.bootSession.prefix(8))

    /// A name of its own: the system's start, and the first process of the session.
    package static let name: String = {
        // A session of one program's own, with or without a terminal, belongs to whoever started that.
        let isOwn = (try? SystemCall.open("/dev/tty", O_RDONLY | O_NOCTTY)) == nil || getsid(0) == getpid()
        return "\(boot)-\(getsid(isOwn ? getppid() : 0))"
    }()

    /// Removes the files of sessions that are over from `folder`: after a day, or after thirty where another system,
    /// or one before a restart, has written them.
    package static func removeEnded(from folder: URL) {
        guard let folder = try? SystemCall.openFolder(folder.path) else { return }
        for name in (try? SystemCall.names(in: folder)) ?? [] {
            let parts = name.prefix { $0 != "." }.split(separator: "-")
            guard parts.count == 2, let leader = pid_t(parts[1]) else { continue }
            let isHere = parts[0] == boot
            guard !isHere || kill(leader, 0) != 0 && errno == ESRCH,
                let status = (try? SystemCall.status(of: name, in: folder)) ?? nil, status.isRegular
            else { continue }
            let age = -status.lastModified.timeIntervalSinceNow
            if age > (isHere ? 1 : 30) * 86_400 { try? SystemCall.remove(name, from: folder) }
        }
    }
}
