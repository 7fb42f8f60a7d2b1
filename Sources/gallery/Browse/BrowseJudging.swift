import Curation
import Foundation
import GalleryCore
import TerminalPictures

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
            return rate(chosen, letter.wholeNumberValue ?? 0)
        case "u":
            let former = formerRatings
            guard !former.isEmpty else { return say("Nothing was rated yet.") }
            keepRatings(of: former.map(\.photo))
            // Of photos that were rated together, each had its own rating.
            return Dictionary(grouping: former, by: \.stars).sorted { $0.key < $1.key }
                .map { stars, former in give(stars, to: former.map(\.photo)) }
        default: return nil
        }
    }

    private mutating func rate(_ photos: [IndexedPhoto], _ stars: Int) -> [BrowseAction] {
        guard !photos.isEmpty else { return [] }
        keepRatings(of: photos)
        return [give(stars, to: photos)]
    }

    private mutating func keepRatings(of photos: [IndexedPhoto]) {
        formerRatings = photos.map {
            FormerRating(photo: $0, stars: ratings.applied(to: $0.photo).stars ?? 0)
        }
    }

    private mutating func give(_ stars: Int, to photos: [IndexedPhoto]) -> BrowseAction {
        for entry in photos { ratings.rate(entry.photo, stars) }
        let text = stars == 0 ? "No stars" : stars == 1 ? "1 star" : "\(stars) stars"
        let count = photos.count > 1 ? " for \(photos.count) photos" : ""
        notice = Notice(text: "\(text)\(count). u takes it back.")
        return .rate(photos, stars)
    }

    /// Marks go into the list of this name from now on, whose photos are these.
    mutating func mark(into list: MarkListName?, _ photos: [Photo]) {
        marks = Set(photos.map(\.id))
        notice = Notice(text: list.map { "m marks into '\($0)'." } ?? "m marks into the list without a name.")
    }
}

extension BrowseSession {
    func rate(_ entries: [IndexedPhoto], _ stars: Int) async {
        do {
            let failures = try await setup.rater.rate(entries.map(\.photo), stars)
            if let failure = failures.first { tell(failure.error) }
        } catch { tell(error) }
    }

    func choose(list: MarkListName?) async {
        do {
            let photos = try await setup.files.choose(list: list, setup.context.folders)
            model.mark(into: list, photos)
        } catch { tell(error) }
    }
}
