import Foundation

/// A program to run in an isolated environment: its own home, working folder, and variables.
///
/// Tests get one from ``withBuiltProduct(_:run:)``, which ends whatever is
/// still running and removes the folders.
public final class BuiltProduct: Sendable {
    /// The executable file.
    public let executable: URL
    /// The default working folder; empty at first.
    public let folder: URL
    /// Its `HOME`, which contains the folders that the `XDG_` variables and `TMPDIR` name.
    public let home: URL

    /// Does a line in this process instead of starting the program; `nil` for one that needs the program started.
    @TaskLocal public static var inProcess:
        (@Sendable (BuiltProduct, [String], [String: String], Data?) async throws -> ProductOutcome?)?

    private let started = Locked<[RunningProduct]>([])

    init(executable: URL, sandbox: URL) throws {
        self.executable = executable
        folder = sandbox.appending(path: "work", directoryHint: .isDirectory)
        home = sandbox.appending(path: "home", directoryHint: .isDirectory)
        for place in [folder, home.appending(path: "tmp")] {
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        }
    }

    /// Runs the program until it exits.
    ///
    ///     let list = try await gallery.run(["popular", "--format", "url"])
    ///     #expect(list.status == 0)
    ///
    /// - Parameters:
    ///   - environment: Added to ``environment``.
    ///   - input: Standard input; `/dev/null` if `nil`.
    ///   - workingFolder: The working folder; ``folder`` if `nil`.
    ///   - terminal: The size of a terminal to use instead of pipes.
    ///   - timeLimit: How long the program may run before it is killed.
    /// - Throws: ``ProductTimedOut`` if the time limit is exceeded.
    public func run(
        _ arguments: [String], environment: [String: String] = [:], input: Data? = nil,
        in workingFolder: URL? = nil, terminal: TerminalSize? = nil, timeLimit: Duration = .seconds(60)
    ) async throws -> ProductOutcome {
        if workingFolder == nil, terminal == nil,
            let outcome = try await Self.inProcess?(self, arguments, environment, input)
        {
            return outcome
        }
        return try await start(
            arguments, environment: environment, input: input, in: workingFolder, terminal: terminal,
            timeLimit: timeLimit
        ).outcome()
    }

    /// Starts the program without waiting; for the parameters, see
    /// ``run(_:environment:input:in:terminal:timeLimit:)``.
    public func start(
        _ arguments: [String], environment: [String: String] = [:], input: Data? = nil,
        in workingFolder: URL? = nil, terminal: TerminalSize? = nil, timeLimit: Duration = .seconds(60)
    ) throws -> RunningProduct {
        precondition(input == nil || terminal == nil, "On a terminal, input is typed.")
        var variables = self.environment
        if terminal != nil { variables["TERM"] = "xterm-256color" }
        let launch = Launch(
            executable: executable, arguments: arguments,
            environment: variables.merging(environment) { $1 }, folder: workingFolder ?? folder,
            timeLimit: timeLimit)
        let product = try terminal.map { try launch.onTerminal($0) } ?? launch.onPipes(input: input)
        started.withLock { $0.append(product) }
        return product
    }

    /// The environment of every run: `PATH`, `HOME` with the `XDG_` folders and `TMPDIR` inside, no proxy.
    ///
    /// It also has what the toolchain needs: sanitizer options, coverage file, and library path.
    public var environment: [String: String] {
        let own = [
            "HOME": home.path,
            "XDG_CONFIG_HOME": home.appending(path: ".config").path,
            "XDG_CACHE_HOME": home.appending(path: ".cache").path,
            "XDG_DATA_HOME": home.appending(path: ".local/share").path,
            "XDG_STATE_HOME": home.appending(path: ".local/state").path,
            "TMPDIR": home.appending(path: "tmp").path,
        ]
        let needed = [
            "PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FRAMEWORK_PATH", "LLVM_PROFILE_FILE",
            "TSAN_OPTIONS", "ASAN_OPTIONS", "UBSAN_OPTIONS",
        ]
        return ProcessInfo.processInfo.environment.filter { needed.contains($0.key) }.merging(own) { $1 }
    }

    /// Ends everything that is still running.
    func endAll() async {
        for product in started.withLock({ $0 }) { await product.end() }
    }
}

/// Runs the body with the built executable called `name`, in a new home and working folder.
///
///     try await withBuiltProduct { gallery in
///         let fetch = try await gallery.run(["fetch", "1-3", "-d", "photos"])
///         #expect(fetch.status == 0)
///     }
nonisolated(nonsending) public func withBuiltProduct<Result>(
    _ name: String = "gallery", run body: nonisolated(nonsending) (BuiltProduct) async throws -> Result
) async throws -> Result {
    try await withProgram(at: try ProductLocation.executable(name), run: body)
}

/// Runs the body with any program, such as `/bin/sh`, in the same way.
nonisolated(nonsending) public func withProgram<Result>(
    at executable: URL, run body: nonisolated(nonsending) (BuiltProduct) async throws -> Result
) async throws -> Result {
    try await withTemporaryDirectory { sandbox in
        let product = try BuiltProduct(executable: executable, sandbox: sandbox)
        do {
            let result = try await body(product)
            await product.endAll()
            return result
        } catch {
            await product.endAll()
            throw error
        }
    }
}
