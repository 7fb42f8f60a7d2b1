import Foundation

package struct SourceFields: Sendable {
    /// The fields that there are, in the order that they are shown.
    package static let names = [
        "id", "row", "title", "author", "username", "authorID", "page", "width", "height", "description",
        "tags",
        "category", "license", "licenseURL", "credit", "published", "taken", "likes", "views", "rating",
        "alt", "adult",
    ]

    /// One file of a photo, or one for each of a list's elements.
    package struct File: Sendable {
        static let names = ["each", "url", "width", "height", "edge", "bytes", "cropped", "use"]

        package var each: SourcePath?
        package let url: SourceExpression
        var width: SourceExpression?
        var height: SourceExpression?
        /// The longer edge, where the file has the photo's shape.
        var edge: Int?
        var bytes: SourceExpression?
        var isCropped = false
        /// `thumbnail` or `full`.
        var use: String?
    }

    /// Between a row's identifier and that of a photo in it.
    static let rowMark: Character = "~"

    package private(set) var values: [String: SourceExpression] = [:]
    package private(set) var files: [File] = []
    /// What addresses are relative to.
    let site: URL

    init(_ reader: DefinitionReader?, over other: SourceFields? = nil, site: URL) throws(DefinitionFault) {
        self.site = site
        values = other?.values ?? [:]
        files = other?.files ?? []
        guard let members = try reader?.members(Self.names + ["files"]) else { return }
        for name in Self.names { if let member = members[name] { values[name] = try member.expression() } }
        guard let list = members["files"] else { return }
        files = try list.elements.map { (element) throws(DefinitionFault) in try File(element) }
    }

    // MARK: - Reading

    /// The photo in `scope`; `known` is its identifier, as asked for, where the reply has none. Throws without any.
    package func photo(
        in scope: SourceScope, service: String, known: PhotoID? = nil
    ) throws(ImportError) -> Photo {
        let id: PhotoID
        do { id = PhotoID(service: service, value: try identifier(in: scope)) } catch {
            guard let known else { throw error }
            id = known
        }
        let author = text("author", scope).map(PlainText.line) ?? ""
        let username = text("username", scope)
        let size = PixelSize(width: int("width", scope), height: int("height", scope))
        let (thumbnail, full, all) = renditions(in: scope, of: size)
        var tags: [String] = []
        for tag in texts("tags", scope) where !tags.contains(tag) { tags.append(tag) }
        let name = author.isEmpty ? username.map(PlainText.line) ?? "" : author
        return Photo(
            id: id, title: text("title", scope) ?? "",
            author: name.isEmpty ? nil : Author(id: value("authorID", scope), name: name, username: username),
            page: address("page", scope), size: size ?? full?.size, thumbnail: thumbnail, full: full,
            renditions: all, likes: int("likes", scope).flatMap { $0 < 0 ? nil : $0 },
            views: int("views", scope).flatMap { $0 < 0 ? nil : $0 },
            rating: value("rating", scope).flatMap { Double($0) }.flatMap {
                (0...100).contains($0) ? $0 : nil
            },
            tags: tags, category: text("category", scope), license: text("license", scope),
            licenseURL: address("licenseURL", scope), attribution: text("credit", scope),
            description: text("description", scope), alt: text("alt", scope), isAdult: isAdult(scope)
        ).dated(
            published: value("published", scope).flatMap(WrittenDate.init(ofService:)),
            taken: value("taken", scope).flatMap(WrittenDate.init(ofService:)))
    }

    /// A photo's identifier, after that of its row where photos are asked for by that.
    func identifier(in scope: SourceScope) throws(ImportError) -> String {
        var id = ""
        for expression in [values["row"], values["id"]].compactMap(\.self) {
            if let part = expression.values(in: scope).first {
                id += id.isEmpty ? part : "\(Self.rowMark)\(part)"
                // In bytes: as long as in any service.
                if id.utf8.count <= 512 { continue }
            }
            throw scope.here.lacks(expression.origin(in: scope))
        }
        return id
    }

    /// What a photo's own reply is asked for by: its row's identifier, where it has one.
    func request(for id: PhotoID) -> String {
        guard values["row"] != nil, let mark = id.value.lastIndex(of: Self.rowMark) else { return id.value }
        return String(id.value[..<mark])
    }

    private func isAdult(_ scope: SourceScope) -> Bool {
        guard let word = value("adult", scope) else { return false }
        return word == "true" || (Double(word) ?? 0) != 0
    }

    func value(_ name: String, _ scope: SourceScope) -> String? { values[name]?.values(in: scope).first }

    /// Without markup; services send `""` for unknown values.
    private func texts(_ name: String, _ scope: SourceScope) -> [String] {
        (values[name]?.values(in: scope) ?? []).map(Markup.plain).filter { !$0.isEmpty }
    }

    private func text(_ name: String, _ scope: SourceScope) -> String? { texts(name, scope).first }
    package func int(_ name: String, _ scope: SourceScope) -> Int? { value(name, scope).flatMap(Self.int) }

    /// A whole number, also where it was sent as `12.0`.
    package static func int(_ text: String) -> Int? {
        Int(text, within: Int.outside)
            ?? Double(text).flatMap { Int(exactly: $0.rounded())?.clamped(to: Int.outside) }
    }

    private func address(_ name: String, _ scope: SourceScope) -> URL? {
        values[name]?.values(in: scope, isAddress: true).first.flatMap(address)
    }

    /// An address on the web, resolved against the site's.
    package func address(_ text: String) -> URL? {
        WebAddress.parsed(text, relativeTo: site).flatMap { WebAddress.url($0.standardized.absoluteString) }
    }

    // MARK: - Files

    private func renditions(
        in scope: SourceScope, of photo: PixelSize?
    ) -> (thumbnail: Rendition?, full: Rendition?, all: [Rendition]) {
        var found: [(file: Rendition, use: String?)] = []
        for file in files {
            for var scope in file.scopes(in: scope) {
                let size = file.size(in: scope, of: photo)
                scope.file = size
                guard let url = file.url.values(in: scope, isAddress: true).first.flatMap(address) else {
                    continue
                }
                let bytes = file.bytes?.values(in: scope).first.flatMap(Self.int).map { Int64($0) }
                found.append(
                    (Rendition(url: url, size: size, bytes: bytes, isCropped: file.isCropped), file.use))
            }
        }
        // Unless the definition says otherwise, the largest is the full one; where a size is unknown, the last.
        let whole = found.filter { !$0.file.isCropped && $0.use != "thumbnail" }.map(\.file)
        let isMeasured = whole.allSatisfy { $0.size != nil }
        let largest = isMeasured ? whole.max { $0.longestEdge < $1.longestEdge } : whole.last
        let small = whole.filter { $0.longestEdge >= 200 }.min { $0.longestEdge < $1.longestEdge }
        let thumbnail =
            found.first { $0.use == "thumbnail" }?.file ?? (isMeasured ? small : nil) ?? found.first?.file
        return (thumbnail, found.last { $0.use == "full" }?.file ?? largest, found.map(\.file))
    }
}

