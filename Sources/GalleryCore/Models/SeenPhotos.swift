/// Which photos have been met, as 64-bit hashes, keyed anew in every process: nobody can choose two identifiers that
/// share one, and by chance two of a million photos do so once in thirty million runs.
package struct SeenPhotos: Sendable {
    private var hashes: Set<Int> = []

    package init() {}

    /// Whether the photo is met for the first time; from now on it is not.
    package mutating func isNew(_ id: PhotoID) -> Bool { hashes.insert(id.hashValue).inserted }
    package mutating func insert(_ id: PhotoID) { hashes.insert(id.hashValue) }
    package func contains(_ id: PhotoID) -> Bool { hashes.contains(id.hashValue) }
}
