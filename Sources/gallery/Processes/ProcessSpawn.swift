import Foundation

#if canImport(Glibc)
    import Glibc

    private typealias Attributes = posix_spawnattr_t
    private typealias FileActions = posix_spawn_file_actions_t
    /// `POSIX_SPAWN_SETSID`, which Glibc's module leaves out because it needs `_GNU_SOURCE`.
    private let newSession: Int32 = 0x80
#else
    import Darwin

    private typealias Attributes = posix_spawnattr_t?
    private typealias FileActions = posix_spawn_file_actions_t?
    private let newSession = POSIX_SPAWN_SETSID
#endif

/// A failed system call.
struct ProcessError: Error, Hashable {
    /// The value of `errno`.
    let code: Int32
}

/// Starts a program in a new session.
///
/// `Foundation.Process` can do neither this nor close all of our descriptors in the child.
struct ProcessSpawn {
    private let run: ProcessRun

    init(_ run: ProcessRun) {
        self.run = run
    }

    /// Starts the program with `input`, or an empty file, as standard input and `output`, or nothing, as standard
    /// output.
    ///
    /// - Parameter name: what the program is told it is called; its path unless given.
    func start(input: Int32? = nil, output: Int32?, name: String? = nil) throws(ProcessError) -> pid_t {
        var attributes = makeAttributes()
        defer { posix_spawnattr_destroy(&attributes) }
        var actions = makeActions(input: input, output: output)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var words = ([name ?? run.program] + run.arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var variables = run.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for variable in variables { free(variable) } }
        var process = pid_t()
        let code = posix_spawn(&process, run.program, &actions, &attributes, &words, &variables)
        guard code == 0 else { throw ProcessError(code: code) }
        #if canImport(Glibc)
            if let limit = run.memoryLimit { MemoryLimit.set(limit, of: process) }
        #endif
        return process
    }

    /// Signals as a shell leaves them: we ignore SIGPIPE, but a helper should not.
    private func makeAttributes() -> Attributes {
        #if canImport(Glibc)
            var attributes = Attributes()
            let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | newSession
        #else
            var attributes: Attributes = nil
            let flags =
                POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | newSession | POSIX_SPAWN_CLOEXEC_DEFAULT
        #endif
        posix_spawnattr_init(&attributes)
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        return attributes
    }

    private func makeActions(input: Int32?, output: Int32?) -> FileActions {
        #if canImport(Glibc)
            var actions = FileActions()
        #else
            var actions: FileActions = nil
        #endif
        posix_spawn_file_actions_init(&actions)
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        if let output {
            posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        }
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        #if canImport(Glibc)
            // Foundation's descriptors are not close-on-exec; a web browser would hold them for days.
            _ = GNU.addCloseFrom?(&actions, STDERR_FILENO + 1)
        #endif
        return actions
    }
}

#if canImport(Glibc)
    /// A child's memory limit: the second safeguard against a picture that lies about its size.
    private enum MemoryLimit {
        static func set(_ bytes: UInt64, of process: pid_t) {
            var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
            // Data rather than address space: threads reserve far more than they touch.
            _ = GNU.prlimit?(process, UInt32(RLIMIT_DATA.rawValue), &limit, nil)
        }
    }
#endif
