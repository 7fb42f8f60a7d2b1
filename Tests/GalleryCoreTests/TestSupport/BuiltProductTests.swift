import Foundation
import GalleryTestSupport
import Testing

@Suite(.fewAtOnce, .timeLimit(.minutes(1)))
struct BuiltProductTests {
    private let shell = URL(filePath: "/bin/sh")

    @Test func `finds the executable built with the tests`() throws {
        let executable = try ProductLocation.executable("gallery")
        #expect(access(executable.path, X_OK) == 0)
        let error = #expect(throws: ProductMissing.self) { try ProductLocation.executable("no-such-tool") }
        #expect(error?.description.hasPrefix("'no-such-tool' is not built. Looked for /") == true)
    }

    @Test(arguments: [
        ("exit 3", ProductOutcome.Exit.status(3)), ("exit 0", .status(0)), ("exit 255", .status(255)),
        ("kill -TERM $$", .signal(SIGTERM)), ("kill -KILL $$", .signal(SIGKILL)),
    ])
    func `tells how it ended`(script: String, exit: ProductOutcome.Exit) async throws {
        try await withProgram(at: shell) { shell in
            let outcome = try await shell.run(["-c", script])
            #expect(outcome.exit == exit)
        }
    }

    @Test func `captures more than a pipe holds, on both streams`() async throws {
        try await withProgram(at: shell) { shell in
            let script = "head -c 3000000 /dev/zero; head -c 2000000 /dev/zero >&2; echo end; echo end >&2"
            let outcome = try await shell.run(["-c", script])
            #expect(outcome.outputData.count == 3_000_004)
            #expect(outcome.errorData.count == 2_000_004)
        }
    }

    @Test func `gives all input to a program that writes while it reads`() async throws {
        let input = Data((0..<3_000_000).map { UInt8($0 % 251) })
        try await withProgram(at: URL(filePath: "/bin/cat")) { cat in
            let outcome = try await cat.run([], input: input)
            #expect(outcome.outputData == input)
        }
    }

    @Test func `a program need not read its input`() async throws {
        try await withProgram(at: shell) { shell in
            let outcome = try await shell.run(["-c", "exec 0<&-; echo done"], input: Data(count: 1_000_000))
            #expect(outcome.lines == ["done"])
        }
    }

    @Test func `programs running at once do not hold each other's pipes`() async throws {
        try await withProgram(at: URL(filePath: "/bin/cat")) { cat in
            let running = try (0..<20).map { try cat.start([], input: Data("\($0)".utf8)) }
            for (number, product) in running.enumerated() {
                let outcome = try await product.outcome()
                #expect(outcome.output == "\(number)")
            }
        }
    }

    @Test func `a grandchild that keeps the pipe keeps nobody waiting`() async throws {
        try await withProgram(at: shell) { shell in
            // Slept in the grandchild alone, which is killed below: were it waited for, the suite's limit would say so.
            let outcome = try await shell.run(["-c", "sleep 600 & echo $!"])
            let grandchild = try #require(outcome.lines.first.flatMap { Int32($0) })
            #expect(kill(grandchild, SIGKILL) == 0)
        }
    }

    @Test func `runs in its own folder and home, without a proxy`() async throws {
        try await withProgram(at: shell) { shell in
            let outcome = try await shell.run(["-c", "pwd; env | cut -d= -f1"], environment: ["EXTRA": "1"])
            #expect(outcome.lines.first == shell.folder.path)
            #expect(outcome.lines.contains("EXTRA"))
            #expect(outcome.lines.contains("XDG_STATE_HOME"))
            #expect(outcome.lines.allSatisfy { !$0.lowercased().contains("proxy") })
            #expect(shell.environment["TMPDIR"]?.hasPrefix(shell.home.path) == true)
        }
    }

    @Test func `a time limit ends it and tells what it wrote`() async throws {
        try await withProgram(at: shell) { shell in
            // The limit is real time, for the program is another process: the least that shows it.
            let error = await #expect(throws: ProductTimedOut.self) {
                try await shell.run(["-c", "echo begun; exec sleep 600"], timeLimit: .milliseconds(300))
            }
            #expect(error?.outcome.exit == .signal(SIGKILL))
            #expect(error?.command.last == "echo begun; exec sleep 600")
        }
    }

    @Test func `a signal reaches it when the moment has come`() async throws {
        // Slept in a grandchild, which the trap ends: the shell itself waits for the signal alone.
        let script = """
            sleep 600 & sleeper=$!
            trap 'kill $sleeper; echo caught; exit 7' INT
            echo ready; wait
            """
        try await withProgram(at: shell) { shell in
            let product = try shell.start(["-c", script])
            #expect(try await product.waitForOutput("ready"))
            product.send(SIGINT)
            let outcome = try await product.outcome()
            #expect(outcome.exit == .status(7))
            #expect(outcome.lines == ["ready", "caught"])
            #expect(!product.isRunning)
        }
    }

    @Test func `what still runs at the end is ended`() async throws {
        // Slept in the child alone, which is killed with the body's end.
        let product = try await withProgram(at: shell) { try $0.start(["-c", "exec sleep 600"]) }
        let outcome = try await product.outcome()
        #expect(outcome.exit == .signal(SIGKILL))
    }
}
