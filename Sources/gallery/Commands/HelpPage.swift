import Arguments
import Foundation
import TerminalPictures

/// Help as it is printed, taken apart.
struct HelpPage {
    enum Part {
        case title(String)
        case text(String)
        /// A name, such as `-s, --service <service>`, and what it is; nothing for a line as one types it.
        case row(String, String)
    }

    private(set) var parts: [Part] = []

    init(parts: some Sequence<Part>) { self.parts = Array(parts) }

    /// Takes `text` apart: what is indented by two is a row, what is indented further goes on with it.
    init(_ text: String) {
        var isOpen = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let words = line.drop { $0 == " " }
            defer { isOpen = !line.isEmpty }
            switch parts.last {
            case _ where words.isEmpty: break
            case .row(let label, let text)? where isOpen && line.hasPrefix("   "):
                parts[parts.count - 1] = .row(label, text.isEmpty ? String(words) : "\(text) \(words)")
            case _ where line.hasPrefix("  "):
                // A space is enough behind a name that ends where texts begin.
                let isFull = line.hasPrefix("  -") && line.dropFirst(25).first == " "
                let end =
                    words.range(of: "  ")?.lowerBound
                    ?? (isFull ? line.index(line.startIndex, offsetBy: 25) : words.endIndex)
                parts.append(.row(String(words[..<end]), String(words[end...].drop { $0 == " " })))
            case _ where line.hasSuffix(":") && line == line.uppercased():
                parts.append(.title(String(line.dropLast())))
            case .text(let text)? where isOpen: parts[parts.count - 1] = .text("\(text) \(line)")
            default: parts.append(.text(String(line)))
            }
        }
    }

    /// The help of a command, without what its configuration says.
    init(of command: any ParsableCommand.Type) {
        let text = Gallery.fullMessage(for: CleanExit.helpRequest(command))
        self.init(text.range(of: "\nUSAGE: ").map { String(text[$0.upperBound...]) } ?? text)
        parts.removeAll {
            if case .row(let label, "") = $0 { label.hasPrefix("See 'gallery") } else { false }
        }
    }

    /// Its options as they are typed: `-s`, `--service`.
    var options: [String] {
        parts.flatMap { part in
            guard case .row(let label, _) = part else { return [String]() }
            return label.split { " ,/".contains($0) }.filter { $0.hasPrefix("-") }.map(String.init)
        }
    }

    func below(_ isWanted: (String) -> Bool) -> [Part] {
        var isBelow = false
        return parts.filter { part in
            if case .title(let title) = part { isBelow = isWanted(title) }
            return isBelow
        }
    }

    // MARK: - As text

    /// The groups of options that commands share, in their order, and the topics that say more of each.
    static let shared: KeyValuePairs = [
        "FEED OPTIONS": "selection", "FILTER OPTIONS": "filters", "SERVICE OPTIONS": "services",
        "NETWORK OPTIONS": "environment",
    ]

    /// The parser's `text` with a command's own options before shared ones, commands in groups, and then topics.
    static func arranged(_ text: String) -> String {
        guard text.hasPrefix("OVERVIEW: ") else { return text }
        var parts = text.trimmingCharacters(in: .newlines).components(separatedBy: "\n\n")
        for (title, topic) in shared {
            guard let place = parts.firstIndex(where: { $0.hasPrefix("\(title):\n") }) else { continue }
            parts.append(
                parts.remove(at: place).replacing(
                    "\(title):", with: "\(title):\n  more: gallery help \(topic)"))
        }
        if parts.last?.hasPrefix("  See 'gallery help <subcommand>'") == true {
            let commands = parts[parts.count - 2].split(separator: "\n").dropFirst().map { line in
                let group = Gallery.groups.first { line.hasPrefix("  \($0.value) ") }
                return (group.map { "\n\($0.key) SUBCOMMANDS:\n" } ?? "") + line
            }
            let topics = HelpTopic.all.map { "  " + DisplayWidth.usual.padded($0.name, to: 24) + $0.summary }
            parts[parts.count - 2] =
                commands.joined(separator: "\n").trimmingCharacters(in: .newlines) + "\n\nTOPICS:\n"
                + topics.joined(separator: "\n")
            parts[parts.count - 1].replace("<subcommand>'", with: "<subcommand>' or 'gallery help <topic>'")
        }
        return parts.joined(separator: "\n\n")
    }

    func lines(columns: Int) -> [String] {
        let (widths, rows) = (DisplayWidth.usual, parts.map(\.label))
        // In a narrow terminal, or where it is long, a label stands above its text.
        let room = columns < 60 ? 4 : min((rows.map(widths.of).max() ?? 0) + 2, 22)
        let format = DetailText(width: columns - 2, style: Style(isOn: false))
        return zip(parts, [nil] + parts.map(Optional.some)).flatMap { part, last -> [String] in
            let gap = if case (.row, .row?) = (part, last) { [String]() } else { last == nil ? [] : [""] }
            switch part {
            case .title(let title): return gap + [title + ":"]
            case .text(let text): return gap + format.wrapped(text, indent: 0)
            case .row(let label, ""): return gap + ["  " + label]
            case .row(let label, let text):
                let isBeside = widths.of(label) <= room - 2
                // What begins a line may not be a space.
                let start =
                    isBeside ? widths.padded(label, to: room) : String(repeating: "\u{A0}", count: room)
                let lines = format.wrapped(start + text, indent: room).map {
                    "  " + $0.replacing("\u{A0}", with: " ")
                }
                return gap + (isBeside ? lines : ["  " + label] + lines)
            }
        }
    }

    // MARK: - As a manual page

    var macros: [String] {
        var lines: [String] = []
        for part in parts {
            let isFirst = lines.last?.hasPrefix(".SS ") ?? true
            switch part {
            case .title(let title): lines.append(".SS \(Self.quoted(title.capitalized))")
            case .text(let text): lines += (isFirst ? [] : [".PP"]) + Self.wrapped(text)
            case .row(let label, ""):
                if lines.last == ".fi" {
                    lines.removeLast()
                } else {
                    lines += (isFirst ? [] : [".PP"]) + [".nf"]
                }
                lines += [Self.escaped(label), ".fi"]
            case .row(let label, let text):
                lines += [".TP", ".B \(Self.escaped(label))"] + Self.wrapped(text)
            }
        }
        return lines
    }

    private static func wrapped(_ text: String) -> [String] {
        DetailText(width: 78, style: Style(isOn: false)).wrapped(text, indent: 0).map(escaped)
    }

    static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

    /// Text of which no line is taken for a request, with hyphens that can be copied to a shell.
    static func escaped(_ text: String) -> String {
        let text = text.map { $0 == "\\" ? "\\e" : $0 == "-" ? "\\-" : $0 == "\"" ? "\\(dq" : String($0) }
            .joined()
        return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
    }
}

extension HelpPage.Part {
    fileprivate var label: String {
        if case .row(let label, let text) = self, !text.isEmpty { label } else { "" }
    }
}
