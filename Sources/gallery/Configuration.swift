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
    /// Services that the files of `sources`, next to the configuration file, describe.
    private(set) var sources: [SourceDefinition] = []
    /// The folder of the service `folder`, with `~` expanded; `nil` for the current one.
    private(set) var folder: String?
    /// Who answers for this program's requests; `nil` for nobody.
    private(set) var contact: Contact?
    /// Tags and authors whose photos are left out of every list.
    private(set) var excludedTags: [String] = []
    private(set) var excludedAuthors: [String] = []

    /// Files at once: beyond these, more connections cost more than they gain, and a host may well refuse them.
    static let possibleJobs = 1...64

    private static let known = [
        "service", "directory", "name", "jobs", "keys", "baseURLs", "folder", "services",
        "excludeTags", "excludeAuthors", "contact",
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
            sources = try Self.sources(beside: url)
            return
        }
        let sources = try Self.sources(beside: url)
        do {
            try self.init(data, home: home, sources)
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

    private static func sources(beside url: URL) throws -> [SourceDefinition] {
        try SourceDefinition.all(in: url.deletingLastPathComponent().appending(path: "sources"))
    }

    private init(_ data: Data, home: URL, _ sources: [SourceDefinition]) throws {
        self.sources = sources
        guard let settings = try? JSONDecoder().decode(Settings.self, from: data).members else {
            throw Problem("it is not a JSON object", at: [])
        }
        /// - Parameter kind: What the setting has to be, such as `a string`.
        func read<Value: Decodable>(_ name: String, _ kind: String) throws -> Value? {
            let key = AnyKey(stringValue: name)
            guard settings.contains(key) else { return nil }
            guard let value = try? settings.decode(Value.self, forKey: key) else {
                throw Problem([name], "is not \(kind)")
            }
            return value
        }
        func text(_ name: String) throws -> String? {
            let text: String? = try read(name, "a string")
            if text?.isEmpty == true { throw Problem([name], "is not a string") }
            return text
        }
        if let unknown = settings.allKeys.map(\.stringValue).sorted().first(where: {
            !Self.known.contains($0)
        }) {
            throw Problem("it has an unknown setting '\(PlainText.excerpt(unknown))'", at: [unknown])
        }
        try add(read("services", "an object of objects of strings") ?? [:])
        service = try text("service")
        let added = sources.map(\.name) + self.services.map(\.name)
        if let service, ServiceCatalog.entry(named: service) == nil, !added.contains(service) {
            let names = ServiceCatalog.names + added
            throw Problem(
                "'service' is '\(PlainText.excerpt(service))', not one of \(names.joined(separator: ", "))",
                at: ["service"])
        }
        directory = try text("directory")?.expandingHome(home) ?? directory
        if let template = try text("name") {
            do { name = try NameTemplate(template) } catch {
                throw Problem("'name' is not a valid template. \(error)", at: ["name"])
            }
        }
        let range = Self.possibleJobs
        let kind = "a number from \(range.lowerBound) to \(range.upperBound)"
        jobs = try read("jobs", kind) ?? jobs
        guard range.contains(jobs) else { throw Problem(["jobs"], "is not \(kind)") }
        /// Texts by the names of services, each one of those that `fit`.
        let catalog = ServiceCatalog(keys: [:], sources: sources)
        func texts(
            _ name: String, _ purpose: String, _ fit: (ServiceEntry) -> Bool
        ) throws -> [String: String] {
            let texts: [String: String] = try read(name, "an object of strings") ?? [:]
            for service in texts.keys where !(catalog.entry(named: service).map(fit) ?? false) {
                let known = catalog.entries.filter(fit).map(\.name).joined(separator: ", ")
                throw Problem([name, service], "names no service \(purpose); those are \(known)")
            }
            return texts
        }
        for (name, key) in try texts("keys", "that takes a key", { $0.keyVariable != nil }) {
            keys[name] = Secret(key)
        }
        for (name, address) in try texts("baseURLs", "with an API", { catalog.hasAPI($0.name) }) {
            baseURLs[name] = try Self.address(address, ["baseURLs", name])
        }
        folder = try text("folder")?.expandingHome(home)
        contact = try text("contact").map { text in
            guard let contact = Contact(text) else {
                throw Problem(["contact"], "is neither a mail address nor a web address")
            }
            return contact
        }
        excludedTags = try read("excludeTags", "a list of strings") ?? []
        excludedAuthors = try read("excludeAuthors", "a list of strings") ?? []
    }

    /// `{"club": {"like": "500px", "baseURL": "https://…/v1", "key": "…"}}`.
    private mutating func add(_ services: [String: [String: String]]) throws {
        for (name, members) in services.sorted(by: { $0.key < $1.key }) {
            let path = ["services", name]
            guard name.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9._-]{0,63}/) != nil,
                ServiceCatalog(keys: [:], sources: sources).entry(named: name) == nil
            else { throw Problem(path, "is not a new name of letters, digits, '.', '_' and '-'") }
            if let unknown = members.keys.sorted().first(where: { !["like", "baseURL", "key"].contains($0) })
            {
                throw Problem(path + [unknown], "is unknown; known are like, baseURL, key")
            }
            guard let like = members["like"], ServiceCatalog().hasAPI(like) else {
                let known = ServiceCatalog.namesWithAPI.joined(separator: ", ")
                throw Problem(path + ["like"], "is not one of \(known)")
            }
            baseURLs[name] = try members["baseURL"].map { try Self.address($0, path + ["baseURL"]) }
            keys[name] = members["key"].flatMap { Secret($0) }
            self.services.append(ConfiguredService(name: name, like: like, base: baseURLs[name]))
        }
    }

    private static func address(_ text: String, _ path: [String]) throws -> URL {
        guard let url = WebAddress.url(text) else {
            throw Problem(path, "is not an 'http://' or 'https://' address")
        }
        return url
    }

    /// The file's object, of which each member is decoded as what it has to be.
    private struct Settings: Decodable {
        let members: KeyedDecodingContainer<AnyKey>

        init(from decoder: any Decoder) throws { members = try decoder.container(keyedBy: AnyKey.self) }
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
        #"Settings: {"service": "…", "directory": "…", "name": "…", "jobs": 6, "folder": "…", "excludeTags": ["…"], "excludeAuthors": ["…"], "contact": "…", "services": {"club": {"like": "500px", "baseURL": "https://…", "key": "…"}}, "keys": {"500px": "…"}, "baseURLs": {"500px": "https://…"}}"#
    }
    var status: ExitStatus { .configuration }
}
