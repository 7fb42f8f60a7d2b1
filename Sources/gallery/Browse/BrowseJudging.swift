import Foundation
import GalleryCore

// Rating photos, and choosing the list that they are marked into.

extension BrowseModel {
    /// The rating before the last one that was given.
    struct FormerRating: Hashable, Sendable {
        let photo: IndexedPhoto
        /// From 0 to 5.
        let stars: Int
    }

    /// The stars that a photo has, such as `4/5`; empty for none.
    func stars(of photo: Photo) -> String { ratings.applied(to: photo).stars.map { "\($0)/5" } ?? "" }

    /// Handles the keys that rate, while they mean nothing else: a photo that is enlarged has some of them.
    mutating func pressRating(_ letter: Character) -> [BrowseAction]? {
        switch letter {
        case "0"..."5" where mode == .grid || !viewport.isZoomed:
            guard let photo, let stars = letter.wholeNumberValue else { return [] }
            return rate(photo, stars)
        case "u":
            guard let former = formerRating else {
                notice = Notice(text: "Nothing was rated yet.")
                return []
            }
            return rate(former.photo, former.stars)
        default: return nil
        }
    }

    private mutating func rate(_ photo: IndexedPhoto, _ stars: Int) -> [BrowseAction] {
        formerRating = FormerRating(photo: photo, stars: ratings.applied(to: photo.photo).stars ?? 0)
        ratings.rate(photo.photo, stars)
        let text = stars == 0 ? "No stars." : stars == 1 ? "1 star." : "\(stars) stars."
        notice = Notice(text: "\(text) u takes it back.")
        return [.rate(photo, stars)]
    }

    /// Marks go into the list of this name from now on, whose photos are these.
    mutating func mark(into list: MarkListName?, _ photos: [Photo]) {
        marks = Set(photos.map(\.id))
        notice = Notice(text: list.map { "m marks into '\($0)'." } ?? "m marks into the list without a name.")
    }
}

extension BrowseSession {
    func rate(_ entry: IndexedPhoto, _ stars: Int) async {
        do {
            let failures = try await setup.rater.rate([entry.photo], stars)
            if let failure = failures.first {
                model.notice = .init(text: failure.error.description, isError: true)
            }
        } catch {
            model.notice = .init(text: "\(error)", isError: true)
        }
    }

    func choose(list: MarkListName?) async {
        do {
            let photos = try await setup.files.choose(list: list, setup.context.folders)
            model.mark(into: list, photos)
        } catch {
            model.notice = .init(text: error.description, isError: true)
        }
    }
}
