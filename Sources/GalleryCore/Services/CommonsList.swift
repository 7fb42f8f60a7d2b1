/// A list of Commons that only goes forward: a category's files, or a user's uploads.
struct CommonsList: Sendable {
    /// The API's module, and the letters its parameters begin with.
    let module: String
    let prefix: String
    /// Whose uploads; `nil` for a category.
    let user: String?
    private let parameters: [(String, String)]
    /// What makes a walk's answer small.
    private let little: (String, String)

    /// The members of a category, what joined it last first.
    ///
    /// In this order the API ignores a wish for files alone: the few other pages are slots left out.
    static func category(_ title: String) -> CommonsList {
        CommonsList(
            module: "categorymembers", prefix: "cm", user: nil,
            parameters: [("title", title), ("sort", "timestamp"), ("dir", "descending")],
            little: ("prop", "ids"))
    }

    /// The uploads of a user, newest first.
    static func uploads(by user: String) -> CommonsList {
        let name = user.hasPrefix("User:") ? String(user.dropFirst(5)) : user
        return CommonsList(
            module: "allimages", prefix: "ai", user: name,
            parameters: [("user", name), ("sort", "timestamp"), ("dir", "descending")],
            little: ("prop", "timestamp"))
    }

    /// Whether photos come in the order of their own time, which this module as a generator forgets
    /// within a batch.
    var isInOrderOfUpload: Bool { user != nil }

    /// The cursor's name in an answer to ``places(limit:from:)``.
    var cursor: String { prefix + "continue" }

    /// The cursor's name in an answer to ``generator(limit:from:)``.
    var generatorCursor: String { "g" + cursor }

    /// The query for the files themselves. A cursor serves both kinds of query.
    func generator(limit: Int, from start: String?) -> [(String, String)] {
        let query = parameters.map { ("g" + prefix + $0.0, $0.1) }
        let place = start.map { [(generatorCursor, $0), ("continue", generatorCursor + "||")] } ?? []
        return [("generator", module)] + query + [("g\(prefix)limit", "\(limit)")] + place
    }

    /// The query for the bare places.
    func places(limit: Int, from start: String?) -> [(String, String)] {
        let query = (parameters + [little, ("limit", "\(limit)")]).map { (prefix + $0.0, $0.1) }
        let place = start.map { [(cursor, $0), ("continue", "-||")] } ?? []
        return [("list", module)] + query + place
    }
}
