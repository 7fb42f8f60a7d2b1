import Curation
import GalleryCore

// Rating photos, and choosing the list that they are marked into.

extension BrowseModel {
    /// The stars that a photo has, such as `4/5`; empty for none.
    func stars(of photo: Photo) -> String { ratings.applied(to: photo).stars.map { "\($0)/5" } ?? "" }

    /// Rates the photos that keys act on from 1 to 5, or takes their ratings away with 0.
    mutating func rate(_ stars: Int) -> [BrowseAction] {
        let photos = chosen
        guard !photos.isEmpty else { return [] }
        keepRatings(of: photos)
        return [give(stars, to: photos)]
    }

    mutating func takeRatingsBack() -> [BrowseAction] {
        let former = formerRatings
        guard !former.isEmpty else { return say("Nothing was rated yet.") }
        keepRatings(of: former.map(\.photo))
        // Of photos that were rated together, each had its own rating.
        return Dictionary(grouping: former, by: \.stars).sorted { $0.key < $1.key }
            .map { stars, former in give(stars, to: former.map(\.photo)) }
    }

    private mutating func keepRatings(of photos: [IndexedPhoto]) {
        formerRatings = photos.map { ($0, ratings.applied(to: $0.photo).stars ?? 0) }
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
