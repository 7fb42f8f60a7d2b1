import Arguments
import Foundation
import GalleryCore
import TerminalPictures

extension Gallery {
    struct Config: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            "config", "Show and change settings.",
            subcommands: [Path.self, List.self, Get.self, Set.self, Unset.self, Edit.self])
    }
}

extension Gallery.Config {
    fileprivate static let names = CompletionKind.list(
        SettingName.known(keys: ServiceCatalog.keyVariables.keys.sorted(), bases: ServiceCatalog.namesWithAPI)
            .map(\.description))

    struct Path: ContextCommand {
        static let configuration = CommandConfiguration(abstract: "Print the configuration file's path.")

        static var configurationUse: ConfigurationUse { .mending }

        func run(in context: Context) throws {
            try context.terminal.results([context.folders.configurationFile.path])
        }
    }

    struct List: ContextCommand {
        static let configuration = CommandConfiguration(
            "config list", "List settings, their values, and where those come from.")

        @Option(help: "Output format for the list of settings.")
        var format = SettingsFormat.table

        func run(in context: Context) async throws {
            let values = try SettingValues(context)
            switch format {
            case .table:
                let table = SettingsTable(values.rows, columns: context.abilities.columns)
                try context.terminal.results(table.lines)
            case .json: try context.terminal.results(values.rows.map(\.json).lines)
            }
        }
    }

    struct Get: ContextCommand {
        static let configuration = CommandConfiguration("config get", "Print a setting's value.")

        @Argument(
            help: "Name of the setting, such as 'jobs' or 'baseURLs.500px'.", completion: Gallery.Config.names
        )
        var name: String

        func run(in context: Context) async throws {
            let name = try SettingName(checking: name, in: context.configuration)
            let rows = try SettingValues(context)[name].filter { $0.origin != nil }
            guard !rows.isEmpty else {
                throw CommandFault(.missing, "'\(PlainText.excerpt("\(name)"))' is not set.")
            }
            try context.terminal.results(rows.flatMap { $0.lines(isAlone: !name.isGroup) })
        }
    }

    struct Set: ContextCommand {
        static let configuration = CommandConfiguration(
            "config set", "Change a setting in the configuration file.")

        @Argument(
            help: "Name of the setting, such as 'jobs' or 'keys.flickr'.", completion: Gallery.Config.names)
        var name: String

        @Argument(help: "Value. A list takes several, or a JSON array.", completion: .file())
        var values: [String] = []

        static var configurationUse: ConfigurationUse { .mending }

        func run(in context: Context) async throws {
            let name = try SettingName(checking: name, in: context.configuration, isNew: true)
            guard !name.isSecret || values.isEmpty else { throw CommandFault.keyOnTheLine }
            let value =
                name.isSecret
                ? .string(try await name.secret(from: context.input)) : try name.value(of: values)
            let problem = try ConfigurationFile(context.folders).set(name, to: value)
            if let problem { context.terminal.message("Warning: \(PlainText.line(problem.description))") }
            name.tellOfVariable(context)
        }
    }

    struct Unset: ContextCommand {
        static let configuration = CommandConfiguration(
            "config unset", "Remove settings from the configuration file.")

        @Argument(help: "Names of settings.", completion: Gallery.Config.names)
        var names: [String]

        static var configurationUse: ConfigurationUse { .mending }

        func run(in context: Context) async throws {
            let file = ConfigurationFile(context.folders)
            let text = JSONDocument(try file.data() ?? Data())
            // All of them first, so that a wrong one changes nothing. What is in the file can go, whatever it is.
            let names = try names.map { word in
                let written = SettingName(word)
                return text[written.path] != nil
                    ? written : try SettingName(checking: word, in: context.configuration, isNew: true)
            }
            var problem: ConfigurationError?
            for name in names {
                problem = try file.set(name, to: nil)
                name.tellOfVariable(context)
            }
            if let problem { context.terminal.message("Warning: \(PlainText.line(problem.description))") }
        }
    }

    struct Edit: ContextCommand {
        static let configuration = CommandConfiguration("config edit", "Edit the configuration file.")

        static var configurationUse: ConfigurationUse { .mending }

        func run(in context: Context) async throws {
            let file = ConfigurationFile(context.folders)
            try await SettingsEdit(file: file, environment: context.environment).run(context.terminal)
        }
    }
}

enum SettingsFormat: String, ExpressibleByArgument, CaseIterable { case table, json }

extension SettingName {
    /// A name as it was typed; if `isNew`, also of what the file lacks. Throws a usage error with the nearest one.
    init(checking word: String, in configuration: Configuration, isNew: Bool = false) throws {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = SettingName(String(parts[0]))
        if parts.count == 2 {
            if name.isSecret { throw CommandFault.keyOnTheLine }
            throw CommandFault(
                .usage, "'\(PlainText.excerpt("\(name)"))=…' is not a setting.",
                hint: "Put a space in place of '='.")
        }
        let known = Self.known(
            keys: configuration.keyVariables.keys.sorted(), bases: configuration.namesWithBase)
        let isKnown =
            switch name.setting?.kind {
            case .text?, .number?, .list?, .flag?: name.path.count == 1
            case .texts?: name.path.count == 1 || known.contains(name)
            case .services?:
                name.path.count == 1 || name.path.count == 3 && isNew
                    || configuration.services.contains { $0.name == name.path[1] }
            case nil: false
            }
        guard isKnown else { throw name.unknown(known, configuration) }
        self = name
    }

