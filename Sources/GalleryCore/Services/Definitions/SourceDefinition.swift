import Foundation

/// A service described by data: what to ask, and where in the replies photos are. The whole language is in the manual,
/// `gallery.docc/Sources.md`, and in `sources.schema.json`.
package struct SourceDefinition: Sendable, Equatable {
    static let names = [
        "summary", "base", "site", "headers", "key", "interval", "burst", "feeds", "rankings",
        "adultRankings", "pageSize", "firstPage", "limit", "items", "photos", "total", "lastPage", "next",
        "error", "photo", "detail", "pages",
    ]

    static let feedNames = ["popular", "search", "user"]
    static let keyNames = ["query", "header", "prefix"]

    /// When a photo's own reply is asked for.
    enum DetailUse: String, CaseIterable {
        /// Where its list lacks the file, or where only its identifier is known.
        case unknown
        /// Whenever its details are wanted: it says more than the list.
        case always
        /// With the list, which says too little to show it.
        case list
    }

    /// The second stage.
    package struct Detail: Sendable {
        static let names = ["request", "when", "item", "photo"]

        let request: RequestTemplate
        let use: DetailUse
        let item: SourcePath?
        package let fields: SourceFields
    }

    /// Where the next page's address, cursor, or number is.
    package enum Next: Sendable {
        case value(SourceExpression)
        case linkHeader
    }

    /// The name users type.
    package let name: String
    private let source: Data
    let summary: String
    let base: URL
    let headers: [String: String]
    let key: HTTPRequest.SecretPosition?
    package let policy: ServicePolicy
    package let feeds: [String: RequestTemplate]
    let rankings: [String]
    let adultRankings: [String]
    /// Rows in a reply.
    package let pageSize: Int
    package let firstPage: Int
    let limit: Int
    package let items: SourcePath?
    /// The photos in a row; `nil` where a row is one.
    let photos: SourcePath?
    let total: SourceExpression?
    let lastPage: SourceExpression?
    package let next: Next?
    let error: SourceExpression?
    package let fields: SourceFields
    package let detail: Detail?
    let pages: SourcePages

    /// Reads the file `file`, which holds `data`. The service is named after the file.
    package init(_ data: Data, file: String) throws(DefinitionError) {
        func failure(
            _ problem: String, at place: JSONDocument.Place? = nil, unknown: String? = nil,
            known: [String] = []
        ) -> DefinitionError {
            DefinitionError(
                file: file, problem: problem + (place.map { " (\($0))" } ?? ""), unknown: unknown,
                known: known)
        }
        let document = JSONDocument(data)
        if let fault = document.fault { throw failure(fault.problem, at: fault.place) }
        guard let root = document.root, root.isObject else { throw failure("it is not a JSON object") }
        let name = URL(filePath: file).deletingPathExtension().lastPathComponent
        guard name.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9._-]{0,63}/) != nil else {
            throw failure("its name is not one of letters, digits, '.', '_' and '-'")
        }
        do { try self.init(DefinitionReader(node: root), name: name, source: data) } catch {
            let shown = error.node.path.compactMap(\.key).joined(separator: ".")
            let subject = shown.isEmpty ? "it" : "'\(PlainText.excerpt(shown, limit: 100))'"
            throw failure(
                "\(subject) \(PlainText.line(error.problem))", at: error.node.place,
                unknown: error.known.isEmpty ? nil : error.node.key?.string, known: error.known)
        }
    }

    private init(_ reader: DefinitionReader, name: String, source: Data) throws(DefinitionFault) {
        let members = try reader.members(Self.names)
        func required(_ key: String) throws(DefinitionFault) -> DefinitionReader {
            guard let member = members[key] else { throw reader.fault("lacks '\(key)'") }
            return member
        }
        (self.name, self.source) = (name, source)
        base = try required("base").address()
        let site = try members["site"]?.address() ?? base
        summary = PlainText.line(try members["summary"]?.text() ?? "Photos of \(site.host ?? name).")
        headers = try members["headers"]?.headers() ?? [:]
        key = try members["key"].map { (reader) throws(DefinitionFault) in try Self.keyPosition(reader) }
        policy = try Self.policy(members)
        feeds = try Self.feeds(required("feeds"))
        rankings = try members["rankings"]?.texts() ?? (feeds["popular"] == nil ? [] : ["popular"])
        adultRankings = try members["adultRankings"]?.texts() ?? []
        pageSize = try members["pageSize"]?.int(from: 1, to: 1000) ?? 20
        firstPage = try members["firstPage"]?.int(from: 0) ?? 1
        limit = try members["limit"]?.int(from: 1) ?? .max
        items = try members["items"]?.sourcePath()
        photos = try members["photos"]?.sourcePath()
        total = try members["total"]?.expression()
        lastPage = try members["lastPage"]?.expression()
        next = try members["next"].map { (reader) throws(DefinitionFault) in try Self.next(reader) }
        error = try members["error"]?.expression()
        fields = try SourceFields(try required("photo"), site: site)
        guard fields.values["id"] != nil else { throw try required("photo").fault("lacks 'id'") }
        detail = try members["detail"].map { [fields] (reader) throws(DefinitionFault) in
            try Self.detail(reader, over: fields, site: site)
        }
        guard !fields.files.isEmpty || detail?.fields.files.isEmpty == false else {
            throw try required("photo").fault("lacks 'files', and so does 'detail'")
        }
        pages = try SourcePages(members["pages"])
    }

    private static func keyPosition(
        _ reader: DefinitionReader
    ) throws(DefinitionFault) -> HTTPRequest.SecretPosition {
        let members = try reader.members(keyNames)
        if let query = members["query"], members.count == 1 { return .query(name: try query.text()) }
        guard let header = members["header"], members["query"] == nil else {
            throw reader.fault("needs either 'query' or 'header'")
        }
        return .header(
            name: try header.headerName(try header.text()), prefix: try members["prefix"]?.text() ?? "")
    }

    private static func next(_ reader: DefinitionReader) throws(DefinitionFault) -> Next {
        guard let header = reader.node.member("header") else { return .value(try reader.expression()) }
        guard reader.node.members.count == 1, header.string == "Link" else {
            throw reader.fault(#"is not {"header": "Link"}"#)
        }
        return .linkHeader
    }

    private static func policy(_ members: [String: DefinitionReader]) throws(DefinitionFault) -> ServicePolicy
    {
        let interval = try members["interval"]?.number(from: 0)
        let burst = try members["burst"]?.int(from: 1) ?? 1
        return ServicePolicy(
            lists: .seconds(600), details: .seconds(3600), interval: interval.map { .seconds($0) },
            burst: burst, requestsAtOnce: 4)
    }

    private static func feeds(_ reader: DefinitionReader) throws(DefinitionFault) -> [String: RequestTemplate]
    {
        var feeds: [String: RequestTemplate] = [:]
        for (name, member) in try reader.members(feedNames) {
            let own = ["popular": ["ranking", "date"], "search": ["query"], "user": ["user"]][name] ?? []
            feeds[name] = try RequestTemplate(member, allowing: ["page", "offset", "size", "cursor"] + own)
        }
        if feeds.isEmpty { throw reader.fault("names no feed") }
        return feeds
    }

    private static func detail(
        _ reader: DefinitionReader, over fields: SourceFields, site: URL
    ) throws(DefinitionFault) -> Detail {
        let members = try reader.members(Detail.names)
        guard let request = members["request"] else { throw reader.fault("lacks a 'request'") }
        var use = DetailUse.unknown
        if let when = members["when"] {
            let word = try when.text()
            guard let named = DetailUse(rawValue: word) else {
                throw when.fault("is '\(word)'", known: DetailUse.allCases.map(\.rawValue))
            }
            use = named
        }
        return Detail(
            request: try RequestTemplate(request, allowing: ["id"]), use: use,
            item: try members["item"]?.sourcePath(),
            fields: try SourceFields(members["photo"], over: fields, site: site))
    }
}

