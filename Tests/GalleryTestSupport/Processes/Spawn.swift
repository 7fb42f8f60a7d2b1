import Foundation

#if canImport(Glibc)
    private typealias Attributes = posix_spawnattr_t
    private typealias FileActions = posix_spawn_file_actions_t
    /// Missing from the module, like the functions in ``GNU``.
    private let newSession: Int32 = 0x80
#else
    private typealias Attributes = posix_spawnattr_t?
    private typealias FileActions = posix_spawn_file_actions_t?
    private let newSession = POSIX_SPAWN_SETSID
#endif

/// A child's standard input, output, and error.
enum ChildStreams {
    /// No input means `/dev/null`.
    case pipes(input: Descriptor?, output: Descriptor, errors: Descriptor)
    /// One terminal for all three, which becomes the child's controlling terminal.
    case terminal(name: String)
}

/// Starts a program that inherits nothing but what is specified here.
///
/// Not `Foundation.Process`, which leaves our descriptors open in the
/// child, cannot start a session, and waits on a run loop.
func spawn(
    _ executable: URL, _ arguments: [String], environment: [String: String], folder: URL,
    streams: ChildStreams
) throws -> pid_t {
    var attributes = try makeAttributes(streams)
    defer { posix_spawnattr_destroy(&attributes) }
    var actions = try makeActions(streams, folder: folder)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var (executable, arguments) = (executable, arguments)
    #if !canImport(Glibc)
        // The file actions run before the session is new: a shell in it has to open the terminal.
        if case .terminal(let name) = streams {
            let script = #"exec <>"$0" >&0 2>&0 && exec "$@""#
            (executable, arguments) = (
                URL(filePath: "/bin/sh"), ["-c", script, name, executable.path] + arguments
            )
        }
    #endif
    var words = ([executable.path] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var variables = environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for variable in variables { free(variable) } }
    var process = pid_t()
    let code = posix_spawn(&process, executable.path, &actions, &attributes, &words, &variables)
    guard code == 0 else { throw SystemError("spawn \(executable.path)", code: code) }
    return process
}

/// Signals as a shell would set them, whatever this process ignores or blocks.
private func makeAttributes(_ streams: ChildStreams) throws -> Attributes {
    #if canImport(Glibc)
        var attributes = Attributes()
        var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    #else
        var attributes: Attributes = nil
        var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_CLOEXEC_DEFAULT
    #endif
    guard posix_spawnattr_init(&attributes) == 0 else { throw SystemError("posix_spawnattr_init") }
    if case .terminal = streams { flags |= newSession }
    var none = sigset_t()
    sigemptyset(&none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(flags))
    return attributes
}

private func makeActions(_ streams: ChildStreams, folder: URL) throws -> FileActions {
    #if canImport(Glibc)
        var actions = FileActions()
        posix_spawn_file_actions_init(&actions)
        _ = GNU.addChangeFolder(&actions, folder.path)
    #else
        var actions: FileActions = nil
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_addchdir_np(&actions, folder.path)
    #endif
    switch streams {
    case .pipes(let input, let output, let errors):
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input.raw, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, output.raw, 1)
        posix_spawn_file_actions_adddup2(&actions, errors.raw, 2)
    case .terminal(let name):
        // The first terminal that a session leader opens becomes its controlling terminal.
        posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
    }
    #if canImport(Glibc)
        // Those that this process has inherited itself are not close-on-exec.
        _ = GNU.addCloseFrom(&actions, 3)
    #endif
    return actions
}
