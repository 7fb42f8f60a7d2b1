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

    /// The name given to a picture.
    public struct Name: Hashable, Sendable {
        /// The path below the target folder, safe on every system, without an extension.
        public let path: String
        /// Whether it can only be this photo's: the template has `{id}`, and neither
        /// the identifier's cleaning nor the limit of length took anything from it.
        public let isUnique: Bool
    }

    private let template: NameTemplate
    /// Whose each name is, both by their hashes, so that the names of a hundred thousand photos take
    /// but a few megabytes. The hashes are keyed anew in every process: nobody can choose two titles that
    /// share one, and where chance does, a photo gets an identifier it could have done without.
    private var owners = HashIndex<Int>()
    private var recorded = HashIndex<Void>()

    /// An assignment that knows of no names yet.
    public init(template: NameTemplate) {
        self.template = template
    }

    /// Takes in what a folder's record says, line by line: whose the file at `path` is, below the target
    /// folder and without its extension. Of two recorded names that are one on some system, the later counts.
    public mutating func record(_ path: String, of owner: Owner) {
        recorded.put((), at: owner.photo.hashValue)
        owners.put(owner.hashValue, at: FileName.collisionKey(path).hashValue)
    }

    /// The names of the next photo's pages. The same picture wished for twice has the same name
    /// twice, unless the template has `{index}`.
    public mutating func names(of photo: Photo, index: Int? = nil, pages: [Int] = [0]) -> [Name] {
        let candidates = Suffixes(photo: photo, template: template).lazy.map { [template] suffix in
            pages.map { page in
                Candidate(
                    template.expansion(for: photo, index: index, page: page, suffix: suffix),
                    owner: Owner(photo: photo.id, page: page))
            }
        }
        let earlier = recorded.contains(photo.id.hashValue) ? candidates.prefix(3).first(where: isOwn) : nil
        guard let chosen = earlier ?? candidates.first(where: isFree) else { return [] }
        for candidate in chosen { owners.put(candidate.owner, at: candidate.key) }
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
        isFree(candidates) && candidates.contains { owners.contains($0.key) }
    }
}

private struct Candidate {
    let expansion: NameTemplate.Expansion
    /// The name's hash and the owner's, as the assignment keeps them.
    let key: Int
    let owner: Int

    init(_ expansion: NameTemplate.Expansion, owner: NameAssignment.Owner) {
        self.expansion = expansion
        key = FileName.collisionKey(expansion.path).hashValue
        self.owner = owner.hashValue
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
