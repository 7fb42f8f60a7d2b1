/// What to print for an error, and the exit status.
struct Outcome {
    /// The whole output, without the final newline.
    let text: String
    /// Success if the user requested the text.
    let exitCode: ExitCode

    init(of error: any Error, root: any ParsableCommand.Type, columns: Int? = nil) {
        let (fault, stack) =
            switch error {
            case let error as CommandError: (error.fault, error.stack)
            case let fault as ParserError: (fault, [root])
            default: (ParserError.refused(error), [root])
            }
        switch fault {
        case .helpRequested: self.init(HelpText(stack: stack).page(columns: columns), .success)
        case .versionRequested: self.init(stack.version ?? "Unspecified version", .success)
        case .completionScriptRequested(let name):
            if let shell = (name ?? Terminal.shell).flatMap(CompletionShell.init) {
                self.init(CompletionTree(root: root).script(for: shell), .success)
            } else {
                self.init(.unsupportedShell(name), of: [root])
            }
        case .refused(CleanExit.message(let text)): self.init(text, .success)
        case .refused(CleanExit.helpRequest(let command)):
            let stack = command.map { root.path(to: $0) ?? [root] } ?? stack
            self.init(HelpText(stack: stack).page(columns: columns), .success)
        case .refused(let code as ExitCode): self.init("", code)
        case .refused(let error) where !(error is ValidationError):
            self.init(error.sentence.isEmpty ? "" : "Error: \(error.sentence)", .failure)
        default: self.init(fault, of: stack)
        }
    }

    private init(_ text: String, _ exitCode: ExitCode) { (self.text, self.exitCode) = (text, exitCode) }

    private init(_ fault: ParserError, of stack: [any ParsableCommand.Type]) {
        let message = ErrorMessage(fault, of: stack[stack.count - 1])
        let lines = [message.sentence.map { "Error: \($0)" }, message.help.map { "Help:  \($0)" }]
        self.init(
            (lines.compactMap(\.self) + [HelpText(stack: stack).usageNote]).joined(separator: "\n"),
            .validationFailure)
    }
}
