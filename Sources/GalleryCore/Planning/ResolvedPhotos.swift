/// The photos that selections named, in their order and each once, and what could not be had.
package struct ResolvedPhotos: Sendable {
    package var photos: [IndexedPhoto] = []
    /// What was named and is not among the photos.
    package var failures: [Failure] = []
    /// Details that had to be requested on the way, or came with photos on standard input.
    package var details: [PhotoID: PhotoDetail] = [:]
    /// Photos named one by one, which no filter applies to.
    package var named: Set<PhotoID> = []
    /// Photos known since before this process started, whose image addresses may have expired.
    package var remembered: Set<PhotoID> = []

    package init() {}

    /// Something named that could not be had.
    package struct Failure: Sendable {
        /// The index, where it was named by one.
        package let index: Int?
        /// What messages call it, such as `photo 7`.
        package let name: String
        /// The photo, where more is known of it than its place.
        package let photo: Photo?
        package let error: any ActionableError

        package init(index: Int?, name: String, error: any ActionableError) {
            (self.index, self.name, self.error, photo) = (index, name, error, nil)
        }

        package init(_ entry: IndexedPhoto, _ error: any ActionableError) {
            (index, name, photo, self.error) = (entry.index, entry.label, entry.photo, error)
        }

        /// The failure of everything that would have followed, however much that is.
        package static func further(_ error: any ActionableError) -> Failure {
            Failure(index: nil, name: "further photos", error: error)
        }
    }

    package var isEmpty: Bool { photos.isEmpty && failures.isEmpty }

    package mutating func add(_ more: ResolvedPhotos) {
        photos += more.photos
        failures += more.failures
        details.merge(more.details) { first, _ in first }
        named.formUnion(more.named)
        remembered.formUnion(more.remembered)
    }
}

extension IndexedPhoto {
    /// What messages call the photo, such as `photo 7`.
    package var label: String { isPath && index == nil ? shortName : "photo \(shortName)" }

    /// What they call it where they name several.
    package var shortName: String {
        index.map(String.init) ?? PlainText.excerpt(photo.id.value, limit: isPath ? 1024 : 60)
    }

    private var isPath: Bool { photo.id.service == Folder.word && photo.id.value.hasPrefix("/") }
}
