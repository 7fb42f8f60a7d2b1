import Basics
import Foundation

/// The configuration file as `gallery config` changes it: a member at a time, with everything else as it is.
struct ConfigurationFile {
    let url: URL
    let home: URL

    init(_ folders: Folders) { (url, home) = (folders.configurationFile, folders.home) }

    /// Where an edit is that is not finished.
    var draft: URL { url.appendingPathExtension("edit") }

    /// What the file at `path` holds; `nil` where there is none.
    static func data(at path: String) throws -> Data? {
        do throws(WholeFile.Failure) {
            return try WholeFile.data(at: path, upTo: WholeFile.settings)
        } catch {
            if error == .missing { return nil }
            throw ConfigurationError(path: path, problem: "it \(error.problem)")
        }
    }

    func data() throws -> Data? { try Self.data(at: url.path) }

    /// Sets a value, or removes it where that is `nil`, and returns what else is wrong with the file. Throws a usage
    /// error where the value cannot be used, and ``ConfigurationError`` where the file is no JSON; it stays then.
    func set(_ name: SettingName, to value: JSONValue?) throws -> ConfigurationError? {
        // Two commands at once are one after the other.
        let lock = try? SystemCall.openFolder(url.deletingLastPathComponent().path)
        if let lock { try? SystemCall.lock(lock, LOCK_EX) }
        defer { withExtendedLifetime(lock) {} }
        let data = try data() ?? Data("{}\n".utf8)
        let text = JSONDocument(data)
        if let fault = text.fault {
            throw error("it is not a JSON object", place: ": \(fault.place), \(fault.problem)")
        }
        let edited: Data
        do {
            guard
                let changed = try value.map({ try text.setting(name.path, to: $0) })
                    ?? text.removing(name.path)
            else { return nil }
            edited = changed
        } catch let fault as JSONDocument.EditFault { throw error(fault, in: text) }
        let problem = problem(with: edited)
        if let problem, concerns(name, problem) || self.problem(with: data) == nil {
            if value != nil, name.path.count == 3, problem.key.last == "like", name.path.last != "like" {
                let like = SettingName(path: Array(name.path.dropLast()) + ["like"])
                throw CommandFault(
                    .usage, "'\(like)' has to be set first.",
                    hint: "Run 'gallery config set \(like) <service>'.")
            }
            throw CommandFault(
                .usage, problem.problem.withoutPeriod + ".",
                hint: problem.near.map { "Did you mean '\($0)'?" })
        }
        if edited != data { try write(edited) }
        return problem
    }

    /// What makes `data` a file that cannot be used; `nil` for nothing.
    func problem(with data: Data) -> ConfigurationError? {
        do {
            _ = try Configuration(data, at: url, home: home)
            return nil
        } catch { return error as? ConfigurationError }
    }

    /// Replaces the file, or the one that it links to, whole or not at all. The user alone can read one with a key.
    func write(_ data: Data) throws {
        let former = try? FileManager.default.attributesOfItem(atPath: Replacement.followed(url).path)
        let mode = (former?[.posixPermissions] as? NSNumber)?.uint16Value ?? 0o600
        try PrivateFile.replace(url, with: data, mode: mode_t(holdsKey(data) ? mode & 0o700 : mode))
    }

    private func holdsKey(_ data: Data) -> Bool {
        let root = JSONDocument(data).root
        return root?.member(Setting.keys.name)?.members.isEmpty == false
            || root?.member(Setting.services.name)?.members.contains { $0.member("key") != nil } == true
    }

    /// Whether a problem is with this value, or with one that it is in or that is in it.
    private func concerns(_ name: SettingName, _ problem: ConfigurationError) -> Bool {
        !problem.key.isEmpty && zip(problem.key, name.path).allSatisfy(==)
    }

    private func error(_ fault: JSONDocument.EditFault, in text: JSONDocument) -> ConfigurationError {
        switch fault {
        case .repeated(let path): error("'\(shown(path))' is there twice", place: place(of: path, in: text))
        case .noObject([]): error("it is not a JSON object")
        case .noObject(let path): error("'\(shown(path))' is no object", place: place(of: path, in: text))
        }
    }

    private func shown(_ path: [String]) -> String { PlainText.excerpt(path.joined(separator: ".")) }

    private func place(of path: [String], in text: JSONDocument) -> String {
        text[path]?.place.map { " (\($0))" } ?? ""
    }

    private func error(_ problem: String, place: String = "") -> ConfigurationError {
        ConfigurationError(path: url.path, problem: problem, place: place)
    }
}

/// The values that hold, and where they come from.
struct SettingValues {
    enum Origin: Hashable {
        case standard, file
        case environment(variable: String)
    }

    struct Row {
        let name: SettingName
        /// `null` where there is none, and for secrets.
        let value: JSONValue
        /// `nil` where there is no value.
        let origin: Origin?
        let variable: String?
    }

    let rows: [Row]

    init(_ context: Context) throws {
        let text = JSONDocument(try ConfigurationFile(context.folders).data() ?? Data("{}".utf8))
        let variables = context.configuration.keyVariables
        rows = Setting.all.flatMap { setting -> [Row] in
            let written = SettingName(path: [setting.name])
            func names(in object: SettingName) -> [SettingName] {
                (text[object.path]?.members ?? []).map {
                    SettingName(path: object.path + [$0.key?.string ?? ""])
                }
            }
            var names = names(in: written)
            switch setting.kind {
            case .text, .number, .list, .flag: names = [written]
            case .services: names = names.flatMap(names(in:))
            case .texts:
                let taking = setting.name == Setting.keys.name ? variables.keys.sorted() : []
                names += taking.map { SettingName(path: [setting.name, $0]) }.filter { !names.contains($0) }
            }
            return (names.isEmpty ? [written] : names).map { name in
                let isKey = setting.name == Setting.keys.name && name.path.count == 2
                return Row(
                    name, setting, text[name.path],
                    isKey ? variables[name.path[1]] : setting.variable, context.environment)
            }
        }
    }

    /// The row of a name, or those of the names in it.
    subscript(name: SettingName) -> [Row] {
        rows.filter { $0.name.path.starts(with: name.path) && !$0.name.isGroup }
    }
}

extension SettingValues.Row {
    fileprivate init(
        _ name: SettingName, _ setting: Setting, _ written: JSONNode?, _ variable: String?,
        _ environment: [String: String]
    ) {
        let fromEnvironment = variable.flatMap { environment[$0] }.flatMap { $0.isEmpty ? nil : $0 }
        let decoded = name.isGroup ? nil : written?.json
        let value =
            fromEnvironment.map(JSONValue.string) ?? decoded ?? (name.isGroup ? nil : setting.standard)
        self.init(
            name: name, value: name.isSecret ? .null : value ?? .null,
            origin: fromEnvironment != nil
                ? .environment(variable: variable ?? "")
                : decoded != nil ? .file : value != nil ? .standard : nil, variable: variable)
    }
}

extension JSONNode {
    /// A text, a number, true or false, or a list of texts; `nil` of anything else.
    var json: JSONValue? {
        string.map(JSONValue.string) ?? whole.map(JSONValue.int) ?? bool.map(JSONValue.bool)
            ?? (Setting.Kind.list.fits(self) ? elements.map { .array($0.compactMap(\.json)) } : nil)
    }
}