extension SourceDefinition {
    package static func == (one: SourceDefinition, other: SourceDefinition) -> Bool {
        one.name == other.name && one.source == other.source
    }

    /// The definitions that come with the program; none where they are not installed.
    static let bundled: [SourceDefinition] = {
        guard let folder = try? Resources.url(of: "sources") else { return [] }
        return files(in: folder).compactMap { file in
            (try? Data(contentsOf: file)).flatMap { try? SourceDefinition($0, file: file.lastPathComponent) }
        }
    }()

    /// The definitions in a folder, by name; none where there is no such folder.
    package static func all(in folder: URL) throws(DefinitionError) -> [SourceDefinition] {
        var found: [SourceDefinition] = []
        for file in files(in: folder) {
            let data: Data
            do throws(WholeFile.Failure) {
                data = try WholeFile.data(at: file.path, upTo: WholeFile.settings)
            } catch {
                throw DefinitionError(
                    file: file.path, problem: "it \(error.problem)", unknown: nil, known: [])
            }
            let definition = try SourceDefinition(data, file: file.path)
            // In any case of its letters: `Flickr` would take the key of `flickr`.
            let known = ServiceCatalog.names.first { $0.lowercased() == definition.name.lowercased() }
            if let known {
                throw DefinitionError(
                    file: file.path, problem: "there is a service '\(known)' already", unknown: nil,
                    known: [])
            }
            found.append(definition)
        }
        return found
    }

    private static func files(in folder: URL) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.sorted()
            .map { folder.appending(path: $0) }
    }

    /// The environment variable for its key, such as `GALLERY_WALLHAVEN_KEY`.
    package var keyVariable: String? {
        guard key != nil else { return nil }
        let letters = name.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
        return "GALLERY_\(String(letters))_KEY"
    }

    package var entry: ServiceEntry {
        ServiceEntry(
            name: name, summary: summary, feeds: Self.feedNames.filter { feeds[$0] != nil },
            rankings: rankings, hasPastRankings: feeds["popular"]?.has("date") ?? false,
            keyVariable: keyVariable, keyUse: key == nil ? nil : "a key", official: base.absoluteString,
            policy: policy, make: { [self] api, _ in DefinedService(definition: self, api: api) })
    }
}
