/// A command tree in the form that completion scripts need: what can be typed where.
struct CompletionTree {
    /// The completions of one command.
    struct Page {
        /// The words that lead to the command: `gallery cache`.
        let path: String
        /// Subcommands and aliases, with their abstracts.
        var commands: [(word: String, about: String)] = []
        var options: [Option] = []
        /// The completions of its positional arguments.
        var arguments: [CompletionKind] = []
    }

    struct Option {
        let names: [Name]
        let about: String
        /// `nil` for flags.
        let value: CompletionKind?
    }

    let program: String
    private(set) var pages: [Page] = []
    /// The words that lead from one page to a page below it.
    private(set) var steps: [(typed: [String], path: String)] = []

    init(root: any ParsableCommand.Type) {
        program = root.typedName
        add([root])
        // `help` takes the words of the commands.
        for page in pages where !page.commands.isEmpty {
            let path = "\(program) help" + page.path.dropFirst(program.count)
            pages.append(Page(path: path, commands: page.commands))
            steps.append(([path], path))
        }
        if !pages[0].commands.isEmpty {
            pages[0].commands.append((HelpCommand.typedName, HelpCommand.configuration.abstract))
        }
    }

    func script(for shell: CompletionShell) -> String {
        switch shell {
        case .bash: BashCompletion(tree: self).script
        case .zsh: ZshCompletion(tree: self).script
        case .fish: FishCompletion(tree: self).script
        }
    }

    private mutating func add(_ stack: [any ParsableCommand.Type]) {
        let command = stack[stack.count - 1]
        let children = command.configuration.subcommands
        var page = Page(path: stack.typedPath)
        // The default subcommand's options and arguments may also follow its parent's name.
        for type in [command, command.configuration.defaultSubcommand].compactMap(\.self) {
            for declaration in Declaration.all(of: type) where declaration.help.isListed {
                page.add(declaration)
            }
        }
        if stack.version != nil {
            page.options.append(Option(names: [.long("version")], about: "Show the version.", value: nil))
        }
        page.options.append(Option(names: stack.helpNames, about: "Show help information.", value: nil))
        page.commands = children.flatMap { child in
            child.words.map { ($0, child.configuration.abstract) }
        }
        pages.append(page)
        for child in children {
            steps.append((child.words.map { "\(page.path) \($0)" }, "\(page.path) \(child.typedName)"))
            add(stack + [child])
        }
    }
}

extension CompletionTree.Page {
    fileprivate mutating func add(_ declaration: Declaration) {
        let choice = declaration.completion
        if declaration.isPositional {
            arguments.append(choice)
        } else {
            let value = declaration.takesValue ? choice : nil
            options.append(.init(names: declaration.names, about: declaration.help.abstract, value: value))
        }
    }

    var names: [String] { options.flatMap(\.names).map(\.spelled) }

    /// Whether any word other than an option can be completed.
    var hasWords: Bool {
        !commands.isEmpty || arguments.contains { if case .default = $0 { false } else { true } }
    }
}

extension ParsableCommand {
    /// The command's name and aliases.
    fileprivate static var words: [String] { [typedName] + configuration.aliases }
}

extension String {
    /// The text quoted as one word for a POSIX shell.
    var quoted: String {
        "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    /// The name of a shell function for a program with this name.
    var functionName: String { "_" + map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined() }
}
