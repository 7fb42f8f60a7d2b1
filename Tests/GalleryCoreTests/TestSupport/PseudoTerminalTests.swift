import Foundation
import GalleryTestSupport
import Testing

@Suite(.fewAtOnce, .timeLimit(.minutes(1)))
struct PseudoTerminalTests {
    private let shell = URL(filePath: "/bin/sh")

    @Test func `all three streams are a terminal of the given size`() async throws {
        let script = "test -t 0 && test -t 1 && test -t 2 && stty size </dev/tty && echo $TERM >&2"
        try await withProgram(at: shell) { shell in
            let outcome = try await shell.run(
                ["-c", script], terminal: TerminalSize(columns: 132, rows: 43))
            #expect(outcome.output == "43 132\r\nxterm-256color\r\n")
            #expect(outcome.status == 0)
        }
    }

    @Test func `what is typed is read`() async throws {
        try await withProgram(at: shell) { shell in
            let product = try shell.start(
                ["-c", "stty -echo; echo ready; read line; echo got $line"], terminal: TerminalSize())
            #expect(try await product.waitForOutput("ready"))
            product.type("é\n")
            let outcome = try await product.outcome()
            #expect(outcome.output == "ready\r\ngot é\r\n")
        }
    }

    @Test func `Control-C interrupts`() async throws {
        // Slept in the child alone, which the signal ends: nobody waits for the ten minutes.
        try await withProgram(at: shell) { shell in
            let product = try shell.start(["-c", "echo ready; exec sleep 600"], terminal: TerminalSize())
            #expect(try await product.waitForOutput("ready"))
            product.type("\u{3}")
            let outcome = try await product.outcome()
            #expect(outcome.exit == .signal(SIGINT))
        }
    }

    @Test func `a new size is announced`() async throws {
        // Slept in a grandchild, which the trap ends: the shell itself waits for the signal alone.
        let script = """
            sleep 600 & sleeper=$!
            trap 'kill $sleeper; stty size; exit 0' WINCH
            echo ready; wait
            """
        try await withProgram(at: shell) { shell in
            let product = try shell.start(["-c", script], terminal: TerminalSize())
            #expect(try await product.waitForOutput("ready"))
            product.resize(to: TerminalSize(columns: 40, rows: 10))
            let outcome = try await product.outcome()
            #expect(outcome.output == "ready\r\n10 40\r\n")
        }
    }

    @Test func `captures all of a large output`() async throws {
        try await withProgram(at: shell) { shell in
            let outcome = try await shell.run(
                ["-c", "head -c 1000000 /dev/zero; echo end"], terminal: TerminalSize())
            #expect(outcome.outputData.count == 1_000_005)
            #expect(outcome.outputData.suffix(5) == Data("end\r\n".utf8))
        }
    }
}
