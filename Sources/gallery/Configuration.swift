import Foundation
import GalleryCore

/// The user's settings, `config.json`, with defaults for the rest; environment and command line override them.
struct Configuration: Sendable, Equatable {
    private(set) var service: String?
    /// The folder that `fetch` writes to, with `~` expanded.
    private(set) var directory = "."
    private(set) var name: NameTemplate?
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
    /// Who answers for this program's requests; `nil` for no one.
    private(set) var contact: Contact?
    /// Tags and authors whose photos are left out of every list.
    private(set) var excludedTags: [String] = []
    private(set) var excludedAuthors: [String] = []
    private(set) var writesRatings = false

    /// Files at once: beyond these, more connections cost more than they gain, and a host may refuse them.
    static let possibleJobs = 1...64

    init() {}

    /// The settings of the file at `url`; the defaults where there is none. Calls `warn` where others can read a key.
    init(contentsOf url: URL, home: URL, warn: (String) -> Void) throws {
        let path = url.path
        guard let data = try ConfigurationFile.data(at: path) else {
            self.init()
            sources = try Self.sources(beside: url)
            return
        }
        try self.init(data, at: url, home: home)
        let mode = try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        if !keys.isEmpty, let mode, mode & 0o077 != 0 {
            warn("Warning: '\(path)' holds a key and others can read it. Run 'chmod 600' on it.")
        }
    }

    /// The settings of `data`, which is or may become the file at `url`.
    init(_ data: Data, at url: URL, home: URL) throws {
        let sources = try Self.sources(beside: url)
        let document = JSONDocument(data)
        do {
            try self.init(document.root, home: home, sources)
        } catch let problem as Problem {
            let place =
                document.fault.map { ": \($0.place), \($0.problem)" }
                ?? document[problem.path]?.place.map { " (\($0))" }
            throw ConfigurationError(
                path: url.path, problem: problem.text, place: place ?? "", key: problem.path,
                near: problem.near)
        }
    }

    /// The services that take a key, by name, and the environment variables that hold those.
    var keyVariables: [String: String] {
        sources.reduce(into: ServiceCatalog.keyVariables) { $0[$1.name] = $1.keyVariable }
    }

    var namesWithBase: [String] { ServiceCatalog.namesWithAPI + sources.map(\.name) }

    private static func sources(beside url: URL) throws -> [SourceDefinition] {
        try SourceDefinition.all(in: url.deletingLastPathComponent().appending(path: "sources"))
    }

    private init(_ root: JSONNode?, home: URL, _ sources: [SourceDefinition]) throws {
        self.sources = sources
        guard let root, root.isObject else { throw Problem("it is not a JSON object", at: []) }
        try Self.check(root)
        func text(_ setting: Setting) -> String? { root.member(setting.name)?.string }
        func texts(_ setting: Setting) -> [String] {
            root.member(setting.name)?.elements?.compactMap(\.string) ?? []
        }
        for member in root.member(Setting.services.name)?.members ?? [] { try add(member) }
        service = text(.service)
        let added = sources.map(\.name) + self.services.map(\.name)
        if let service, ServiceCatalog.entry(named: service) == nil, !added.contains(service) {
            let names = ServiceCatalog.names + added
            throw Problem(
                "'service' is '\(PlainText.excerpt(service))', not one of \(names.joined(separator: ", "))",
                at: ["service"], near: service.nearest(among: names))
        }
        directory = text(.directory)?.expandingHome(home) ?? directory
        name = try text(.template).map { text in
            do { return try NameTemplate(text) } catch {
                throw Problem("'name' is not a valid template. \(error)", at: ["name"])
            }
        }
        jobs = root.member(Setting.jobs.name)?.whole ?? jobs
        let catalog = ServiceCatalog(keys: [:], sources: sources)
        for (name, key) in try root.texts(
            of: .keys, "that takes a key", in: catalog, where: { $0.keyVariable != nil })
        {
            keys[name] = Secret(key)
        }
        for (name, address) in try root.texts(
            of: .baseURLs, "with an API", in: catalog, where: { catalog.hasAPI($0.name) })
        {
            baseURLs[name] = try Self.address(address, ["baseURLs", name])
        }
        folder = text(.folder)?.expandingHome(home)
        contact = try text(.contact).map { text in
            guard let contact = Contact(text) else {
                throw Problem(["contact"], "is neither a mail address nor a web address")
            }
            return contact
        }
        excludedTags = texts(.excludeTags)
        excludedAuthors = texts(.excludeAuthors)
        writesRatings = root.member(Setting.writeRatings.name)?.bool ?? false
    }

