import Foundation

/// Whose turn it is among several lists that are made into one: a value. Each list gives one photo in turn, in their
/// order; one that has come to its end is passed over.
struct Turns {
    private struct List {
        var ready: ArraySlice<Photo> = []
        var isOver = false
        var isExhausted: Bool { isOver && ready.isEmpty }
    }

    private var lists: [List]
    private var next = 0

    init(_ count: Int) { lists = Array(repeating: List(), count: count) }

    var areOver: Bool { lists.allSatisfy(\.isExhausted) }

    mutating func add(_ photos: [Photo], to list: Int) { lists[list].ready += photos }

    /// A list has come to its end, but for the photos that were added before.
    mutating func end(_ list: Int) { lists[list].isOver = true }

    /// The next photo; `nil` if the list whose turn it is has to be loaded first, or all are over. A list whose photo
    /// is not wanted gives its next one instead.
    mutating func take(where isWanted: (Photo, _ list: Int) -> Bool) -> Photo? {
        for _ in lists.indices {
            let list = next
            while let photo = lists[list].ready.popFirst() {
                guard isWanted(photo, list) else { continue }
                next = (list + 1) % lists.count
                return photo
            }
            guard lists[list].isOver else { return nil }
            next = (list + 1) % lists.count
        }
        return nil
    }

    /// The lists to load for the next `count` photos, none for more than its next turn.
    func missing(for count: Int) -> [Int] {
        let inTurn = lists.indices.map { (next + $0) % lists.count }.filter { !lists[$0].isExhausted }
        return inTurn.prefix(count).filter { lists[$0].ready.isEmpty }
    }
}

/// The works that a list of several services has had, so that none is there twice.
///
/// Two photos of different services are one work if they have the same page or the same file, or if one's page or
/// file is the other on its own service: Openverse lists files of Commons by their numbers there.
struct KnownWorks {
    private let catalog: ServiceCatalog
    /// The list that had an address first, by the address's hash: hashes are seeded per process.
    private var lists: [Int: Int] = [:]
    private var seen = SeenPhotos()

    init(_ catalog: ServiceCatalog) { self.catalog = catalog }

    /// Whether the photo is met for the first time, in any list; from now on it is not.
    mutating func isNew(_ photo: Photo, of list: Int) -> Bool {
        let addresses = addresses(of: photo).map(\.hashValue)
        let owner = addresses.compactMap { lists[$0] }.first { $0 != list }
        for address in addresses where lists[address] == nil { lists[address] = owner ?? list }
        return seen.isNew(photo.id) && owner == nil
    }

    private func addresses(of photo: Photo) -> [String] {
        let web = [photo.page, photo.full?.url].compactMap(\.self)
        return [photo.id.description] + web.compactMap { catalog.photo(atPage: $0)?.description }
            + web.compactMap(Self.text)
    }

    /// The address without what does not matter; `nil` for a site's own, which is no work's.
    private static func text(_ address: URL) -> String? {
        guard let page = PageAddress(address), !page.path.isEmpty else { return nil }
        let query = page.query.filter { !$0.key.hasPrefix("utm_") }.sorted { $0.key < $1.key }
        return ([page.host] + page.path + query.map { "?\($0.key)=\($0.value)" }).joined(separator: "/")
    }
}
