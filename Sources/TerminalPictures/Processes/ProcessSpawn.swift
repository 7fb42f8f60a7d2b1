import Basics
import Foundation

#if os(Linux)
    private typealias Attributes = posix_spawnattr_t
    private typealias FileActions = posix_spawn_file_actions_t
    /// `POSIX_SPAWN_SETSID`, which glibc's module leaves out because it needs `_GNU_SOURCE`.
    private let newSession: Int32 = 0x80
#else
    private typealias Attributes = posix_spawnattr_t?
    private typealias FileActions = posix_spawn_file_actions_t?
    private let newSession = POSIX_SPAWN_SETSID | POSIX_SPAWN_CLOEXEC_DEFAULT
#endif

extension ProcessRun {
    /// Starts the program in a new session with `input`, or an empty file, as standard input and `output`, or nothing,
    /// as standard output; it is told that it is called `name`, or by its path. `Foundation.Process` can do neither
    /// this nor close all of our descriptors in the child.
    package func start(
        input: Int32? = nil, output: Int32?, name: String? = nil
    ) throws(SystemCall.Failure) -> pid_t {
        // Above the numbers that they have there, so that none takes another's place before its turn.
        let lowest = STDERR_FILENO + 1 + Int32(files.count)
        let files = files.map { Descriptor(fcntl($0.number, F_DUPFD_CLOEXEC, lowest)) }
        defer { withExtendedLifetime(files) {} }
        // Both are initialized by the calls that take them.
        let attributes = UnsafeMutablePointer<Attributes>.allocate(capacity: 1)
        let actions = UnsafeMutablePointer<FileActions>.allocate(capacity: 1)
        setUp(attributes)
        setUp(actions, input: input, output: output, files: files.map(\.number))
        defer {
            posix_spawnattr_destroy(attributes)
            posix_spawn_file_actions_destroy(actions)
            attributes.deallocate()
            actions.deallocate()
        }
        var words = ([name ?? program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for variable in variables { free(variable) } }
        var process = pid_t()
        let code = posix_spawn(&process, program, actions, attributes, &words, &variables)
        guard code == 0 else { throw SystemCall.Failure(code: code) }
        #if os(Linux)
            // The second safeguard against a picture that lies about its size. `RLIMIT_FSIZE` and `RLIMIT_DATA`, which
            // are not numbers everywhere: data rather than address space, since threads reserve far more than they touch.
            for case (let resource, let bytes?) in [(UInt32(1), fileLimit), (2, memoryLimit)] {
                var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
                typealias Limit = @convention(c) (pid_t, UInt32, UnsafeRawPointer, UnsafeRawPointer?) -> Int32
                _ = System.function("prlimit", as: Limit.self)?(process, resource, &limit, nil)
            }
        #endif
        return process
    }

    /// Signals as a shell leaves them: we ignore SIGPIPE, but a helper should not.
    private func setUp(_ attributes: UnsafeMutablePointer<Attributes>) {
        posix_spawnattr_init(attributes)
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(attributes, &signals)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (isInForeground ? 0 : newSession)
        posix_spawnattr_setflags(attributes, Int16(flags))
    }

    private func setUp(
        _ actions: UnsafeMutablePointer<FileActions>, input: Int32?, output: Int32?, files: [Int32]
    ) {
        posix_spawn_file_actions_init(actions)
        if !isInForeground {
            for (number, file) in [(STDIN_FILENO, input), (STDOUT_FILENO, output), (STDERR_FILENO, nil)] {
                if let file {
                    posix_spawn_file_actions_adddup2(actions, file, number)
                } else {
                    posix_spawn_file_actions_addopen(actions, number, "/dev/null", O_RDWR, 0)
                }
            }
        }
        let first = STDERR_FILENO + 1
        for (number, file) in zip(first..., files) { posix_spawn_file_actions_adddup2(actions, file, number) }
        let last = first + Int32(files.count)
        #if os(Linux)
            // Foundation's descriptors are not close-on-exec; a web browser would hold them for days.
            typealias CloseFrom = @convention(c) (UnsafeMutablePointer<FileActions>, Int32) -> Int32
            let name = "posix_spawn_file_actions_addclosefrom_np"
            if let addCloseFrom = System.function(name, as: CloseFrom.self) {
                _ = addCloseFrom(actions, last)
            } else if let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
                for case let number? in names.map(Int32.init) where number >= last {
                    posix_spawn_file_actions_addclose(actions, number)
                }
            }
        #endif
    }
}
