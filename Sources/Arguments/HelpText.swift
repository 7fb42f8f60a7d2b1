/// A command's help page, and the short note printed below its errors.
struct HelpText {
    private let stack: [any ParsableCommand.Type]
    private let configuration: CommandConfiguration
    private let declarations: [Declaration]

    /// The page for the last command; the others are the path to it.
    init(stack: [any ParsableCommand.Type]) {
        self.stack = stack
        let command = stack[stack.count - 1]
        configuration = command.configuration
        declarations = Declaration.all(of: command)
    }

    /// The whole page, ending with a newline unless it ends with a hint.
    func page(columns: Int?) -> String {
        let columns = columns ?? Terminal.columns
        let sections = self.sections.filter { !$0.rows.isEmpty }.map { section in
            "\(section.title.uppercased()):\n" + section.rows.map { $0.text(columns: columns) }.joined()
        }
        return [
            overview.isEmpty ? "" : "OVERVIEW: \(overview)".wrapped(to: columns) + "\n\n",
            "USAGE: \(usage)\n\n",
            sections.joined(separator: "\n"),
            hint,
        ].joined()
    }

    var usageNote: String { "Usage: \(usage)\n  See '\(stack.typedPath) --help' for more information." }

    private var overview: String {
        [configuration.abstract, configuration.discussion].filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    var usage: String {
        let usage = UsageLine.text(stack.typedPath, declarations)
        return configuration.subcommands.isEmpty ? usage : usage + " <subcommand>"
    }

    private var hint: String {
        guard !configuration.subcommands.isEmpty else { return "" }
        let words = [stack[0].typedName, "help"] + stack.dropFirst().map { $0.typedName }
        return "\n  See '\(words.joined(separator: " ")) <subcommand>' for detailed help."
    }
}

// MARK: - Sections

extension HelpText {
    var sections: [HelpSection] {
        var sections = [HelpSection(title: "Arguments")]
        var options = HelpSection(title: "Options")
        for (declaration, row) in rows {
            let title = declaration.isPositional ? "Arguments" : declaration.section
            if title.isEmpty {
                options.rows.append(row)
            } else if let index = sections.firstIndex(where: { $0.title == title }) {
                sections[index].rows.append(row)
            } else {
                sections.append(HelpSection(title: title, rows: [row]))
            }
        }
        options.rows += stack.builtIns.map { flag in
            HelpRow(label: flag.names.map(\.spelled).joined(separator: ", "), abstract: flag.about)
        }
        return sections + [options, subcommands]
    }

    private var rows: [(Declaration, HelpRow)] {
        var rows: [(Declaration, HelpRow)] = []
        var rest = declarations[...]
        while let first = rest.popFirst() {
            var members = [first]
            while let next = rest.first, next.key == first.key { members.append(rest.removeFirst()) }
            rows.append((first, HelpRow(members)))
        }
        return rows
    }

    private var subcommands: HelpSection {
        let rows = configuration.subcommands.map { command in
            let isDefault = configuration.defaultSubcommand.map { $0 == command } ?? false
            let names = ([command.typedName] + command.configuration.aliases).joined(separator: ", ")
            return HelpRow(
                label: isDefault ? names + " (default)" : names, abstract: command.configuration.abstract)
        }
        return HelpSection(title: "Subcommands", rows: rows)
    }
}

struct HelpSection {
    let title: String
    var rows: [HelpRow] = []
}

struct HelpRow {
    private static let labelWidth = 26

    let label: String
    let abstract: String

    init(label: String, abstract: String) { (self.label, self.abstract) = (label, abstract) }

    /// The declarations of one property that share a row.
    init(_ members: [Declaration]) {
        let first = members[0]
        label = members.map(\.label).joined(separator: "/")
        let abstract = members.lazy.map(\.help.abstract).first { !$0.isEmpty } ?? ""
        self.abstract = [abstract, first.valueNote].filter { !$0.isEmpty }.joined(separator: " ")
    }

    func text(columns: Int) -> String {
        let label = "  " + label
        if abstract.isEmpty { return label + "\n" }
        let wrapped = abstract.wrapped(to: columns, indent: Self.labelWidth)
        // On the label's own line if it fits.
        return label + (label.count < Self.labelWidth ? wrapped.dropFirst(label.count) : "\n" + wrapped)
            + "\n"
    }
}

extension Declaration {
    fileprivate var label: String {
        if isPositional { return "<\(valueName)>" }
        let names = names.shortFirst.map(\.spelled).joined(separator: ", ")
        return takesValue ? "\(names) <\(valueName)>" : names
    }

    /// `(values: full, thumbnail; default: full)`
    fileprivate var valueNote: String {
        let values = allValues().filter { !$0.isEmpty }
        var notes: [String] = []
        if !values.isEmpty { notes.append("values: \(values.joined(separator: ", "))") }
        if let text = defaultText(), !text.isEmpty { notes.append("default: \(text)") }
        return notes.isEmpty ? "" : "(\(notes.joined(separator: "; ")))"
    }
}
