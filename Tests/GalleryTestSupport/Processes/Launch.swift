import Foundation

/// The arguments and environment of a program, and two ways to start it.
struct Launch {
    let executable: URL
    let arguments: [String]
    let environment: [String: String]
    let folder: URL
    let timeLimit: Duration

    func onPipes(input: Data?) throws -> RunningProduct {
        let feed = try input.map { (pipe: try makePipe(), data: $0) }
        let output = try makePipe()
        let errors = try makePipe()
        let process = try spawn(.pipes(input: feed?.pipe.read, output: output.write, errors: errors.write))
        return try watch(
            process, terminal: nil, input: feed.map { ($0.pipe.write, $0.data) }, output: output.read,
            errors: errors.read)
    }

    func onTerminal(_ size: TerminalSize) throws -> RunningProduct {
        let terminal = try PseudoTerminal(size: size)
        let process = try spawn(.terminal(name: terminal.name))
        return try watch(process, terminal: terminal, input: nil, output: terminal.descriptor, errors: nil)
    }

    private func spawn(_ streams: ChildStreams) throws -> Int32 {
        try GalleryTestSupport.spawn(
            executable, arguments, environment: environment, folder: folder, streams: streams)
    }

    private func watch(
        _ process: Int32, terminal: PseudoTerminal?, input: (descriptor: Descriptor, rest: Data)?,
        output: Descriptor, errors: Descriptor?
    ) throws -> RunningProduct {
        let state = Watched(RunningProduct.State())
        let pump = try ProcessPump(
            process: process, state: state, timeLimit: timeLimit, input: input, output: output,
            errors: errors)
        pump.start()
        return RunningProduct(
            process, command: [executable.lastPathComponent] + arguments, terminal: terminal, state: state)
    }
}
