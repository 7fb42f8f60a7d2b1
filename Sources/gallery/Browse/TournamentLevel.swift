import Curation
import Foundation
import GalleryCore
import PictureFiles
import TerminalPictures

// The level of a tournament: its photos alone, in the order in which they meet first.

extension Contest {
    /// Those whose files are gone from this machine.
    static func gone(of photos: [Photo]) async -> [PhotoID] {
        await onThread {
            photos.filter { $0.ownFile.map { !FileManager.default.fileExists(atPath: $0.path) } ?? false }
                .map(\.id)
        }
    }
}

extension BrowseFiles {
    /// A tournament over photos, or the one that was left over them, without those that are gone; and what to say then.
    func contest(
        _ key: TournamentStore.Key, over photos: [Photo], _ sketches: [PhotoID: PictureSketch] = [:]
    ) async -> (contest: Contest, notice: String?) {
        // What was chosen last may be on its way there.
        await flush()
        let ids = Contest.order(of: photos, sketches).map(\.id)
        var tournament = await tournaments.tournament(key, over: ids) ?? Tournament(of: ids)
        let known = Dictionary(photos.map { ($0.id, $0) }) { first, _ in first }
        for photo in tournament.present where known[photo] == nil { tournament.remove(photo) }
        let contest = Contest(tournament, key, showing: tournament.present.compactMap { known[$0] })
        let new = Set(ids).subtracting(tournament.photos).count
        guard tournament.choices > 0 || new > 0 else { return (contest, nil) }
        let newcomers = new > 0 ? " \(new) new \(new == 1 ? "photo is" : "photos are") not in it." : ""
        return (contest, "Tournament taken up: \(contest.progress).\(newcomers)")
    }
}

extension BrowseSession {
    /// Begins a tournament, once it is known which of the photos look alike: as far as their thumbnails are there.
    func contend(_ photos: [IndexedPhoto], isSelection: Bool) async {
        guard let level = levels.last?.key else { return }
        let ids = Set(photos.map(\.photo.id))
        let files = model.thumbnails.filter { ids.contains($0.key) }
        guard let reader = painter?.reader, files.count > 1 else {
            return await begin(photos, isSelection: isSelection, on: level, [:])
        }
        handle("Looking for photos that look alike …") { _ in
            await reader.sketches(of: files)
        } take: { model, sketches in
            model.notice = nil
            return [.begin(photos, isSelection: isSelection, on: level, sketches)]
        }
    }

    /// Begins a tournament over photos of a feed that is still shown, or takes up the one that was left.
    func begin(
        _ photos: [IndexedPhoto], isSelection: Bool, on level: BrowsePositions.FeedKey,
        _ sketches: [PhotoID: PictureSketch]
    ) async {
        guard let former = levels.last, former.key == level, !former.isTournament else { return }
        let key = TournamentStore.Key(
            feed: former.key, filter: former.filter?.text ?? "", isSelection: isSelection)
        let (contest, notice) = await setup.files.contest(key, over: photos.map(\.photo), sketches)
        let known = Dictionary(photos.map { ($0.photo.id, $0.photo) }) { first, _ in first }
        let present = contest.tournament.present.compactMap { known[$0] }
        let list = ListSource(
            .photos(present), loaders: setup.sources.loaders, pictures: setup.sources.pictures)
        var level = BrowseLevel(
            source: former.source, feed: former.feed,
            cursor: PhotoCursor(list, viewedAt: nil, includesAdult: true), filter: former.filter)
        level.isTournament = true
        await open(level, at: 1)
        await former.cursor.rest()
        for action in model.enter(contest) { await perform(action) }
        if let notice { model.notice = .init(text: notice) }
    }

    func keepTournament() {
        guard let contest = model.contest else { return }
        setup.files.keep(contest.tournament, contest.key) { [events] error in
            events.change { $0.notice = .init(text: error.description, isError: true) }
        }
    }

    func checkContestant() {
        guard model.contest != nil, model.cursor.picture.isSettled, let photo = model.cursor.current?.photo,
            photo.ownFile != nil
        else { return }
        beside { [events] in
            guard await !Contest.gone(of: [photo]).isEmpty else { return }
            events.send(.change { $0.leaveOut(photo.id) })
        }
    }

    /// Asks what to call the list of the ranking, once photos whose files are gone have been left out and replaced.
    func nameRanking() async {
        let ranking = model.contest?.tournament.ranking ?? []
        let gone = await Contest.gone(of: model.cursor.run.map(\.photo).filter { ranking.contains($0.id) })
        guard gone.isEmpty else {
            for photo in gone { for action in model.leaveOut(photo) { await perform(action) } }
            return
        }
        model.prompt = .line(.ranking, await setup.context.folders.markLists.freeName(like: Contest.listName))
    }

    func keepRanking(as name: MarkListName) async {
        guard let contest = model.contest else { return }
        let photos = Dictionary(model.cursor.run.map { ($0.photo.id, $0.photo) }) { first, _ in first }
        let ranking = contest.tournament.ranking.compactMap { photos[$0] }
        do {
            try await setup.context.folders.markLists.put(ranking, first: name)
            setup.files.drop(contest.tournament, contest.key)
            await goBack()
            guard let former = levels.last else { return }
            try await push(former.source, .marked(name), at: 1)
            await former.cursor.rest()
            await show(.grid)
            model.say("The best \(ranking.count) are in the list '\(name)', the very best first.")
        } catch { tell(error) }
    }
}
