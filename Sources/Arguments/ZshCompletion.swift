struct ZshCompletion: CaseCompletion {
    let tree: CompletionTree

    private var function: String { tree.program.functionName }

    var script: String {
        """
        #compdef \(tree.program)
        # Completions of \(tree.program) for zsh: put this file as \(function) into a folder of $fpath, or source it.

        \(function)() {
            local command=\(tree.program.quoted) previous=${words[CURRENT - 1]} index only_words=
            local -a candidates
            for ((index = 2; index < CURRENT; index++)); do
                case "$command ${words[index]}" in
                    *' --') only_words=1 && break ;;
        \(steps)
                esac
            done
            # --name=value: what is in front of the value is not completed.
            if [[ -z $only_words ]] && compset -P '--*='; then
                previous=${IPREFIX%=}
            fi
            case "$command" in
        \(pages)
            esac
        }

        # Loaded by compinit the file is the function's body; sourced, it defines the function.
        if [[ ${funcstack[1]} == \(function) ]]; then
            \(function) "$@"
        else
            compdef \(function) \(tree.program.quoted)
        fi
        """
    }

    let word = "$PREFIX"

    func options(of page: CompletionTree.Page) -> String {
        describe(page.options.flatMap { option in option.names.map { ($0.spelled, option.about) } }, " -o")
    }

    func commands(of page: CompletionTree.Page) -> String { describe(page.commands) }

    func offer(_ choice: CompletionKind, _ request: String) -> String {
        switch choice {
        case .default: ":"
        case .list(let words): (["compadd", "--"] + words.map(\.quoted)).joined(separator: " ")
        case .file(extensions: []): "_files"
        case .file(let extensions): "_files -g \("*.(\(extensions.joined(separator: "|")))(-.)".quoted)"
        case .directory: "_files -/"
        case .custom:
            """
            compadd -- ${(f)"$("${words[1]}" \(request) $((CURRENT - 1)) ${#PREFIX} "${words[@]}" 2>/dev/null)"}
            """
        }
    }

    private func describe(_ words: [(word: String, about: String)], _ flags: String = "") -> String {
        let lines = words.map { word, about in
            // A colon ends the word, so colons within it are escaped.
            let name = word.map { $0 == ":" ? "\\:" : String($0) }.joined()
            return (about.isEmpty ? name : "\(name):\(about)").quoted
        }
        return "candidates=(\(lines.joined(separator: " "))); _describe\(flags) -t words word candidates"
    }
}
