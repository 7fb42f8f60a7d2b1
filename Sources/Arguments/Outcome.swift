/// What to print for an error, and the exit status.
enum Outcome {
    /// Text that the user requested.
    case page(String)
    /// An invalid command line.
    case usage(sentence: String, help: String, usage: String)
    /// A command that failed while running.
    case failure(sentence: String, ExitCode)

    init(of error: any Error, root: any ParsableCommand.Type, columns: Int? = nil) {
        switch error {
        case let error as CommandError:
            self.init(fault: error.fault, stack: error.stack, root: root, columns: columns)
        case let fault as ParserError:
            self.init(fault: fault, stack: [root], root: root, columns: columns)
        default:
            self.init(fault: .refused(error), stack: [root], root: root, columns: columns)
        }
    }

    private init(
        fault: ParserError, stack: [any ParsableCommand.Type], root: any ParsableCommand.Type, columns: Int?
    ) {
        switch fault {
        case .helpRequested(let visibility):
            self = .page(HelpText(stack: stack, visibility: visibility).page(columns: columns))
        case .versionRequested:
            self = .page(stack.version ?? "Unspecified version")
        case .completionScriptRequested(let name):
            self.init(script: name, root: root, columns: columns)
        case .refused(let error):
            self.init(thrown: error, stack: stack, root: root, columns: columns)
        case .emptyLine:
            // With no arguments, shows the whole help page.
            let page = "\n" + HelpText(stack: [root], visibility: .default).page(columns: columns)
            self.init(fault, of: stack, usage: page)
        default:
            self.init(fault, of: stack, usage: HelpText(stack: stack, visibility: .default).usageNote)
        }
    }

    private init(_ fault: ParserError, of stack: [any ParsableCommand.Type], usage: String) {
        let message = ErrorMessage(fault, of: stack[stack.count - 1])
        self = .usage(sentence: message.sentence ?? "", help: message.help ?? "", usage: usage)
    }

    private init(
        thrown error: any Error, stack: [any ParsableCommand.Type], root: any ParsableCommand.Type,
        columns: Int?
    ) {
        switch error {
        case let error as ValidationError:
            let usage = HelpText(stack: stack, visibility: .default).usageNote
            self = .usage(sentence: error.message, help: "", usage: usage)
        case let exit as CleanExit:
            switch exit {
            case .message(let text): self = .page(text)
            case .helpRequest(let command):
                let stack = command.map { root.stack(to: $0) } ?? stack
                self = .page(HelpText(stack: stack, visibility: .default).page(columns: columns))
            }
        case let code as ExitCode: self = .failure(sentence: "", code)
        default: self = .failure(sentence: error.sentence, .failure)
        }
    }

    private init(script name: String?, root: any ParsableCommand.Type, columns: Int?) {
        if let shell = (name ?? Terminal.shell).flatMap(CompletionShell.init) {
            self = .page(CompletionTree(root: root).script(for: shell))
        } else {
            self.init(of: ParserError.unsupportedShell(name), root: root, columns: columns)
        }
    }
}

extension Outcome {
    /// Whether the user requested this, rather than it being an error.
    var isClean: Bool {
        if case .page = self { true } else { false }
    }

    var exitCode: ExitCode {
        switch self {
        case .page: .success
        case .usage: .validationFailure
        case .failure(_, let code): code
        }
    }

    /// The message without usage.
    var message: String {
        switch self {
        case .page(let text): text
        case .usage(let sentence, _, _), .failure(let sentence, _): sentence
        }
    }

    /// The whole output, without the final newline.
    var text: String {
        switch self {
        case .page(let text): text
        case .usage(let sentence, let help, let usage):
            (sentence.isEmpty ? "" : "Error: \(sentence)\n") + (help.isEmpty ? "" : "Help:  \(help)\n")
                + usage
        case .failure(let sentence, _): sentence.isEmpty ? "" : "Error: \(sentence)"
        }
    }
}
