import Foundation
import GalleryTestSupport
import ProductTestSupport
import Testing

@testable import TerminalPictures

@Suite(.fewAtOnce, .timeLimit(.minutes(1)))
struct ProcessRunTests {
    private func shell(_ script: String, _ words: String...) -> ProcessRun {
        ProcessRun("/bin/sh", ["-c", script, "sh"] + words, ["PATH": "/usr/bin:/bin"])
    }

    @Test func `words and variables arrive as they are`() async throws {
        var run = shell(#"for word; do printf '<%s>' "$word"; done; env | sort"#, "a b", "$(id)", "", "é\n")
        run = ProcessRun(run.program, run.arguments, ["ONE": "1", "GALLERY_500PX_KEY": "secret"])
        let outcome = try await run.outcome()
        let text = String(decoding: outcome.output, as: UTF8.self)
        #expect(outcome.succeeded)
        #expect(text.hasPrefix("<a b><$(id)><><é\n>"))
        #expect(text.contains("ONE=1\n") && !text.contains("secret"))
    }

    @Test(arguments: [
        ("exit 0", ProcessRun.Ending.status(0)), ("exit 3", .status(3)), ("kill -TERM $$", .signal(SIGTERM)),
        // It neither hears our SIGPIPE handling nor has a terminal or an input.
        ("kill -PIPE $$", .signal(SIGPIPE)), ("read x; exit 4", .status(4)),
        ("(exec 3</dev/tty) || exit 9", .status(9)),
    ])
    func `how it ended is told`(script: String, ending: ProcessRun.Ending) async throws {
        #expect(try await shell(script).outcome().ending == ending)
    }

    @Test func `a program has none of our files, and signals as a shell leaves them`() async throws {
        // Not close-on-exec, like those of Foundation.
        let leaked = dup(STDIN_FILENO)
        defer { close(leaked) }
        let former = signal(SIGPIPE, SIG_IGN)
        defer { signal(SIGPIPE, former) }
        let files = try await shell("ls /proc/self/fd 2>/dev/null || echo 0 1 2 3").outcome().output
        // Its own listing is the fourth.
        let numbers = String(decoding: files, as: UTF8.self).split { !$0.isNumber }.count
        #expect(numbers <= 4)
        #expect(try await shell("kill -PIPE $$").outcome().ending == .signal(SIGPIPE))
    }

    @Test func `more than a pipe holds`() async throws {
        let outcome = try await shell("head -c 3000000 /dev/zero; echo noise >&2").outcome()
        #expect(outcome.output.count == 3_000_000)
        #expect(outcome.succeeded)
    }

    @Test func `a program that is not there`() async throws {
        let outcome = try await ProcessRun("/nowhere/x", [], [:]).outcome()
        #expect(outcome.ending == .notStarted(ENOENT))
    }

    @Test func `one that goes on and on is killed`() async throws {
        var run = shell("exec sleep 600")
        run.timeLimit = .milliseconds(50)
        #expect(try await run.outcome().ending == .timedOut)
        run = shell("exec yes")
        run.outputLimit = 100_000
        let outcome = try await run.outcome()
        #expect(outcome.ending == .wroteTooMuch)
        #expect(outcome.output.count == 100_000)
    }

    #if os(Linux)
        @Test(arguments: [(nil as UInt64?, true), (20 << 20, false)])
        func `one that wants more memory than it may have fails`(limit: UInt64?, succeeds: Bool) async throws
        {
            var run = shell(#"x=$(head -c 100000000 /dev/zero | tr '\0' a); test ${#x} = 100000000"#)
            run.memoryLimit = limit
            #expect(try await run.outcome().succeeded == succeeds)
        }
    #endif

    @Test func `its helpers end with it, and do not keep us waiting where it ends first`() async throws {
        var run = shell("sleep 600 & echo $!; wait")
        run.timeLimit = .milliseconds(200)
        let killed = try await run.outcome()
        #expect(killed.ending == .timedOut)
        let left = try await shell("sleep 600 & echo $!").outcome()
        #expect(left.succeeded)
        for (outcome, isGone) in [(killed, true), (left, false)] {
            let text = String(decoding: outcome.output, as: UTF8.self)
            let process = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
            // Gone means reaped by whoever took it in.
            if isGone { try await until { kill(process, 0) != 0 || PictureBench.isZombie(process) } }
            if !isGone { #expect(kill(process, SIGKILL) == 0) }
        }
    }

    @Test func `cancelled before and while it runs`() async throws {
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await shell("exit 0").outcome()
        }
        await #expect(throws: CancellationError.self) { try await early.value }
        let late = Task { try await shell("exec sleep 600").outcome() }
        late.cancel()
        await #expect(throws: CancellationError.self) { try await late.value }
    }

    @Test func `one may live on, as a browser does`() async throws {
        try await withTemporaryDirectory { folder in
            let fifo = folder.appending(path: "fifo").path
            #expect(mkfifo(fifo, 0o600) == 0)
            var run = shell(#"echo $$ > "$1"; read x < "$1"; echo "$x" > "$1""#, fifo)
            run.isLeftRunning = true
            run.timeLimit = .milliseconds(100)
            let ending = Task { try await run.outcome().ending }
            let process = try await PictureBench.line(of: fifo)
            #expect(Int32(process.trimmingCharacters(in: .whitespacesAndNewlines)) != nil)
            #expect(try await ending.value == .stillRunning)
            try await PictureBench.write("alive\n", to: fifo)
            #expect(try await PictureBench.line(of: fifo) == "alive\n")
        }
    }

    @Test func `many at once do not wait for each other`() async throws {
        try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for number in 0..<40 {
                group.addTask { try await shell("echo \(number)").outcome().output }
            }
            var numbers: Set<String> = []
            for try await output in group { numbers.insert(String(decoding: output, as: UTF8.self)) }
            #expect(numbers.count == 40)
        }
    }

    @Test func `PATH is searched for programs, in folders with a full name only`() throws {
        try withTemporaryDirectory { folder in
            let tool = folder.appending(path: "tool")
            try Data("#!/bin/sh\n".utf8).write(to: tool)
            #expect(ProcessRun.find("tool", in: ["PATH": folder.path]) == nil)
            #expect(chmod(tool.path, 0o755) == 0)
            #expect(ProcessRun.find("tool", in: ["PATH": "/none:\(folder.path)"]) == tool.path)
            #expect(ProcessRun.find("tool", in: [:]) == nil)
            #expect(ProcessRun.find(folder.lastPathComponent, in: ["PATH": "/tmp"]) == nil)
            // Up from wherever this is to the root: there such an entry does lead to a program.
            let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
            let relative = String(repeating: "../", count: depth) + "bin"
            #expect(FileManager.default.isExecutableFile(atPath: relative + "/sh"))
            for path in [":.:bin", relative, ":\(relative):", "./\(relative)"] {
                #expect(ProcessRun.find("sh", in: ["PATH": path]) == nil, "\(path)")
            }
        }
    }
}
