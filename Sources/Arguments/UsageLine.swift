/// A command's usage line: `gallery search [--json] <text>`.
enum UsageLine {
    private static let limit = 12

    static func text(_ path: String, _ declarations: [Declaration]) -> String {
        if declarations.isEmpty { return path }
        if declarations.count <= limit { return "\(path) \(synopses(of: declarations))" }
        let required = declarations.filter { $0.isPositional || !$0.isOptional }
        if required.isEmpty || required.count > limit { return "\(path) <options>" }
        return "\(path) [<options>] \(synopses(of: required))"
    }

    /// `[--limit <limit>]`, `<selections> ...`
    static func synopsis(of declaration: Declaration, isRequired: Bool = false) -> String {
        var parts = declaration.names.preferred.map { [$0.spelled] } ?? []
        if declaration.takesValue { parts.append("<\(declaration.valueName)>") }
        if declaration.repeats { parts.append("...") }
        let synopsis = parts.joined(separator: " ")
        return declaration.isOptional && !isRequired ? "[\(synopsis)]" : synopsis
    }

    private static func synopses(of declarations: [Declaration]) -> String {
        declarations.map { synopsis(of: $0) }.joined(separator: " ")
    }
}

extension String {
    /// Wraps at spaces to at most `columns` characters with the indentation, unless a single word is longer.
    func wrapped(to columns: Int, indent: Int = 0) -> String {
        let width = columns - indent
        // A terminal this narrow has no room for the column.
        guard width > 0 else { return "" }
        var lines: [Substring] = []
        var rest = self[...]
        while true {
            let chunk = rest.prefix(width)
            let isLast = chunk.endIndex == rest.endIndex
            if let newline = chunk.lastIndex(of: "\n") {
                lines += rest[..<newline].split(separator: "\n", omittingEmptySubsequences: false)
                rest = rest[rest.index(after: newline)...]
            } else if !isLast, let space = chunk.lastIndex(of: " ") ?? rest.firstIndex(of: " ") {
                lines.append(rest[..<space])
                rest = rest[rest.index(after: space)...]
            } else {
                lines.append(rest)
                break
            }
        }
        let margin = String(repeating: " ", count: indent)
        return lines.map { $0.isEmpty ? "" : margin + $0 }.joined(separator: "\n")
    }
}
