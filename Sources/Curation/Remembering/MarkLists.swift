import Foundation
import GalleryCore

/// The lists of marked photos on this machine, one without a name and any others, each there as long as it has photos.
package struct MarkLists: Sendable {
    private let folder: URL

    private static let ending = ".jsonl"

    /// The lists in the state folder at `folder`, which need not exist.
    package init(in folder: URL) { self.folder = folder }

    package func store(_ name: MarkListName?) -> MarkStore {
        let file = name.map { named.appending(path: $0.description + Self.ending) }
        return MarkStore(file: file ?? folder.appending(path: "marks.jsonl"))
    }

    /// The names of the lists that have one, in the order of the alphabet. Blocks briefly.
    package var names: [MarkListName] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: named.path)) ?? []
        return files.filter { $0.hasSuffix(Self.ending) }
            .compactMap { MarkListName(String($0.dropLast(Self.ending.count))) }
            .sorted { $0.description.folded < $1.description.folded }
    }

    /// Throws ``MarkListError`` if there is no list called `name`, or ``PrivateFileError``.
    package func marks(of name: MarkListName?) async throws -> MarkStore.Marks {
        if let name {
            let names = await namesOnDisk()
            guard names.contains(name) else { throw MarkListError(name: name, known: names) }
        }
        return try await store(name).marks()
    }

    /// The photos that are in any list; those of a list that cannot be read are left out.
    package func marked() async -> Set<PhotoID> {
        var marked: Set<PhotoID> = []
        for name in [nil] + (await namesOnDisk()) {
            let marks = try? await store(name).marks()
            marked.formUnion(marks?.photos.map(\.id) ?? [])
        }
        return marked
    }

    /// A name that no list has yet: `base`, or else `base-2`, `base-3` …
    package func freeName(like base: String) async -> String {
        let names = Set(await namesOnDisk().map(\.description))
        var (name, number) = (base, 2)
        while names.contains(name) { (name, number) = ("\(base)-\(number)", number + 1) }
        return name
    }

    package func put(_ photos: [Photo], first name: MarkListName) async throws(PrivateFileError) {
        try await store(name).unmark(photos.map(\.lastingID))
        // The first of a list is the newest.
        try await store(name).mark(photos.reversed())
    }

    private func namesOnDisk() async -> [MarkListName] { await Disk.run { () -> [MarkListName] in names } }

    private var named: URL { folder.appending(path: "marks") }
}

/// There is no list of marked photos called `name`, but those that are `known`.
package struct MarkListError: ActionableError, Hashable {
    let name: MarkListName
    let known: [MarkListName]

    package var description: String { "There is no list '\(name)'." }

    package var hint: String? {
        let words = known.map(\.description)
        if let nearest = name.description.nearest(among: words) { return "Did you mean '\(nearest)'?" }
        return words.isEmpty ? "Mark photos into it first." : "Lists: \(words.joined(separator: ", "))."
    }
}
