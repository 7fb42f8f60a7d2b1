import Foundation

/// A command and its subcommands as one manual page, in the macros of man(7), from the same declarations as the help.
struct ManualPage {
    /// The page, without the newline at its end.
    let text: String

    /// - Parameters:
    ///   - root: The command whose name the page has.
    ///   - date: The day of its last change. By default that of the source, where a build that shall give the same
    ///     bytes again says so in `SOURCE_DATE_EPOCH`, and today.
    init(of root: any ParsableCommand.Type, date: Date = Self.sourceDate) {
        let (name, version) = (root.typedName, root.configuration.version)
        let day = date.formatted(.iso8601.year().month().day())
        var lines = [
            ".TH \(Self.quoted(name.uppercased())) 1 \(day) \(Self.quoted("\(name) \(version)"))",
            ".SH NAME", Self.escaped("\(name) - \(root.configuration.abstract)"),
            ".SH SYNOPSIS", ".B \(Self.escaped(HelpText(stack: [root]).usage))",
            ".SH DESCRIPTION",
        ]
        lines += Self.paragraphs(root.configuration.discussion)
        lines += Self.lists(of: [root])
        lines.append(".SH COMMANDS")
        for command in root.configuration.subcommands { lines += Self.section(of: [root, command]) }
        text = lines.joined(separator: "\n")
    }

    /// The longest line that manuals have, less what may go before it.
    private static let width = 78

    private static var sourceDate: Date {
        ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"].flatMap(Double.init)
            .map(Date.init(timeIntervalSince1970:)) ?? Date()
    }

    private static func section(of stack: [any ParsableCommand.Type]) -> [String] {
        let (page, configuration) = (HelpText(stack: stack), stack[stack.count - 1].configuration)
        return [".SS \(quoted(stack.typedPath))", ".B \(escaped(page.usage))", ".PP"]
            + paragraphs([configuration.abstract, configuration.discussion].joined(separator: "\n\n"))
            + lists(of: stack)
            + configuration.subcommands.flatMap { section(of: stack + [$0]) }
    }

    /// A tagged paragraph for each argument and option.
    private static func lists(of stack: [any ParsableCommand.Type]) -> [String] {
        HelpText(stack: stack).sections.filter { $0.title != HelpText.subcommandsTitle }.flatMap { section in
            section.rows.flatMap { [".TP", ".B \(escaped($0.label))", escaped($0.abstract, columns: width)] }
        }
    }

    /// Text whose indented lines stay as they are.
    private static func paragraphs(_ text: String) -> [String] {
        var lines: [String] = []
        var isKept = false
        for line in text.trimmingCharacters(in: .newlines).components(separatedBy: "\n") {
            if line.isEmpty {
                if isKept { lines.append(".fi") }
                isKept = false
                lines.append(".PP")
                continue
            }
            if line.hasPrefix(" "), !isKept {
                lines.append(".nf")
                isKept = true
            }
            lines.append(escaped(line, columns: isKept ? .max : width))
        }
        return isKept ? lines + [".fi"] : lines
    }

    private static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

    /// Text of which no line is taken for a request, with hyphens that can be copied to a shell.
    private static func escaped(_ text: String, columns: Int = .max) -> String {
        let text = text.map { $0 == "\\" ? "\\e" : $0 == "-" ? "\\-" : $0 == "\"" ? "\\(dq" : String($0) }
            .joined()
        return text.wrapped(to: columns).split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix(".") || $0.hasPrefix("'") ? "\\&" + $0 : $0 }.joined(separator: "\n")
    }
}
