/// The completion script for bash 3.2 and later.
struct BashCompletion: CaseCompletion {
    let tree: CompletionTree

    private var function: String { tree.program.functionName }

    var script: String {
        """
        # Completions of \(tree.program) for bash: source this file, or put it where bash-completion looks.

        # Offers those of the words that begin with the word being typed.
        \(function)_offer() {
            local candidate
            for candidate; do
                [[ $candidate == "$word"* ]] && COMPREPLY+=("$candidate")
            done
        }

        # Offers what the program answers, one on a line.
        \(function)_ask() {
            local line
            # Quotes blanks.
            compopt -o filenames 2>/dev/null
            while IFS= read -r line; do
                \(function)_offer "$line"
            done < <("${COMP_WORDS[0]}" "$@" "$COMP_CWORD" "${#word}" "${COMP_WORDS[@]}" 2>/dev/null)
        }

        # Offers folders (-d), or files (-f) that end with one of the further words, and the folders to them.
        \(function)_paths() {
            local kind=$1 path ending
            shift
            compopt -o filenames 2>/dev/null
            while IFS= read -r path; do
                for ending in "${@:-}"; do
                    [[ -d $path || $path == *"$ending" ]] && COMPREPLY+=("$path") && break
                done
            done < <(compgen "$kind" -- "$word")
        }

        \(function)() {
            local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
            local command=\(tree.program.quoted) index only_words=
            COMPREPLY=()
            # --name=value comes as three words.
            if [[ $word == '=' ]]; then
                word=
            elif [[ $previous == '=' ]]; then
                previous=${COMP_WORDS[COMP_CWORD - 2]}
            fi
            for ((index = 1; index < COMP_CWORD; index++)); do
                case "$command ${COMP_WORDS[index]}" in
                    *' --') only_words=1 && break ;;
        \(steps)
                esac
            done
            case "$command" in
        \(pages)
            esac
        }

        complete -F \(function) \(tree.program.quoted)
        """
    }

    let word = "$word"

    func options(of page: CompletionTree.Page) -> String {
        offer(page.options.flatMap(\.names).map(\.spelled))
    }

    func commands(of page: CompletionTree.Page) -> String { offer(page.commands.map(\.word)) }

    func offer(_ choice: CompletionKind, _ request: String) -> String {
        switch choice {
        case .default: ":"
        case .list(let words): offer(words)
        case .file(let extensions):
            ([function + "_paths -f"] + extensions.map { ".\($0)".quoted }).joined(separator: " ")
        case .directory: function + "_paths -d"
        case .custom: "\(function)_ask \(request)"
        }
    }

    private func offer(_ words: [String]) -> String {
        ([function + "_offer"] + words.map(\.quoted)).joined(separator: " ")
    }
}