    private func unknown(_ known: [SettingName], _ configuration: Configuration) -> CommandFault {
        let word = "\(self)"
        // What stands after the first name of these is a service's name and then one of few.
        let parts = word.split(separator: ".")
        let services = ([parts.dropFirst().first.map(String.init)] + configuration.services.map(\.name))
            .compactMap(\.self)
        let members = services.flatMap { service in
            Setting.ofService.map { SettingName(path: [Setting.services.name, service, $0.name]) }
        }
        let names = (known + (parts.count > 2 ? members : [])).map(\.description)
        let near =
            names.first { $0.lowercased() == word.lowercased() } ?? word.nearest(among: names)
            ?? word.nearest(among: Setting.all.map(\.name))
        return CommandFault(
            .usage, "There is no setting '\(PlainText.excerpt(word))'.",
            hint: near.map { "Did you mean '\($0)'?" } ?? "'gallery config list' lists them.")
    }

    fileprivate func value(of words: [String]) throws -> JSONValue {
        func fault(_ problem: String, hint: String? = nil) -> CommandFault {
            CommandFault(.usage, "'\(PlainText.excerpt("\(self)"))' \(problem)", hint: hint)
        }
        if isGroup {
            let member = setting?.kind == .services ? "services.club.like" : path[0] + ".500px"
            throw fault("has several values.", hint: "Name one of them, such as '\(member)'.")
        }
        if setting?.kind == .list {
            guard words.count == 1, words[0].hasPrefix("[") else {
                if words.isEmpty {
                    throw fault("needs a value.", hint: "Give its elements, or '[]' for none.")
                }
                return .array(words.map(JSONValue.string))
            }
            guard let list = JSONDocument(Data(words[0].utf8)).root, Setting.Kind.list.fits(list) else {
                throw fault("is not a JSON array of strings.")
            }
            return list.json ?? .null
        }
        guard let word = words.first, !word.isEmpty else {
            throw fault("needs a value.", hint: "To remove it, run 'gallery config unset \(self)'.")
        }
        if words.count > 1 { throw fault("takes one value.", hint: "Quote a value that has spaces.") }
        if setting?.kind == .flag {
            guard let flag = Bool(word) else { throw fault("is neither 'true' nor 'false'.") }
            return .bool(flag)
        }
        guard case .number? = setting?.kind else { return .string(word) }
        guard let number = Int(word) else { throw fault("is not \(setting?.kindText ?? "a number").") }
        return .int(number)
    }

    fileprivate func tellOfVariable(_ context: Context) {
        let variable =
            path[0] == Setting.keys.name && path.count == 2
            ? context.configuration.keyVariables[path[1]] : setting?.variable
        guard let variable, context.environment[variable]?.isEmpty == false else { return }
        context.terminal.message("\(variable) is set, and overrides it.")
    }
}

extension SettingName {
    fileprivate func secret(from input: Int32) async throws -> String {
        let name = PlainText.excerpt("\(self)")
        let typed: String
        if isatty(input) == 1 {
            switch await onThread({ HiddenInput.line("\(name) (what you type is not shown): ") }) {
            case .line(let line)?: typed = line
            case .cancelled?: throw ExitCode(ExitStatus.interrupted.rawValue)
            case nil: throw CommandFault(.inputOutput, "The terminal cannot be read from.")
            }
        } else {
            typed = try await onThread { Result { () throws(CommandFault) in try Self.text(of: input) } }
                .get()
        }
        let text = typed.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else {
            throw CommandFault(
                .usage, "The key is empty; nothing is changed.",
                hint: "To remove it, run 'gallery config unset \(name)'.")
        }
        let isOdd = text.unicodeScalars.contains { PlainText.isHidden($0) || $0.properties.isWhitespace }
        guard text.utf8.count <= HiddenInput.limit, !isOdd else {
            throw CommandFault(
                .usage, "That is no key: it has spaces or control characters, or is too long.",
                hint: "Nothing is changed. Give the key alone, on one line.")
        }
        return text
    }

    private static func text(of input: Int32) throws(CommandFault) -> String {
        var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: HiddenInput.limit))
        do throws(SystemCall.Failure) {
            while bytes.count <= HiddenInput.limit,
                case let count = try SystemCall.check({ read(input, &buffer, buffer.count) }), count > 0
            {
                bytes += buffer.prefix(count)
            }
        } catch {
            throw CommandFault(.inputOutput, "Standard input could not be read: \(error.reason).")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
