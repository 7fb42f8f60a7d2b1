/// Finds the command that the line names, parses each command on the way, and checks that nothing is left over.
struct CommandParser {
    private var stack: [any ParsableCommand.Type]

    init(_ root: any ParsableCommand.Type) { stack = [root] }

    mutating func parse(_ words: [String]) throws -> any ParsableCommand {
        if let request = CompletionRequest(words) { throw CleanExit.message(request.answer(of: stack[0])) }
        do {
            var line = try SplitArguments(words)
            try checkForCompletionScript(line)
            let command = try descend(into: &line)
            try checkForBuiltIns(line)
            try checkForLeftovers(line)
            return command
        } catch let fault as ParserError {
            throw CommandError(stack: stack, fault: fault)
        }
    }

    private mutating func descend(into line: inout SplitArguments) throws -> any ParsableCommand {
        while true {
            let current = stack[stack.count - 1]
            var command = try read(current, from: &line)
            do {
                try command.validate()
            } catch {
                try checkForBuiltIns(line)
                throw CommandError(stack: stack, fault: .refused(error))
            }
            if let next = nextCommand(below: current, &line) {
                stack.append(next)
                continue
            }
            // About the parent itself; with more words, the default subcommand may answer.
            let open = line.openTokens
            if let word = open.first?.word, open.allSatisfy({ $0.word == word }) {
                try checkForBuiltIns(line)
            }
            guard let fallback = current.configuration.defaultSubcommand else { return command }
            stack.append(fallback)
        }
    }

    private mutating func read(
        _ type: any ParsableCommand.Type, from line: inout SplitArguments
    ) throws -> any ParsableCommand {
        let command = type.init()
        let properties = command.properties
        let matcher = try ArgumentMatcher(properties.declarations(), in: line)
        do {
            try properties.read(matcher.values)
            line = matcher.line
            return command
        } catch {
            // A request for help does not need the required arguments.
            try checkForBuiltIns(line)
            throw error
        }
    }

    private func nextCommand(
        below command: any ParsableCommand.Type, _ line: inout SplitArguments
    ) -> (any ParsableCommand.Type)? {
        guard let index = line.openIndices(from: 0).first(where: { _ in true }),
            let word = line.tokens[index].value, let next = command.child(named: word)
        else { return nil }
        line.claim(index)
        return next
    }
}

// MARK: - Built-in flags

extension CommandParser {
    private func checkForBuiltIns(_ line: SplitArguments) throws {
        let names = line.openTokens.compactMap(\.name)
        // Nothing is hidden, so `--help-hidden` shows the same page.
        if names.contains(where: [Name.short("h"), .long("help"), .long("help-hidden")].contains) {
            throw CommandError(stack: stack, fault: .helpRequested)
        }
        if stack.version != nil, names.contains(.long("version")) {
            throw CommandError(stack: stack, fault: .versionRequested)
        }
    }

    private func checkForLeftovers(_ line: SplitArguments) throws {
        if let name = line.openTokens.lazy.compactMap(\.name).first { throw ParserError.unknownOption(name) }
        let words = line.leftovers
        if !words.isEmpty { throw ParserError.unexpectedWords(words) }
    }

    /// Checked before all else, so that a script is available whatever follows; acts as a flag if no shell is named.
    private func checkForCompletionScript(_ line: SplitArguments) throws {
        for (index, token) in line.tokens.enumerated() {
            guard case .name(.long("generate-completion-script"), let attached) = token.content else {
                continue
            }
            let next = line.wholeWord(after: index).flatMap { line.tokens[$0].value }
            throw CommandError(stack: stack, fault: .completionScriptRequested(shell: attached ?? next))
        }
    }
}
