import Foundation
import GalleryCore

/// A setting of the configuration file. The reader, `gallery config`, help, completion, and errors go by ``all``.
struct Setting: Sendable {
    enum Kind: Hashable, Sendable {
        case text, list, flag
        case number(ClosedRange<Int>)
        /// An object: one text for each service of some.
        case texts
        /// An object: services by name, each an object of texts.
        case services

        func fits(_ value: JSONNode) -> Bool {
            switch self {
            case .text: value.string?.isEmpty == false
            case .list: value.isList && value.elements?.allSatisfy { $0.string != nil } == true
            case .flag: value.bool != nil
            case .number(let range): value.whole.map(range.contains) == true
            case .texts: value.isObject && value.members.allSatisfy { $0.string != nil }
            case .services: value.isObject && value.members.allSatisfy(Self.texts.fits)
            }
        }
    }

    let name: String
    let kind: Kind
    /// What it does, in a sentence.
    let summary: String
    /// What holds where it is left out; `nil` for nothing.
    var standard: JSONValue?
    let example: String
    /// The environment variable that overrides it. Those of keys are in the services' catalog.
    var variable: String?

    private static let usual = Configuration()

    static let service = Setting(
        name: "service", kind: .text, summary: "The service to use if none is named.",
        standard: .string(ServiceCatalog.bundled), example: #""…""#, variable: "GALLERY_SERVICE")
    static let directory = Setting(
        name: "directory", kind: .text, summary: "The folder to download to.",
        standard: .string(usual.directory), example: #""…""#)
    static let template = Setting(
        name: "name", kind: .text, summary: "How downloaded files are named.",
        standard: .string("{id}_{title}"), example: #""…""#)
    static let jobs = Setting(
        name: "jobs", kind: .number(Configuration.possibleJobs), summary: "Files to download at once.",
        standard: .int(usual.jobs), example: "\(usual.jobs)")
    static let folder = Setting(
        name: "folder", kind: .text, summary: "The folder that the service 'folder' lists.",
        standard: .string("."), example: #""…""#)
    static let excludeTags = Setting(
        name: "excludeTags", kind: .list, summary: "Tags whose photos are left out.", standard: .array([]),
        example: #"["…"]"#)
    static let excludeAuthors = Setting(
        name: "excludeAuthors", kind: .list, summary: "Authors whose photos are left out.",
        standard: .array([]), example: #"["…"]"#)
    static let writeRatings = Setting(
        name: "writeRatings", kind: .flag, summary: "Whether ratings are written into XMP files too.",
        standard: .bool(false), example: "false")
    static let contact = Setting(
        name: "contact", kind: .text,
        summary: "A mail address or website, told to every host: who answers for the requests.",
        example: #""…""#)
    static let services = Setting(
        name: "services", kind: .services,
        summary: "Further services: other servers or accounts of those that are known.",
        example: #"{"club": {"like": "500px", "baseURL": "https://…", "key": "…"}}"#)
    static let keys = Setting(
        name: "keys", kind: .texts, summary: "Keys and sessions, by service.", example: #"{"500px": "…"}"#)
    static let baseURLs = Setting(
        name: "baseURLs", kind: .texts, summary: "Where services' APIs are, by service.",
        example: #"{"500px": "https://…"}"#)

    static let all = [
        service, directory, template, jobs, folder, excludeTags, excludeAuthors, writeRatings, contact,
        services, keys, baseURLs,
    ]

    static let ofService = [
        (name: "like", summary: "The service whose API it has."),
        (name: "baseURL", summary: "Where its API is."), (name: "key", summary: "Its key."),
    ]

    static var example: String {
        "{" + all.map { "\"\($0.name)\": \($0.example)" }.joined(separator: ", ") + "}"
    }

    var kindText: String {
        switch kind {
        case .text: "a string"
        case .number(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
        case .list: "a list of strings"
        case .flag: "true or false"
        case .texts: "an object of strings"
        case .services: "an object of objects of strings"
        }
    }
}

/// A value of the configuration file that has a name of its own: `jobs`, `keys.flickr`, `services.club.like`.
struct SettingName: Hashable, Sendable, CustomStringConvertible {
    /// Where it is in the file: the keys of the objects that it is in, and its own.
    let path: [String]

    /// With dots.
    var description: String { path.joined(separator: ".") }

    var setting: Setting? { Setting.all.first { $0.name == path[0] } }

    /// Whether it is a key or a session, which is not shown.
    var isSecret: Bool {
        path.count == 2 && path[0] == Setting.keys.name
            || path.count == 3 && path[0] == Setting.services.name && path[2] == "key"
    }

    /// Whether it is an object of others, and has no value of its own.
    var isGroup: Bool {
        switch setting?.kind {
        case .texts: path.count < 2
        case .services: path.count < 3
        case .text, .number, .list, .flag, nil: false
        }
    }

    var summary: String {
        guard let setting, path.count > 1 else { return setting?.summary ?? "" }
        switch setting.name {
        case Setting.keys.name: return "The key or session for \(path[1])."
        case Setting.baseURLs.name: return "Where the API of \(path[1]) is."
        default: return Setting.ofService.first { $0.name == path.last }?.summary ?? setting.summary
        }
    }

    init(path: [String]) { self.path = path }

    /// Takes a name apart. Names of services may have dots themselves.
    init(_ name: String) {
        let words = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        switch Setting.all.first(where: { $0.name == words[0] })?.kind {
        case .texts? where words.count > 2: path = [words[0], words.dropFirst().joined(separator: ".")]
        case .services? where words.count > 2:
            let isMember = Setting.ofService.contains { $0.name == words.last }
            let service = words.dropFirst().dropLast(isMember ? 1 : 0).joined(separator: ".")
            path = [words[0], service] + (isMember ? [words[words.count - 1]] : [])
        default: path = words
        }
    }

    /// The names that are known without a file: settings, and those of the services that take a key or have an API.
    static func known(keys: [String], bases: [String]) -> [SettingName] {
        Setting.all.flatMap { setting in
            switch setting.name {
            case Setting.keys.name: keys.map { SettingName(path: [setting.name, $0]) }
            case Setting.baseURLs.name: bases.map { SettingName(path: [setting.name, $0]) }
            default: [SettingName(path: [setting.name])]
            }
        }
    }
}
