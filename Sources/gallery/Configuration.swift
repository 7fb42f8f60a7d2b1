import Foundation
import GalleryCore

/// The user's settings, `config.json`, with defaults for what it leaves out. The environment and the command line
/// override them.
struct Configuration: Sendable, Equatable {
    /// The service where none is named; `nil` for the built-in default.
    private(set) var service: String?
    /// The folder that `fetch` writes to, with `~` expanded.
    private(set) var directory = "."
    /// How files are named.
    private(set) var name: NameTemplate?
    /// Files at once.
    private(set) var jobs = 6
    /// Keys and sessions by service name.
    private(set) var keys: [String: Secret] = [:]
    /// Where the APIs of services are, by service name, if not at their official addresses.
    private(set) var baseURLs: [String: URL] = [:]
    /// Services beside those that are known. Their keys are in ``keys``, their addresses in ``baseURLs``.
    private(set) var services: [ConfiguredService] = []
    /// The folder of the service `folder`, with `~` expanded; `nil` for the current one.
    private(set) var folder: String?
    /// Tags and authors whose photos are left out of every list.
    private(set) var excludedTags: [String] = []
    private(set) var excludedAuthors: [String] = []

    /// Files at once: beyond these, more connections cost more than they gain, and a host may well refuse them.
    static let possibleJobs = 1...64

    private static let known = [
        "service", "directory", "name", "jobs", "keys", "baseURLs", "folder", "services",
        "excludeTags", "excludeAuthors",
    ]

    /// The defaults.
    init() {}

    /// The settings of the file at `url`; the defaults where there is no such file.
    ///
    /// - Parameter warn: Called with a sentence where others can read a key.
    /// - Throws: ``ConfigurationError``, status 78.
    init(contentsOf url: URL, home: URL, warn: (String) -> Void) throws {
        let path = url.path
        guard let data = FileManager.default.contents(atPath: path) else {
            if FileManager.default.fileExists(atPath: path) {
                throw ConfigurationError(path: path, problem: "it could not be read")
            }
            self.init()
            return
        }
        do {
            try self.init(data, home: home)
        } catch let problem as Problem {
            let text = JSONText(data)
            let place =
                text.fault.map { ": \($0.place), \($0.problem)" }
                ?? text.place(of: problem.path).map { " (\($0))" }
            throw ConfigurationError(path: path, problem: problem.text + (place ?? ""))
        }
        let mode = try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        if !keys.isEmpty, let mode, mode & 0o077 != 0 {
            warn("Warning: '\(path)' holds a key and others can read it. Run 'chmod 600' on it.")
        }
    }

    private init(_ data: Data, home: URL) throws {
        guard let values = try? JSONDecoder().decode([String: Value].self, from: data) else {
            throw Problem("it is not a JSON object", at: [])
        }
        if let unknown = values.keys.sorted().first(where: { !Self.known.contains($0) }) {
            throw Problem("it has an unknown setting '\(PlainText.excerpt(unknown))'", at: [unknown])
        }
        try readServices(values["services"])
        service = try values["service"]?.text("service")
        let names = ServiceCatalog.names + services.map(\.name)
        if let service, !names.contains(service) {
            throw Problem(
                "'service' is '\(PlainText.excerpt(service))', not one of \(names.joined(separator: ", "))",
                at: ["service"])
        }
        directory = try values["directory"]?.text("directory").expandingHome(home) ?? directory
        if let template = try values["name"]?.text("name") {
            do { name = try NameTemplate(template) } catch {
                throw Problem("'name' is not a valid template. \(error)", at: ["name"])
            }
        }
        jobs = try values["jobs"]?.number("jobs", in: Self.possibleJobs) ?? jobs
        try readKeys(values["keys"])
        try readAddresses(values["baseURLs"])
        folder = try values["folder"]?.text("folder").expandingHome(home)
        excludedTags = try values["excludeTags"]?.list("excludeTags") ?? []
        excludedAuthors = try values["excludeAuthors"]?.list("excludeAuthors") ?? []
    }

