import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

@testable import Arguments
@testable import gallery

/// The README and the pages of the manual, and what in them comes from the program.
///
/// A table stands between two comments, `<!-- options: fetch: Options -->` and `<!-- end -->`. With
/// `GALLERY_WRITE_MANUAL=1`, the tests write it.
struct Manual {
    struct Page: Sendable, CustomTestStringConvertible {
        /// Below the package's folder.
        let path: String
        let text: String

        var name: String { String((path.split(separator: "/").last ?? "").prefix { $0 != "." }) }
        var lines: [String] { text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
        var url: URL { Fixture.packageRoot.appending(path: path) }
        var testDescription: String { path }

        init(_ path: String) throws {
            self.path = path
            text = try String(contentsOf: Fixture.packageRoot.appending(path: path), encoding: .utf8)
        }
    }

    static let folder = "Sources/gallery/gallery.docc"

    static func pages() throws -> [Page] { try files(in: folder) }

    /// The pages, the README, and what is written for contributors.
    static func everything() throws -> [Page] {
        try [Page("README.md")] + pages() + files(in: ".github")
    }

    private static func files(in folder: String) throws -> [Page] {
        try FileManager.default.contentsOfDirectory(atPath: Fixture.packageRoot.appending(path: folder).path)
            .filter { $0.hasSuffix(".md") }.sorted().map { try Page("\(folder)/\($0)") }
    }
}

// MARK: - Markers

extension Manual.Page {
    /// What a comment on a line of its own says.
    private static func marker(_ line: String) -> String? {
        line.hasPrefix("<!-- ") && line.hasSuffix(" -->") ? String(line.dropFirst(5).dropLast(4)) : nil
    }

    /// What stands in comments, `end` apart.
    var markers: [String] { lines.compactMap(Self.marker).filter { $0 != "end" } }

    /// The text with the tables that the markers ask for.
    func filled(_ table: (String) throws -> [String]) rethrows -> String {
        var lines: [String] = []
        var isInTable = false
        for line in self.lines {
            let marker = Self.marker(line)
            if marker == "end" { isInTable = false }
            if !isInTable { lines.append(line) }
            if let marker, marker != "end", marker != "run" {
                lines += try [""] + table(marker) + [""]
                isInTable = true
            }
        }
        return lines.joined(separator: "\n")
    }

    /// The lines of the blocks after `<!-- run -->`.
    var examples: [String] {
        var examples: [String] = []
        var rest = lines[...]
        while let start = rest.firstIndex(of: "<!-- run -->") {
            let block = rest[start...].drop { $0 != "```sh" }.dropFirst().prefix { $0 != "```" }
            examples += block
            rest = rest[block.endIndex...]
        }
        return examples
    }
}

// MARK: - Options

extension Manual {
    /// A line of some command's help.
    struct Row: Hashable {
        /// Empty for a group that commands share.
        let command: String
        let group: String
        let label: String
        let text: String
    }

    static let builtIns = "Options of every command"

    /// What all commands take; once what several share.
    static func rows() -> [Row] {
        var rows: [Row] = []
        var seen: Set<Row> = []
        for stack in commands(below: [Gallery.self]) {
            let builtIns = stack.builtIns.map { $0.names.map(\.spelled).joined(separator: ", ") }
            for section in HelpText(stack: stack).sections where section.title != "Subcommands" {
                for row in section.rows {
                    let group = builtIns.contains(row.label) ? Self.builtIns : section.title
                    let isOwn = ["Arguments", "Options"].contains(group)
                    let new = Row(
                        command: isOwn ? stack.dropFirst().map { $0.typedName }.joined(separator: " ") : "",
                        group: group, label: row.label, text: text(of: row))
                    if seen.insert(new).inserted { rows.append(new) }
                }
            }
        }
        return rows
    }

    private static func commands(below stack: [any ParsableCommand.Type]) -> [[any ParsableCommand.Type]] {
        [stack] + stack[stack.count - 1].configuration.subcommands.flatMap { commands(below: stack + [$0]) }
    }

    /// Services are in a table of their own, and those of whoever runs the tests in none.
    private static func text(of row: HelpRow) -> String {
        guard row.label.contains("<service>"), let values = row.abstract.range(of: " (values: ") else {
            return row.abstract
        }
        return String(row.abstract[..<values.lowerBound])
    }

    /// Those of `all` that a marker such as `options: show, fetch: Arguments` or `options: List options` stands for.
    static func rows(of marker: String, in all: [Row]) -> [Row] {
        let parts = marker.components(separatedBy: ": ")
        let commands = parts.count > 2 ? parts[1].components(separatedBy: ", ") : [""]
        return all.filter { $0.group == parts.last && commands.contains($0.command) }
    }
}

// MARK: - Tables

extension Manual {
    struct UnknownMarker: Error {
        let marker: String
    }