extension Rendition { fileprivate var longestEdge: Int { size?.longestEdge ?? 0 } }

extension SourceFields.File {
    init(_ reader: DefinitionReader) throws(DefinitionFault) {
        guard reader.node.isObject else {
            self.init(url: try reader.expression())
            return
        }
        let members = try reader.members(Self.names)
        guard let address = members["url"] else { throw reader.fault("lacks a 'url'") }
        self.init(url: try address.expression())
        each = try members["each"]?.sourcePath()
        width = try members["width"]?.expression()
        height = try members["height"]?.expression()
        edge = try members["edge"]?.int(from: 1)
        bytes = try members["bytes"]?.expression()
        isCropped = try members["cropped"]?.flag() ?? false
        use = try members["use"]?.text()
        if let word = use, !["thumbnail", "full"].contains(word) {
            throw members["use", default: reader].fault("is '\(word)'", known: ["thumbnail", "full"])
        }
    }

    /// Where its paths begin: at the elements of ``each``, or at the photo.
    package func scopes(in scope: SourceScope) -> [SourceScope] {
        guard let each else { return [scope] }
        return each.nodes(in: scope).flatMap { $0.isList ? $0.items() ?? [] : [$0] }.map(scope.inside)
    }

    /// Its size; one side alone, or ``edge``, is completed from the photo's shape.
    package func size(in scope: SourceScope, of photo: PixelSize?) -> PixelSize? {
        let width = width?.values(in: scope).first.flatMap(SourceFields.int)
        let height = height?.values(in: scope).first.flatMap(SourceFields.int)
        if let edge { return photo?.fitting(longestEdge: edge) }
        if width != nil, height != nil { return PixelSize(width: width, height: height) }
        if let width { return width > 0 ? photo?.fitting(width: width) : nil }
        return height.flatMap { $0 > 0 ? photo?.fitting(height: $0) : nil }
    }
}

extension WrittenDate {
    /// A date in any form that services were seen to write: also HTTP's, and seconds or milliseconds since 1970.
    fileprivate init?(ofService text: String) {
        if let date = WrittenDate(text) {
            self = date
        } else if let date = HTTPDate.parse(text) {
            self.init(date, offset: 0)
        } else if let number = Double(text), (1e8..<1e13).contains(number.magnitude) {
            // Of seconds the largest would be in the year 5138.
            let seconds = number.magnitude < 1e11 ? number : number / 1000
            self.init(Date(timeIntervalSince1970: seconds), offset: 0)
        } else {
            return nil
        }
    }
}
