/// A command tree in the form that completion scripts need: what can be typed where.
struct CompletionTree {
    struct Page {
        /// The words that lead to the command: `gallery cache`.
        let path: String
        var commands: [(word: String, about: String)] = []
        var options: [Option] = []
        var arguments: [CompletionKind] = []

        /// Whether any word other than an option can be completed.
        var hasWords: Bool { !commands.isEmpty || arguments.contains { !$0.isNothing } }

        /// What the program is asked with for the value of `name`; see ``CompletionRequest``.
        func request(_ name: String) -> String {
            let words = path.split(separator: " ").dropFirst() + ["--", name[...]]
            return ([CompletionRequest.word] + words.map(String.init)).joined(separator: " ")
        }
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
            for declaration in Declaration.all(of: type) {
                let choice = declaration.completion()
                if declaration.isPositional {
                    page.arguments.append(choice)
                } else {
                    let (about, value) = (declaration.help.abstract, declaration.takesValue ? choice : nil)
                    page.options.append(Option(names: declaration.names, about: about, value: value))
                }
            }
        }
        page.options += stack.builtIns.map { Option(names: $0.names, about: $0.about, value: nil) }
        page.commands = children.flatMap { child in child.words.map { ($0, child.configuration.abstract) } }
        pages.append(page)
        for child in children {
            steps.append((child.words.map { "\(page.path) \($0)" }, "\(page.path) \(child.typedName)"))
            add(stack + [child])
        }
    }
}

/// What a script asks the program where the choice is its own, as Swift Argument Parser has it:
/// `---completion fetch -- --list 2 3 gallery fetch --list tri`, with the place of the word and of the cursor in it.
struct CompletionRequest {
    static let word = "---completion"

    private let name: String
    private let command: [String]
    private let line: [String]
    private let place: Int
    private let cursor: Int

    init?(_ words: [String]) {
        guard words.first == Self.word, let mark = words.firstIndex(of: "--"), words.count > mark + 3,
            let place = Int(words[mark + 2]), let cursor = Int(words[mark + 3])
        else { return nil }
        (name, command) = (words[mark + 1], Array(words[1..<mark]))
        (line, self.place, self.cursor) = (Array(words[(mark + 4)...]), place, max(0, cursor))
    }

    func answer(of root: any ParsableCommand.Type) -> String {
        let type = command.reduce(root) { type, name in type.child(named: name) ?? type }
        for type in [type, type.configuration.defaultSubcommand].compactMap(\.self) {
            let all = Declaration.all(of: type)
            let named = all.first { $0.names.contains { $0.spelled == name } }
            let counted = all.filter(\.isPositional).enumerated().first { "positional@\($0.offset)" == name }
            guard case .custom(let answers) = (named ?? counted?.element)?.completion() else { continue }
            let word = line.indices.contains(place) ? line[place] : ""
            return answers(line, place, String(word.prefix(cursor))).joined(separator: "\n")
        }
        return ""
    }
}

/// A completion script for a shell with the `case` of POSIX: what stands between the script's own lines.
protocol CaseCompletion {
    var tree: CompletionTree { get }
    /// The variable with the word being typed.
    var word: String { get }
    /// Offers values, options, or subcommands; `request` is what the program is asked with where the choice is its own.
    func offer(_ choice: CompletionKind, _ request: String) -> String
    func options(of page: CompletionTree.Page) -> String
    func commands(of page: CompletionTree.Page) -> String
}

extension CaseCompletion {
    var steps: String {
        tree.steps.map { typed, path in
            "            \(typed.map(\.quoted).joined(separator: " | "))) command=\(path.quoted) ;;"
        }.joined(separator: "\n")
    }

    var pages: String { tree.pages.map(text).joined(separator: "\n") }

    private func text(_ page: CompletionTree.Page) -> String {
        let values = page.options.compactMap { option in
            option.value.map { value in
                let names = option.names.map(\.spelled.quoted).joined(separator: " | ")
                let request = page.request(option.names[0].spelled)
                return "                \(names)) \(offer(value, request)); return ;;"
            }
        }
        let words =
            (page.commands.isEmpty ? [] : [commands(of: page)])
            + page.arguments.enumerated().map { offer($1, page.request("positional@\($0)")) }
        return """
                    \(page.path.quoted))
                        [[ $only_words ]] || case "$previous" in
            \(values.joined(separator: "\n"))
                        esac
                        if [[ ! $only_words && \(page.hasWords ? "\(word) == -*" : "1") ]]; then
                            \(options(of: page))
                        else
                            \((words.isEmpty ? [":"] : words).joined(separator: "; "))
                        fi
                        ;;
            """
    }
}

extension ParsableCommand { fileprivate static var words: [String] { [typedName] + configuration.aliases } }

extension String {
    /// The text quoted as one word for a POSIX shell.
    var quoted: String {
        "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    var functionName: String { "_" + map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined() }
}