    private static func check(_ root: JSONNode) throws {
        for member in root.members {
            let name = member.key?.string ?? ""
            guard let setting = Setting.all.first(where: { $0.name == name }) else {
                throw Problem(
                    "it has an unknown setting '\(PlainText.excerpt(name))'", at: [name],
                    near: name.nearest(among: Setting.all.map(\.name)))
            }
            if !setting.kind.fits(member) { throw Problem([name], "is not \(setting.kindText)") }
        }
    }

    /// `"club": {"like": "500px", "baseURL": "https://…/v1", "key": "…"}`.
    private mutating func add(_ service: JSONNode) throws {
        let name = service.key?.string ?? ""
        let path = ["services", name]
        guard name.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9._-]{0,63}/) != nil,
            ServiceCatalog(keys: [:], sources: sources).entry(named: name) == nil
        else { throw Problem(path, "is not a new name of letters, digits, '.', '_' and '-'") }
        let ofService = Setting.ofService.map(\.name)
        if let unknown = service.members.compactMap(\.key?.string).first(where: { !ofService.contains($0) }) {
            throw Problem(
                path + [unknown], "is unknown; known are \(ofService.joined(separator: ", "))",
                near: unknown.nearest(among: ofService))
        }
        guard let like = service["like"]?.string, ServiceCatalog().hasAPI(like) else {
            let known = ServiceCatalog.namesWithAPI.joined(separator: ", ")
            throw Problem(path + ["like"], "is not one of \(known)")
        }
        baseURLs[name] = try service["baseURL"]?.string.map { try Self.address($0, path + ["baseURL"]) }
        keys[name] = service["key"]?.string.flatMap { Secret($0) }
        services.append(ConfiguredService(name: name, like: like, base: baseURLs[name]))
    }

    private static func address(_ text: String, _ path: [String]) throws -> URL {
        guard let url = WebAddress.url(text) else {
            throw Problem(path, "is not an 'http://' or 'https://' address")
        }
        return url
    }

    fileprivate struct Problem: Error {
        let text: String
        /// The key that it is about; empty for the whole file.
        let path: [String]
        let near: String?

        init(_ text: String, at path: [String], near: String? = nil) {
            (self.text, self.path, self.near) = (text, path, near)
        }

        init(_ path: [String], _ problem: String, near: String? = nil) {
            self.init("'\(PlainText.excerpt(path.joined(separator: ".")))' \(problem)", at: path, near: near)
        }
    }
}

extension JSONNode {
    /// Texts by the names of services, each one of those that `fit`.
    fileprivate func texts(
        of setting: Setting, _ purpose: String, in catalog: ServiceCatalog, where fit: (ServiceEntry) -> Bool
    ) throws -> [(service: String, text: String)] {
        try (member(setting.name)?.members ?? []).map { member in
            let service = member.key?.string ?? ""
            guard catalog.entry(named: service).map(fit) == true else {
                let known = catalog.entries.filter(fit).map(\.name)
                throw Configuration.Problem(
                    [setting.name, service],
                    "names no service \(purpose); those are \(known.joined(separator: ", "))",
                    near: service.nearest(among: known))
            }
            return (service, member.string ?? "")
        }
    }
}

struct ConfigurationError: StatusError {
    let path: String
    let problem: String
    /// Where in the file, to be put after the problem.
    var place = ""
    /// The keys that lead to it; empty for the whole file.
    var key: [String] = []
    /// The name that was probably meant; `nil` if none is close.
    var near: String?

    var description: String {
        "The configuration file '\(path)' cannot be used: \(problem.withoutPeriod)\(place)."
    }
    var hint: String? { (near.map { "Did you mean '\($0)'? " } ?? "") + "Settings: \(Setting.example)" }
    var status: ExitStatus { .configuration }
}
