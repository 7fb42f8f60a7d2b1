/// Assigns a unique file name to each picture of a run.
///
/// A photo gets the name that the template gives. If another photo already has that name, or one that
/// some system treats as the same, the identifier is added (or the service, if the template contains the
/// identifier), to all pages of a work alike; if the photo itself has it in another size, the size.
///
/// Names are as stable as possible from run to run: one depends on the photo, the photos before it, and the folder's
/// manifest, never on later photos. A name recorded there stays with its photo, even if the plain one has become free.
/// So the order of two photos with the same title matters only when the first of them is downloaded.
package struct NameAssignment: Sendable {
    /// The picture that a name belongs to.
    package struct Owner: Hashable, Sendable {
        package let photo: PhotoID
        /// The page of it, from 0.
        package private(set) var page = 0
    }

    package struct Name: Hashable, Sendable {
        /// The path below the destination folder, safe on every system, without an extension.
        package let path: String
        /// Whether it identifies the photo: the template has `{id}`, and the identifier was neither cleaned nor cut.
        package let isUnique: Bool
    }

    private let template: NameTemplate
    private let size: PhotoFileSize
    /// The hash of each name and whose it is: a few megabytes for a hundred thousand photos. Hashes are
    /// seeded per process, so collisions cannot be constructed, and one only adds an identifier to a name.
    private var claims: [Int: Claim] = [:]
    private var recorded: Set<Int> = []
    /// The hashes of recorded names that have no joiners, as none had once.
    private var bare: Set<Int> = []
    /// The recorded names of folders' pictures by the hashes of their claims: the usual template was another once.
    private var former: [Int: String] = [:]

    /// The hashes of a name's owner and of the size of its file.
    fileprivate struct Claim: Hashable {
        let owner: Int
        let size: Int
    }

    package init(template: NameTemplate, size: PhotoFileSize = .full) {
        (self.template, self.size) = (template, size)
    }

    /// Adds the name `path`, below a folder and without its extension `ending`, from the folder's manifest; of two
    /// names that are equal on some system the later counts.
    package mutating func record(
        _ path: String, ending: String = "", of owner: Owner, size: PhotoFileSize = .full
    ) {
        let key = FileName.collisionKey(path).hashValue
        let claim = Claim(owner: owner.hashValue, size: size.hashValue)
        if owner.photo.service == Folder.word {
            claims[FileName.collisionKey(path + "." + ending).hashValue] = claim
            former[claim.hashValue] = path
        }
        let isPlain = path.utf8.allSatisfy { $0 < 0x80 }
        if !isPlain, FileName.withoutJoiners(path) == path { bare.insert(path.hashValue) }
        recorded.insert(owner.photo.hashValue)
        claims[key] = claim
    }

    /// The names of the next photo's pages; one that comes twice gets the same, unless the template has `{index}`.
    package mutating func names(of photo: Photo, index: Int? = nil, pages: [Int] = [0]) -> [Name] {
        let chosen = chosen(of: photo, index, pages)
        for candidate in chosen { claims[candidate.key] = candidate.claim }
        let template = template.applied(to: photo)
        // A name without its size may be that of any size, but is taken to be the full one.
        let isIDPlain =
            template.hasID && (size == .full || template.hasSize)
            && FileName.isPlain(identifier: photo.id.value)
        return chosen.map { candidate in
            let expansion = candidate.expansion
            let old = FileName.withoutJoiners(expansion.path)
            let isOld = candidate.holder == candidate.claim && bare.contains(old.hashValue)
            return Name(path: isOld ? old : expansion.path, isUnique: isIDPlain && expansion.isComplete)
        }
    }

    /// Whether ``names(of:index:pages:)`` would give names that are recorded as this photo's, all of them.
    package func areRecorded(_ photo: Photo, index: Int? = nil, pages: [Int]) -> Bool {
        recorded.contains(id(of: photo).hashValue)
            && candidates(template, photo, index, pages).prefix(3).contains { names in
                names.allSatisfy { $0.holder == $0.claim }
            }
    }

    /// A function of its own, so that nothing that it made holds the claims when they change: all would be copied.
    private func chosen(of photo: Photo, _ index: Int?, _ pages: [Int]) -> [Candidate] {
        let isRecorded = recorded.contains(id(of: photo).hashValue)
        let candidates = candidates(template, photo, index, pages)
        let earlier = isRecorded ? candidates.prefix(3).first(where: isOwn) : nil
        return earlier ?? formerly(of: photo) ?? candidates.first(where: isFree) ?? []
    }

    /// What the photo is called in the manifest, where earlier versions did not say which folder a picture was of.
    private func id(of photo: Photo) -> PhotoID {
        let lasting = photo.lastingID
        let isNamedAlone = !recorded.contains(lasting.hashValue) && recorded.contains(photo.id.hashValue)
        return isNamedAlone ? photo.id : lasting
    }

    /// The name by which a folder's picture is recorded, where nobody chose another template.
    private func formerly(of photo: Photo) -> [Candidate]? {
        let claim = Claim(owner: Owner(photo: id(of: photo)).hashValue, size: size.hashValue)
        guard template == .standard(for: size), photo.ownFile != nil, let path = former[claim.hashValue]
        else { return nil }
        return [Candidate(.init(path: path, isComplete: true), claim, among: claims)]
    }

    private func candidates(
        _ template: NameTemplate, _ photo: Photo, _ index: Int?, _ pages: [Int]
    ) -> LazyMapSequence<PartialRangeFrom<Int>, [Candidate]> {
        let ending = template.ending(of: photo)
        func named(_ suffix: String) -> [Candidate] {
            pages.map { page in
                let expansion = template.expansion(
                    for: photo, index: index, page: page, size: size, suffix: suffix)
                let owner = Owner(photo: id(of: photo), page: page).hashValue
                let claim = Claim(owner: owner, size: size.hashValue)
                return Candidate(expansion, claim, ending: ending, among: claims)
            }
        }
        let plain = named("")
        let isOfOtherSize = plain.contains { candidate in
            candidate.holder?.owner == candidate.claim.owner && candidate.holder != candidate.claim
        }
        let own = isOfOtherSize ? "_\(size.rawValue)" : ""
        return (0...).lazy.map { number in
            number == 0 && !isOfOtherSize ? plain : named(own + Self.suffix(number, of: photo, template))
        }
    }

    /// The suffixes to try until a name is free: none, one that distinguishes most photos, one that
    /// distinguishes all, and then numbers, in case a title was chosen to collide.
    private static func suffix(_ number: Int, of photo: Photo, _ template: NameTemplate) -> String {
        if number == 0 { return "" }
        let id = FileName.identifier(of: photo.id)
        let (service, template) = (NameTemplate.service(of: photo), template.applied(to: photo))
        if number == 1 { return template.hasID ? "_\(service)" : "_\(id)" }
        return "_\(service)_\(id)" + (number == 2 ? "" : "_\(number - 1)")
    }

    private func isFree(_ candidates: [Candidate]) -> Bool {
        candidates.allSatisfy { $0.holder == nil || $0.holder == $0.claim }
    }

    private func isOwn(_ candidates: [Candidate]) -> Bool {
        isFree(candidates) && candidates.contains { $0.holder != nil }
    }
}

private struct Candidate {
    let expansion: NameTemplate.Expansion
    let key: Int
    let claim: NameAssignment.Claim
    let holder: NameAssignment.Claim?

    init(
        _ expansion: NameTemplate.Expansion, _ claim: NameAssignment.Claim, ending: String = "",
        among claims: [Int: NameAssignment.Claim]
    ) {
        (self.expansion, self.claim) = (expansion, claim)
        key = FileName.collisionKey(expansion.path + ending).hashValue
        holder = claims[key]
    }
}
