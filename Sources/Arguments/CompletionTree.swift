/// A tree of commands as a shell needs to know it.
struct CompletionTree {
    let root: any ParsableCommand.Type

    func script(for shell: CompletionShell) -> String { "" }
}
