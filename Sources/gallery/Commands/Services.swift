import Arguments
import Foundation
import GalleryCore

extension Gallery {
    struct Services: ContextCommand {
        static let configuration = CommandConfiguration(
            "services", "List the services, their feeds, and the keys they need.")

        @Option(help: "Output format for the list of services.")
        var format = ServicesFormat.text

        @Flag(help: "Print the JSON Schema of everything that gallery prints as JSON.")
        var schema = false

        @Flag(help: "Send each service on the web one request, and print what it answers.")
        var check = false

        @Argument(
            help: """
                With --check: services to ask. (default: all with an address) With --schema: 'output', or 'sources' for the \
                files that describe a source.
                """,
            completion: .list(SchemaName.allCases.map(\.rawValue) + ServiceCatalog.names))
        var names: [String] = []

        @Option(help: ArgumentHelp("With --check: give up after this long.", valueName: "seconds"))
        var timeout = 30

        @Option(
            name: .customLong("try"),
            help: ArgumentHelp(
                "Read the definition of a source, and show its first photo.", valueName: "file"),
            completion: .file())
        var trial: String?

        @Option(
            help: ArgumentHelp("With --try: a recorded reply to read instead of asking.", valueName: "file"),
            completion: .file())
        var recording: String?

        func validate() throws {
            if let name = names.first, !check, !schema {
                throw ValidationError("'\(PlainText.excerpt(name))' needs '--check' or '--schema'.")
            }
            if schema, names.count > 1 || names.contains(where: { SchemaName(rawValue: $0) == nil }) {
                throw ValidationError("'--schema' takes one name, 'output' or 'sources'.")
            }
            if check, schema || trial != nil {
                throw ValidationError("'--check' cannot be used with '--schema' or '--try'.")
            }
            if schema, trial != nil { throw ValidationError("'--schema' cannot be used with '--try'.") }
            try require("--timeout", timeout, in: 1...Int.max)
            if recording != nil, trial == nil { throw ValidationError("'--recording' needs '--try'.") }
        }

        static var configurationUse: ConfigurationUse { .optional }

        func run(in context: Context) async throws {
            if let trial {
                try context.terminal.results(await SourceTrialText(trial, recording, context).lines)
                return
            }
            if check {
                try await ServiceChecks(names, within: timeout, context).report(to: context.terminal)
                return
            }
            let services = context.catalog.entries.map { ListedService($0, in: context) }
            let lines =
                if schema { [try schemaText] } else {
                    switch format {
                    case .text: services.flatMap(\.lines)
                    case .json: services.map(\.json).lines
                    }
                }
            try context.terminal.results(lines)
        }

        private var schemaText: String {
            get throws {
                let text = try Resources.text(of: "\(names.first ?? SchemaName.output.rawValue).schema.json")
                return text.hasSuffix("\n") ? String(text.dropLast()) : text
            }
        }
    }
}

enum SchemaName: String, CaseIterable { case output, sources }

enum ServicesFormat: String, ExpressibleByArgument, CaseIterable { case text, json }

/// A service as users are told of it. A key itself is never told.
private struct ListedService {
    let entry: ServiceEntry
    let reason: String?
    let keyHolder: String?

    init(_ entry: ServiceEntry, in context: Context) {
        self.entry = entry
        let usual = UsualService(context)
        reason = entry.name == usual.name ? usual.reason : nil
        if let variable = entry.keyVariable, context.environment[variable]?.isEmpty == false {
            keyHolder = variable
        } else {
            keyHolder = context.configuration.keys[entry.name].map { _ in "the configuration file" }
        }
    }

    var lines: [String] {
        var lines = [
            entry.name + (reason.map { "  (\($0))" } ?? ""), "    \(entry.summary)",
            "    Feeds: \(entry.feeds.joined(separator: ", "))",
        ]
        if entry.keyVariable == nil, let keyHolder { lines.append("    Its key is set in \(keyHolder).") }
        if let variable = entry.keyVariable, let use = entry.keyUse {
            let state =
                switch keyHolder {
                case variable?: "\(variable) is set."
                case .some(let holder): "It is set in \(holder)."
                case nil: "\(variable) is not set."
                }
            lines.append("    Takes \(use). \(state)")
        }
        return lines
    }

    var json: JSONValue {
        let key = entry.keyVariable.map { variable in
            JSONValue.members([
                "variable": .string(variable), "use": .string(entry.keyUse ?? ""),
                "set": .bool(keyHolder != nil),
            ])
        }
        return .members([
            "name": .string(entry.name), "summary": .string(entry.summary),
            "default": .bool(reason != nil), "feeds": .array(entry.feeds.map(JSONValue.string)),
            "rankings": .array(entry.rankings.map(JSONValue.string)), "key": key ?? .null,
        ])
    }
}

extension UsualService {
    fileprivate var reason: String {
        switch origin {
        case .environment: "the default, set by GALLERY_SERVICE"
        case .configuration: "the default, set in the configuration file"
        case .standard: "the default"
        }
    }
}
