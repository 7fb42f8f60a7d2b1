/// A tree of commands as a shell needs to know it: what may be typed where.
struct CompletionTree {
    /// What a command offers.
    struct Page {
        /// The words that lead to it: `gallery cache`.
        let path: String
        /// Subcommands with what they are for, aliases among them.
        var commands: [(word: String, about: String)] = []
        var options: [Option] = []
        /// What its positional arguments may be.
        var arguments: [CompletionKind] = []
    }

    struct Option {
        let names: [Name]
        let about: String
        /// `nil` for flags.
        let value: CompletionKind?
    }

    /// The name of the program.
    let program: String
    private(set) var pages: [Page] = []
    /// The words that lead from a page to the one below it.
    private(set) var steps: [(typed: [String], path: String)] = []

    init(root: any ParsableCommand.Type) {
        program = root.typedName
        add([root])
        guard let commands = pages.first?.commands, !commands.isEmpty else { return }
        pages.append(Page(path: "\(program) help", commands: commands))
        steps.append((["\(program) help"], "\(program) help"))
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
        let children = command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
        var page = Page(path: stack.typedPath)
        // What the default subcommand takes may follow its parent's name as well.
        for type in [command, command.configuration.defaultSubcommand].compactMap(\.self) {
            for declaration in Declaration.all(of: type)
            where declaration.help.visibility.isListed(on: .default) {
                page.add(declaration)
            }
        }
        if stack.version != nil {
            page.options.append(Option(names: [.long("version")], about: "Show the version.", value: nil))
        }
        page.options.append(
            Option(names: stack.helpNames(.default), about: "Show help information.", value: nil))
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

    /// The typed names of all options.
    var names: [String] { options.flatMap(\.names).map(\.spelled) }

    /// Whether a word that is no option can be completed at all.
    var hasWords: Bool {
        !commands.isEmpty || arguments.contains { if case .default = $0 { false } else { true } }
    }
}

extension ParsableCommand {
    /// All words that name the command.
    fileprivate static var words: [String] { [typedName] + configuration.aliases }
}

extension String {
    /// The text as one word of a POSIX shell, whatever is in it.
    var quoted: String {
        "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    /// The name of a shell function for a program of this name.
    var functionName: String { "_" + map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined() }
}