    /// `{"club": {"like": "500px", "baseURL": "https://…/v1", "key": "…"}}`.
    private mutating func readServices(_ value: Value?) throws {
        guard let value else { return }
        for (name, members) in try value.objects("services").sorted(by: { $0.key < $1.key }) {
            let path = ["services", name]
            guard name.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9._-]{0,63}/) != nil,
                !ServiceCatalog.names.contains(name)
            else { throw Problem(path, "is not a new name of letters, digits, '.', '_' and '-'") }
            if let unknown = members.keys.sorted().first(where: { !["like", "baseURL", "key"].contains($0) })
            {
                throw Problem(path + [unknown], "is unknown; known are like, baseURL, key")
            }
            let known = ServiceCatalog.namesWithAPI
            guard let like = members["like"], known.contains(like) else {
                throw Problem(path + ["like"], "is not one of \(known.joined(separator: ", "))")
            }
            baseURLs[name] = try members["baseURL"].map { try Self.address($0, path + ["baseURL"]) }
            keys[name] = members["key"].flatMap { Secret($0) }
            services.append(ConfiguredService(name: name, like: like, base: baseURLs[name]))
        }
    }

    /// Web addresses by the names of services that have an API.
    private mutating func readAddresses(_ value: Value?) throws {
        let known = ServiceCatalog.namesWithAPI
        for (name, text) in try value?.texts("baseURLs") ?? [:] {
            guard known.contains(name) else {
                throw Problem(
                    ["baseURLs", name],
                    "names no service with an API; those are \(known.joined(separator: ", "))")
            }
            baseURLs[name] = try Self.address(text, ["baseURLs", name])
        }
    }

    private mutating func readKeys(_ value: Value?) throws {
        let known = ServiceCatalog.keyVariables.keys.sorted()
        for (name, text) in try value?.texts("keys") ?? [:] {
            guard known.contains(name) else {
                throw Problem(
                    ["keys", name],
                    "names no service that takes a key; those are \(known.joined(separator: ", "))")
            }
            keys[name] = Secret(text)
        }
    }

    private static func address(_ text: String, _ path: [String]) throws -> URL {
        guard let url = WebAddress.url(text) else {
            throw Problem(path, "is not an 'http://' or 'https://' address")
        }
        return url
    }

    /// A value of any type that a setting may have.
    private enum Value: Decodable {
        case text(String)
        case number(Int)
        case list([String])
        case texts([String: String])
        case objects([String: [String: String]])
        case other

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let number = try? container.decode(Int.self) {
                self = .number(number)
            } else if let list = try? container.decode([String].self) {
                self = .list(list)
            } else if let texts = try? container.decode([String: String].self) {
                self = .texts(texts)
            } else if let objects = try? container.decode([String: [String: String]].self) {
                self = .objects(objects)
            } else {
                self = .other
            }
        }

        func text(_ name: String) throws -> String {
            guard case .text(let text) = self, !text.isEmpty else { throw Problem([name], "is not a string") }
            return text
        }

        func list(_ name: String) throws -> [String] {
            guard case .list(let list) = self else { throw Problem([name], "is not a list of strings") }
            return list
        }

        func texts(_ name: String) throws -> [String: String] {
            guard case .texts(let texts) = self else { throw Problem([name], "is not an object of strings") }
            return texts
        }

        func objects(_ name: String) throws -> [String: [String: String]] {
            switch self {
            case .objects(let objects): return objects
            case .texts(let texts) where texts.isEmpty: return [:]
            default: throw Problem([name], "is not an object of objects of strings")
            }
        }

        func number(_ name: String, in range: ClosedRange<Int>) throws -> Int {
            guard case .number(let number) = self, range.contains(number) else {
                throw Problem([name], "is not a number from \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        }
    }

    private struct Problem: Error {
        let text: String
        /// The key that it is about; empty for the whole file.
        let path: [String]

        init(_ text: String, at path: [String]) {
            self.text = text
            self.path = path
        }

        /// The value of a key has a problem.
        init(_ path: [String], _ problem: String) {
            self.init("'\(PlainText.excerpt(path.joined(separator: ".")))' \(problem)", at: path)
        }
    }
}

/// The configuration file cannot be used.
struct ConfigurationError: StatusError {
    let path: String
    let problem: String

    var description: String { "The configuration file '\(path)' cannot be used: \(problem)." }
    var hint: String? {
        #"Settings: {"service": "…", "directory": "…", "name": "…", "jobs": 6, "folder": "…", "excludeTags": ["…"], "excludeAuthors": ["…"], "services": {"club": {"like": "500px", "baseURL": "https://…", "key": "…"}}, "keys": {"500px": "…"}, "baseURLs": {"500px": "https://…"}}"#
    }
    var status: ExitStatus { .configuration }
}
