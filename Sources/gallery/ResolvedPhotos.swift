import Foundation
import GalleryCore

/// What became of selections, or of a part of them: photos in the order they were named, each once, and what
/// could not be had.
struct ResolvedPhotos: Sendable {
    var photos: [IndexedPhoto] = []
    var failures: [Failure] = []
    /// Details that had to be asked for on the way.
    var details: [PhotoID: PhotoDetail] = [:]
    /// Photos named by themselves, which no filter applies to.
    var named: Set<PhotoID> = []

    /// Something named that is not among the photos.
    struct Failure {
        /// The index, where it was one.
        let index: Int?
        /// How it was named, such as `photo 7`.
        let name: String
        let error: any ActionableError

        /// What was to come behind what has come, nobody knows how much.
        static func further(_ error: any ActionableError) -> Failure {
            Failure(index: nil, name: "further photos", error: error)
        }
    }

    var isEmpty: Bool { photos.isEmpty && failures.isEmpty }

    /// Adds what came later.
    mutating func add(_ more: ResolvedPhotos) {
        photos += more.photos
        failures += more.failures
        details.merge(more.details) { first, _ in first }
        named.formUnion(more.named)
    }
}

extension IndexedPhoto {
    /// What messages call the photo.
    var label: String { index.map { "photo \($0)" } ?? "photo \(PlainText.excerpt(photo.id.value))" }
}

/// The feed ends before that index.
struct NoSuchIndex: StatusError {
    let name: String
    let service: String
    let feed: String
    let total: Int?

    var description: String {
        let size = total.map { "it has \($0) \($0 == 1 ? "photo" : "photos")" } ?? "it ends before"
        let verb = name.hasPrefix("photos ") ? "are" : "is"
        return "There \(verb) no \(name) in the feed '\(feed)' of \(service): \(size)."
    }
    var hint: String? { nil }
    var status: ExitStatus { .missing }
}

extension ServiceCatalog {
    /// The photo whose page that is.
    ///
    /// - Throws: a usage error where it is none of a service we know.
    func knownPhoto(atPage page: URL) throws -> PhotoID {
        guard let id = photo(atPage: page) else {
            throw UnknownPage(page: PlainText.excerpt(page.absoluteString, limit: 120))
        }
        return id
    }
}

/// An address that is no photo's page.
private struct UnknownPage: StatusError {
    let page: String
    var description: String { "'\(page)' is not a photo's page on a known service." }
    var hint: String? { "Services: \(ServiceCatalog.names.joined(separator: ", "))." }
    var status: ExitStatus { .usage }
}
