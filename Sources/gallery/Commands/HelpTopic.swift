import Arguments
import Foundation
import GalleryCore
import PictureFiles

extension CommandConfiguration {
    /// That of `gallery <path>`, with the paragraphs and examples that 'help.txt' has of it.
    init(
        _ path: String, _ abstract: String, subcommands: [any ParsableCommand.Type] = [],
        aliases: [String] = []
    ) {
        self.init(
            abstract: abstract, discussion: HelpTopic.discussion(of: "gallery \(path)"),
            subcommands: subcommands, aliases: aliases)
    }
}

/// A text of help that is about no single command.
struct HelpTopic: Sendable {
    let name: String
    let summary: String
    /// With lines such as `{settings}` in place of what is generated.
    private let body: String

    /// What 'help.txt' says of commands and topics, by their names; nothing where it is not installed.
    private static let texts = ((try? Resources.text(of: "help.txt")) ?? "").components(separatedBy: "\n= ")
        .map { text in
            (
                head: text.prefix { $0 != "\n" }.trimmingPrefix("= ").components(separatedBy: ": "),
                body: text.drop { $0 != "\n" }.trimmingCharacters(in: .newlines)
            )
        }

    static let all = texts.filter { $0.head.count > 1 }.map {
        HelpTopic(name: $0.head[0], summary: $0.head[1], body: $0.body)
    }

    /// Paragraphs and examples for the command at `path`, such as `gallery fetch`.
    static func discussion(of path: String) -> String { texts.first { $0.head == [path] }?.body ?? "" }

    static func named(_ name: String) -> HelpTopic? { all.first { $0.name == name } }

    var page: HelpPage {
        let lines = body.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.hasPrefix("{") && line.hasSuffix("}")
                ? Self.generated(line.dropFirst().dropLast()).joined(separator: "\n") : String(line)
        }
        return HelpPage(lines.joined(separator: "\n"))
    }

    private static func generated(_ word: Substring) -> [String] {
        func row(_ label: String, _ text: String) -> String { "  \(label)  \(text)" }
        switch word {
        case "fields": return NameTemplate.Field.allCases.map { row("{\($0.rawValue)}", $0.summary) }
        case "formats":
            return PictureType.allCases.map(\.format).map {
                row($0.name + ($0.isForWeb ? " *" : ""), $0.extensions.joined(separator: ", "))
            }
        case "keys":
            return (Array(KeyHelp.groups) + KeyHelp.tournament.prefix(1)).flatMap { title, keys in
                ["\(title.uppercased()):"] + keys.map(row) + [""]
            }
        case "services": return ServiceCatalog.entries.map { row($0.name, $0.summary) }
        case "settings":
            return Setting.all.map {
                row($0.name, $0.summary + ($0.standard.map { " (default: \($0.text))" } ?? ""))
            }
        case "variables":
            return ServiceCatalog.entries.compactMap { entry in
                entry.keyVariable.map { row($0, "For \(entry.name): \(entry.keyUse ?? "its key").") }
            }
        default:
            let options = HelpPage(of: Gallery.Fetch.self).below { $0 == word }.compactMap { part in
                if case .row(let label, let text) = part { row(label, text) } else { nil }
            }
            return options + members(word.split(separator: " ").map(String.init)).map(row)
        }
    }

    private static func members(_ path: [String]) -> [(String, String)] {
        let schema = JSONDocument(Data(((try? Resources.text(of: "sources.schema.json")) ?? "").utf8))
        let objects = path.reduce([schema.root].compactMap(\.self)) { objects, word in
            objects.flatMap { word == "[]" ? $0.elements ?? [] : [$0.member(word)].compactMap(\.self) }
        }
        return objects.flatMap(\.members).compactMap { member in
            (member["description"] ?? member).string.map { (member.key?.string ?? "", $0) }
        }
    }
}
