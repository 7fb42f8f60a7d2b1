import Foundation
import GalleryTestSupport
import Testing

@Suite(.fewAtOnce, .timeLimit(.minutes(1)))
struct BuiltProductTests {
    private let shell = URL(filePath: "/bin/sh")

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
}
