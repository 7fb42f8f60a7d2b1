import Foundation
import GalleryCore

// The level of a tournament: its photos alone, in the order in which they meet first.

extension BrowseSession {
    /// Begins a tournament, or takes up the one that was left.
    func contend(_ photos: [IndexedPhoto], isSelection: Bool) async {
        guard let former = levels.last else { return }
        let key = TournamentStore.Key(
            feed: former.key, filter: former.filter?.text ?? "", isSelection: isSelection)
        let ids = Contest.order(of: photos.map(\.photo)).map(\.id)
        var tournament = await setup.files.tournaments.tournament(key, over: ids) ?? Tournament(of: ids)
        let known = Dictionary(photos.map { ($0.photo.id, $0.photo) }) { first, _ in first }
        let present = tournament.present.compactMap { known[$0] }
        for photo in tournament.present where known[photo] == nil { tournament.remove(photo) }
        let list = ListSource(
            .photos(present), loaders: setup.sources.loaders, pictures: setup.sources.pictures)
        var level = BrowseLevel(
            source: former.source, feed: former.feed,
            cursor: PhotoCursor(list, viewedAt: nil, includesAdult: true), filter: former.filter)
        level.isTournament = true
        await open(level, at: 1)
        await former.cursor.rest()
        let contest = Contest(tournament, key, showing: present)
        for action in model.enter(contest) { await perform(action) }
        let new = Set(ids).subtracting(tournament.photos).count
        guard tournament.choices > 0 || new > 0 else { return }
        let newcomers = new > 0 ? " \(new) new \(new == 1 ? "photo is" : "photos are") not in it." : ""
        model.notice = .init(text: "Tournament taken up: \(contest.progress).\(newcomers)")
    }

    /// Keeps the tournament as it is now.
    func keepTournament() {
        guard let contest = model.contest else { return }
        setup.files.keep(contest.tournament, contest.key) { [events] error in
            events.change { $0.notice = .init(text: error.description, isError: true) }
        }
    }

    private static func isGone(_ file: URL) -> Bool { !FileManager.default.fileExists(atPath: file.path) }

    /// Leaves out the current photo if its file is gone from this machine.
    func checkContestant() {
        guard model.contest != nil, model.cursor.picture.isSettled, let photo = model.cursor.current?.photo,
            let file = photo.ownFile
        else { return }
        beside { [events] in
            guard await onThread({ Self.isGone(file) }) else { return }
            events.send(.change { $0.leaveOut(photo.id) })
        }
    }

    /// Asks for the name of the list that the ranking becomes, which is a new one unless another is typed. Photos whose
    /// files are gone are left out first, for which others may have to be chosen.
    func nameRanking() async {
        let ranking = model.contest?.tournament.ranking ?? []
        let files = model.cursor.run.map(\.photo).filter { ranking.contains($0.id) }
        let gone = await onThread { files.filter { $0.ownFile.map(Self.isGone) ?? false } }
        guard gone.isEmpty else {
            for photo in gone { for action in model.leaveOut(photo.id) { await perform(action) } }
            return
        }
        let lists = setup.context.folders.markLists
        let names = await onThread { Set(lists.names.map(\.description)) }
        var (name, number) = ("best", 2)
        while names.contains(name) { (name, number) = ("best-\(number)", number + 1) }
        model.prompt = .ranking(name)
    }

    /// Makes the ranking a list of marked photos, and shows it.
    func keepRanking(as name: MarkListName) async {
        guard let contest = model.contest else { return }
        let photos = Dictionary(model.cursor.run.map { ($0.photo.id, $0.photo) }) { first, _ in first }
        let ranking = contest.tournament.ranking.compactMap { photos[$0] }
        let store = setup.context.folders.markLists.store(name)
        do {
            try await store.unmark(ranking.map(\.id))
            // The first of a list is the newest.
            try await store.mark(ranking.reversed())
            setup.files.drop(contest.tournament, contest.key)
            await goBack()
            guard let former = levels.last else { return }
            try await push(former.source, .marked(name), at: 1)
            await former.cursor.rest()
            await show(.grid)
            model.notice = .init(
                text: "The best \(ranking.count) are in the list '\(name)', the very best first.")
        } catch {
            model.notice = .init(text: "\(error)", isError: true)
        }
    }
}
