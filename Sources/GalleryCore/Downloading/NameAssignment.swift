/// Gives every picture of a run its own name: two photos never share one.
///
/// A photo gets what the template says. Where another photo has that name already,
/// or one that some system takes for the same, its identifier is added (its service,
/// where the template has the identifier); to all its pages alike, so that works do
/// not mingle.
///
/// The names are the same on every run as far as names can be. A photo's name depends
/// on nothing but the photo, those before it, and what the folder's record says; never
/// on those behind it. What the record says comes first: a name that is another's there
/// stays theirs, whether they are wanted again or not, and a photo keeps the name it has
/// there, even where the plain one has become free. Thus the order in which a feed ranks
/// two photos of one title matters only once: when the first of them is fetched.
public struct NameAssignment: Sendable {
    /// Whose a name is.
    public struct Owner: Hashable, Sendable {
        /// The photo.
        public let photo: PhotoID
        /// The page of it, from 0.
        public let page: Int

        /// A page of a photo.
        public init(photo: PhotoID, page: Int = 0) {
            self.photo = photo
            self.page = page
        }
    }

    /// One picture that is wanted.
    public struct Wish: Hashable, Sendable {
        /// Its photo, with all that is known of it.
        public let photo: Photo
        /// The photo's place in its feed, from 1; `nil` where it has none.
        public let index: Int?
        /// The page of it, from 0.
        public let page: Int

        /// A page of `photo`.
        public init(_ photo: Photo, index: Int? = nil, page: Int = 0) {
            self.photo = photo
            self.index = index
            self.page = page
        }
    }

    /// The name given to a picture.
    public struct Name: Hashable, Sendable {
        /// The path below the target folder, safe on every system, without an extension.
        public let path: String
        /// Whether it can only be this photo's: the template has `{id}`, and neither
        /// the identifier's cleaning nor the limit of length took anything from it.
        public let isUnique: Bool
    }

    private let template: NameTemplate
    private var owners: [String: Owner] = [:]
    private let recorded: Set<PhotoID>

    /// An assignment that begins with what a folder's record says: `taken` names each
    /// file, below the target folder and without its extension, and whose it is.
    public init(template: NameTemplate, taken: [String: Owner] = [:]) {
        self.template = template
        recorded = Set(taken.values.map(\.photo))
        // Sorted: of two recorded names that are one on some system, always the same wins.
        for (path, owner) in taken.sorted(by: { $0.key < $1.key }) {
            owners[FileName.collisionKey(path)] = owner
        }
    }

    /// The names of all wishes of a run, in their order. The same picture wished for
    /// twice has the same name twice, unless the template has `{index}`.
    public static func names(
        for wishes: [Wish], template: NameTemplate, taken: [String: Owner] = [:]
    ) -> [Name] {
        var assignment = NameAssignment(template: template, taken: taken)
        var names: [Name] = []
        var rest = wishes[...]
        while let first = rest.first {
            let pages = rest.prefix { $0.photo.id == first.photo.id && $0.index == first.index }
            names += assignment.names(of: first.photo, index: first.index, pages: pages.map(\.page))
            rest = rest.dropFirst(pages.count)
        }
        return names
    }

    /// The names of the next photo's pages, for a run whose photos come one by one.
    public mutating func names(of photo: Photo, index: Int? = nil, pages: [Int] = [0]) -> [Name] {
        let candidates = Suffixes(photo: photo, template: template).lazy.map { [template] suffix in
            pages.map { page in
                Candidate(
                    template.expansion(for: photo, index: index, page: page, suffix: suffix),
                    owner: Owner(photo: photo.id, page: page))
            }
        }
        let earlier = recorded.contains(photo.id) ? candidates.prefix(3).first(where: isOwn) : nil
        guard let chosen = earlier ?? candidates.first(where: isFree) else { return [] }
        for candidate in chosen { owners[candidate.key] = candidate.owner }
        let isIDPlain = template.hasID && FileName.isPlain(identifier: photo.id.value)
        return chosen.map { candidate in
            let expansion = candidate.expansion
            return Name(path: expansion.path, isUnique: isIDPlain && expansion.isComplete)
        }
    }

    /// Whether no name is another's.
    private func isFree(_ candidates: [Candidate]) -> Bool {
        candidates.allSatisfy { candidate in
            owners[candidate.key].map { $0 == candidate.owner } ?? true
        }
    }

    /// Whether one of the names is this photo's already, and none another's.
    private func isOwn(_ candidates: [Candidate]) -> Bool {
        isFree(candidates) && candidates.contains { owners[$0.key] != nil }
    }
}

private struct Candidate {
    let expansion: NameTemplate.Expansion
    let key: String
    let owner: NameAssignment.Owner

    init(_ expansion: NameTemplate.Expansion, owner: NameAssignment.Owner) {
        self.expansion = expansion
        key = FileName.collisionKey(expansion.path)
        self.owner = owner
    }
}

/// What is added to a name until it is free: nothing, what tells most photos apart,
/// what tells all apart, and numbers for who chose a title to thwart that.
private struct Suffixes: Sequence, IteratorProtocol {
    private let photo: Photo
    private let template: NameTemplate
    private var number = 0

    init(photo: Photo, template: NameTemplate) {
        self.photo = photo
        self.template = template
    }

    mutating func next() -> String? {
        defer { number += 1 }
        if number == 0 { return "" }
        let id = FileName.identifier(photo.id.value)
        let service = NameTemplate.service(of: photo)
        if number == 1 { return template.hasID ? "_\(service)" : "_\(id)" }
        return "_\(service)_\(id)" + (number == 2 ? "" : "_\(number - 1)")
    }
}
