import Arguments
import Foundation
import GalleryCore

/// A manual page in the macros of man(7), from the declarations of commands and the topics of help.
struct ManualPage {
    static let names = ["gallery", "fetch", "browse", "web", "sources"]
    private static let topics: [String: KeyValuePairs<String, String>] = [
        "gallery": ["EXIT STATUS": "exit-status", "ENVIRONMENT": "environment", "FILES": "files"],
        "fetch": ["SELECTIONS": "selection", "NAMES": "names"], "browse": ["KEYS": "keys"],
        "sources": ["DESCRIPTION": "sources"],
    ]

    /// The page, without the newline at its end.
    private(set) var text: String

    init?(named name: String) {
        guard Self.names.contains(name) else { return nil }
        let command = Gallery.command(at: name == "gallery" ? [] : [name])
        let summary = command?.configuration.abstract ?? HelpTopic.named(name)?.summary ?? ""
        let (title, section) = (name == "gallery" ? name : "gallery-\(name)", command == nil ? 5 : 1)
        let day = Self.day.formatted(.iso8601.year().month().day())
        text = ".TH \(HelpPage.quoted(title.uppercased())) \(section) \(day) \"gallery \(Release.version)\""
        add("NAME", [HelpPage.escaped("\(title) - \(summary)")])
        let (about, examples) = command?.configuration.discussion.halves ?? ("", "")
        if let command {
            let page = HelpPage(of: command)
            add("SYNOPSIS", page.usage)
            if !about.isEmpty { add("DESCRIPTION", HelpPage(about).macros) }
            if name == "gallery" {
                add("COMMANDS", command.configuration.subcommands.flatMap { Self.lines(of: $0, name) })
            }
            let parts =
                name == "gallery"
                ? page.below { $0 == "OPTIONS" }.dropFirst()
                    + HelpPage(of: Gallery.Popular.self).below(Self.isShared)
                    + HelpPage(of: Gallery.Fetch.self).below { $0 == "FEED OPTIONS" }
                : Array(page.parts.dropFirst())
            add("OPTIONS", HelpPage(parts: parts).macros)
        }
        for (title, topic) in Self.topics[name] ?? [:] {
            add(title, HelpTopic.named(topic)?.page.macros ?? [])
        }
        if !examples.isEmpty { add("EXAMPLES", HelpPage(examples).macros) }
        let others = Self.names.map {
            $0 == "gallery" ? "gallery(1)" : "gallery-\($0)(\($0 == "sources" ? 5 : 1))"
        }
        add(
            "SEE ALSO",
            [HelpPage.escaped(others.filter { !$0.hasPrefix("\(title)(") }.joined(separator: ", "))])
    }

    private mutating func add(_ title: String, _ lines: [String]) {
        text += "\n.SH \(HelpPage.quoted(title))\n" + lines.joined(separator: "\n")
    }

    /// The day of the source, where a build that shall give the same bytes again says so, or today.
    private static var day: Date {
        ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"].flatMap(Double.init)
            .map(Date.init(timeIntervalSince1970:)) ?? Date()
    }

    private static func isShared(_ title: String) -> Bool {
        title == "LIST OPTIONS" || HelpPage.shared.contains { $0.key == title }
    }

    /// A command, its own options, and the commands below it; of one with a page only what it is for.
    private static func lines(of command: any ParsableCommand.Type, _ path: String) -> [String] {
        let (page, path) = (HelpPage(of: command), "\(path) \(command.name)")
        let (about, examples) = command.configuration.discussion.halves
        let head =
            [".SS \(HelpPage.quoted(path))"] + page.usage + [".PP"]
            + HelpPage(command.configuration.abstract).macros
        if names.contains(command.name) { return head + [".PP", "See gallery\\-\(command.name)(1)."] }
        let rows = page.below { !Self.isShared($0) && $0 != "SUBCOMMANDS" }.filter { part in
            if case .row(let label, _) = part {
                !label.hasPrefix("-h, ") && label != "--version"
            } else {
                false
            }
        }
        return head + (about.isEmpty ? [] : [".PP"] + HelpPage(about).macros) + HelpPage(parts: rows).macros
            + (examples.isEmpty ? [] : [".PP"] + HelpPage(examples).macros)
            + command.configuration.subcommands.flatMap { lines(of: $0, path) }
    }
}

extension HelpPage {
    fileprivate var usage: [String] {
        if case .text(let usage)? = parts.first { [".B \(Self.escaped(usage))"] } else { [] }
    }
}

extension String {
    fileprivate var halves: (String, String) {
        let parts = components(separatedBy: "\n\n")
        let examples = parts.filter { $0.hasPrefix("Examples:") }
        let others = parts.filter { !$0.hasPrefix("Examples:") }
        return (others.joined(separator: "\n\n"), String(examples.joined().trimmingPrefix("Examples:\n")))
    }
}
