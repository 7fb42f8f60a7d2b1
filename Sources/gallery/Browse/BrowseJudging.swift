import Curation
import GalleryCore
import TerminalPictures

// Rating photos, and choosing the list that they are marked into.

extension BrowseModel {
    /// The stars that a photo has, such as `4/5`; empty for none.
    func stars(of photo: Photo) -> String { ratings.applied(to: photo).stars.map { "\($0)/5" } ?? "" }

    /// Rates the photos that keys act on from 1 to 5, or takes their ratings away with 0.
    mutating func rate(_ stars: Int) -> [BrowseAction] {
        let photos = chosen
        guard !photos.isEmpty else { return [] }
        formerRatings.append(photos.map { ($0, ratings.applied(to: $0.photo).stars ?? 0) })
        let rating = give(stars, to: photos)
        guard advances, mode != .grid || photos.count == 1 else { return [rating] }
        return [rating] + (mode == .grid ? pressInGrid(.right) : [.move(1)])
    }

    /// Brings back what the last rating that still counts has replaced.
    mutating func takeRatingsBack() -> [BrowseAction] {
        guard let former = formerRatings.popLast() else { return say("Nothing was rated yet.") }
        // Of photos that were rated together, each had its own rating.
        return Dictionary(grouping: former, by: \.stars).sorted { $0.key < $1.key }
            .map { stars, former in give(stars, to: former.map(\.photo)) }
    }

    private mutating func give(_ stars: Int, to photos: [IndexedPhoto]) -> BrowseAction {
        for entry in photos { ratings.rate(entry.photo, stars) }
        let text = stars == 0 ? "No stars" : stars == 1 ? "1 star" : "\(stars) stars"
        let other = photos.first.flatMap { $0.photo.id == photo?.photo.id ? nil : $0.photo.shownTitle }
        let title = other.map { " for '\(PlainText.excerpt($0))'" } ?? ""
        let count = photos.count > 1 ? " for \(photos.count) photos" : title
        let back = formerRatings.isEmpty ? "" : " u takes it back."
        notice = Notice(text: "\(text)\(count).\(back)")
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