    /// The lines of the table that a marker asks for.
    static func table(_ marker: String) throws -> [String] {
        switch marker {
        case "keys": return keys(KeyHelp.groups)
        case "tournament keys": return keys(KeyHelp.tournament.dropLast())
        case "settings": return settings
        case "services": return services
        case "rankings": return rankings
        case "figures":
            let figures = String(decoding: try Fixture.data("bench/figures.md"), as: UTF8.self)
            return figures.split(separator: "\n").map(String.init)
        default:
            let cells = cells(of: rows(of: marker, in: rows()))
            guard marker.hasPrefix("options: "), !cells.isEmpty else { throw UnknownMarker(marker: marker) }
            return table(
                marker.hasSuffix("Arguments") ? ["argument", "what it is"] : ["option", "what it does"], cells
            )
        }
    }

    /// What several commands have alike is one line; otherwise a line says whose it is.
    private static func cells(of rows: [Row]) -> [[String]] {
        let commands = Set(rows.map(\.command)).count
        var seen: Set<[String]> = []
        return rows.map { row in
            let isCommon = rows.count { $0.label == row.label && $0.text == row.text } == commands
            return [code(isCommon ? row.label : "\(row.command) \(row.label)"), escaped(row.text)]
        }.filter { seen.insert($0).inserted }
    }

    private static func keys(_ groups: some Sequence<KeyHelp.Groups.Element>) -> [String] {
        table(
            ["", "keys", "what they do"],
            groups.flatMap { title, keys in
                keys.enumerated().map { index, key in
                    [index == 0 ? title : "", code(key.key), escaped(key.value)]
                }
            })
    }

    private static var settings: [String] {
        table(
            ["setting", "what it is", "what it does"],
            Setting.all.map { setting in
                let standard: String? =
                    switch setting.standard {
                    case .string(let text): code(text)
                    case .int(let number): "\(number)"
                    case .bool(let flag): "\(flag)"
                    default: nil
                    }
                let notes = [
                    standard.map { "default: \($0)" }, setting.variable.map { "variable: \(code($0))" },
                ]
                let note = notes.compactMap { $0 }.joined(separator: "; ")
                return [
                    code(setting.name), setting.kindText,
                    escaped(setting.summary) + (note.isEmpty ? "" : " (\(note))"),
                ]
            })
    }

    /// The servers that `.ci/servers` runs, by the service that asks them.
    private static let servers = ["commons": "MediaWiki 1.39", "feed": "WordPress 6.1"]

    private static var services: [String] {
        table(
            ["service", "what it is", "feeds", "takes", "tried with"],
            ServiceCatalog.entries.map { entry in
                let key = entry.keyVariable.map { "\(code($0)): \(escaped(entry.keyUse ?? "a key"))" }
                return [
                    code(entry.name), escaped(entry.summary), entry.feeds.joined(separator: ", "), key ?? "",
                    servers[entry.name] ?? "",
                ]
            })
    }

    private static var rankings: [String] {
        table(
            ["service", "rankings", "with `--date`"],
            ServiceCatalog.entries.filter { $0.rankings.count > 1 }.map { entry in
                [
                    code(entry.name), entry.rankings.map(code).joined(separator: ", "),
                    entry.hasPastRankings ? "yes" : "",
                ]
            })
    }

    private static func table(_ heads: [String], _ rows: [[String]]) -> [String] {
        ([heads, heads.map { _ in "---" }] + rows).map { "| \($0.joined(separator: " | ")) |" }
    }

    private static func code(_ text: String) -> String { "`\(text.replacing("|", with: "\\|"))`" }

    /// A text of the program as Markdown: code where it quotes a word or names an option, whose two hyphens would
    /// become a dash, and nothing else that means something.
    private static func escaped(_ text: String) -> String {
        let quoted = text.replacing(/(?<before>^|[ (])'(?<word>[^'`]+)'(?<after>$|[ ,.;:)])/) {
            "\($0.before)`\($0.word)`\($0.after)"
        }
        let parts = quoted.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        return parts.map { index, part in
            guard index.isMultiple(of: 2) else { return code(String(part)) }
            return String(part).replacing("|", with: "\\|").replacing("<", with: "\\<").replacing(
                "*", with: "\\*"
            )
            .replacing(/--[a-z][a-z-]*/) { "`\($0.output)`" }
        }.joined()
    }
}
