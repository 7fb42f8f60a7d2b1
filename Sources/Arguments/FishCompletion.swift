/// The completion script for fish 3.1 and later.
struct FishCompletion {
    let tree: CompletionTree

    private var function: String { "_" + tree.program.functionName }

    var script: String {
        """
        # Completions of \(tree.program) for fish: put this file as \(tree.program).fish into ~/.config/fish/completions.

        # Whether the words so far lead to the command that the arguments spell.
        function \(function)_at
            set -l command \(quote(tree.program))
            for word in (commandline -opc)[2..-1]
                switch "$command $word"
        \(tree.steps.map(step).joined(separator: "\n"))
                end
            end
            test "$command" = "$argv"
        end

        # What the program answers, one on a line.
        function \(function)_ask
            set -l words (commandline -opc) (commandline -ct)
            $words[1] $argv (math (count $words) - 1) (string length -- $words[-1]) $words 2>/dev/null
        end

        complete -c \(quote(tree.program)) -f
        \(tree.pages.flatMap(lines).joined(separator: "\n"))
        """
    }

    private func step(_ typed: [String], _ path: String) -> String {
        "            case \(typed.map(quote).joined(separator: " "))\n                set command \(quote(path))"
    }

    private func lines(_ page: CompletionTree.Page) -> [String] {
        let start = "complete -c \(quote(tree.program)) -n \(quote("\(function)_at \(page.path)"))"
        let commands = page.commands.map { "\(start) -a \(quote($0.word)) -d \(quote($0.about))" }
        let arguments = page.arguments.enumerated().compactMap { place, choice in
            offer(choice, page.request("positional@\(place)")).map { "\(start) \($0)" }
        }
        let options = page.options.map { option in
            let names = option.names.map(spelled).joined(separator: " ")
            // Without -x, fish would treat the value as a separate word.
            let request = page.request(option.names[0].spelled)
            let value = option.value.map { " -x " + (offer($0, request) ?? "") } ?? ""
            return "\(start) \(names)\(value) -d \(quote(option.about))"
        }
        return commands + arguments + options
    }

    private func spelled(_ name: Name) -> String {
        switch name {
        case .long(let word): "-l \(quote(word))"
        case .short(let letter): "-s \(quote(String(letter)))"
        case .longWithSingleDash(let word): "-o \(quote(word))"
        }
    }

    private func offer(_ choice: CompletionKind, _ request: String) -> String? {
        switch choice {
        case .default: nil
        case .list(let words): "-a \(quote(words.map { quote($0) }.joined(separator: " ")))"
        case .file(extensions: []): "-a '(__fish_complete_path)'"
        case .file(let extensions):
            "-a \(quote("(" + extensions.map { "__fish_complete_suffix .\($0)" }.joined(separator: "; ") + ")"))"
        case .directory: "-a '(__fish_complete_directories)'"
        case .custom: "-a '(\(function)_ask \(request))'"
        }
    }

    /// In fish, a backslash must be escaped even in single quotes.
    private func quote(_ text: String) -> String {
        text.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\\\").quoted
    }
}
