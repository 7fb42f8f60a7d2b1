import Curation
import Foundation
import GalleryCore
import PictureFiles
import TerminalPictures

/// A tournament that is on: of two photos beside each other, a key says which one is better.
struct Contest: Hashable, Sendable {
    /// What the list of the ranking is called, unless there is one of that name, or the user names another.
    static let listName = "best"

    var tournament: Tournament
    let key: TournamentStore.Key
    /// The place of each photo on the level, from 1.
    let indexes: [PhotoID: Int]
    /// Where the last two were shown, which stay until the next two are there.
    var former: PairLayout?
    var isRetrying = false
    var (showedDetails, showedStrip) = (false, false)

    init(_ tournament: Tournament, _ key: TournamentStore.Key, showing photos: [Photo]) {
        (self.tournament, self.key) = (tournament, key)
        indexes = Dictionary(photos.enumerated().map { ($1.id, $0 + 1) }) { first, _ in first }
    }

    /// The order in which photos meet first: those that look alike are told apart before others, then those that were
    /// taken in a row. Those of which that is unknown come last, as they are listed.
    static func order(of photos: [Photo], _ sketches: [PhotoID: PictureSketch] = [:]) -> [Photo] {
        let times = photos.enumerated().map { ($1.taken ?? .distantFuture, $0) }
        var rest = times.sorted { $0 < $1 }.map { photos[$0.1] }
        var (alike, others): ([Photo], [Photo]) = ([], [])
        while let photo = rest.first {
            let group = rest.filter { other in
                guard photo.id != other.id else { return true }
                guard let own = sketches[photo.id], let other = sketches[other.id] else { return false }
                return own.looksLike(other)
            }
            if group.count > 1 { alike += group } else { others.append(photo) }
            let ids = Set(group.map(\.id))
            rest.removeAll { ids.contains($0.id) }
        }
        return alike + others
    }

    /// How far it is, such as `12 of about 150 choices`.
    var progress: String {
        let expected = tournament.expectedChoices
        return "\(tournament.choices) of about \(expected == 1 ? "1 choice" : "\(expected) choices")"
    }

    /// The question that `keys` answer, or what comes after the last one; `nil` for keys until the two are there.
    func question(_ keys: String?) -> String {
        guard tournament.pair != nil else {
            return "The best \(tournament.places) are found. Enter lists them; u takes the last choice back."
        }
        let rank = "rank \(tournament.ranking.count + 1) of \(tournament.places)"
        return "\(keys.map { "Which is better? \($0)" } ?? "Loading the next two …") · \(progress) · \(rank)"
    }
}

extension BrowseModel {
    // MARK: - Over what

    /// Begins a tournament over what is selected, or else over all photos shown of the feed, once they are loaded.
    mutating func pressTournament() -> [BrowseAction] {
        let selected = mode == .grid ? grid.selection.entries : []
        guard selected.count < 2 else { return contend(selected, isSelection: true) }
        isGathering = true
        return gather()
    }

    mutating func gather() -> [BrowseAction] {
        guard isGathering else { return [] }
        let run = cursor.run
        let isTooLong = filter.isEmpty && cursor.total ?? 0 > Tournament.mostPhotos
        if isTooLong || run.count > Tournament.mostPhotos || cursor.isRunFromStart && cursor.isRunToEnd {
            return contend(run, isSelection: false, isTooLong: isTooLong)
        }
        let edge = cursor.isRunToEnd ? run.first?.index : run.last?.index ?? cursor.current?.index
        notice = Notice(text: "Looking for the photos of a tournament … \(run.count)")
        return edge.map { [.look(beyond: $0, count: Tournament.mostPhotos)] } ?? []
    }

    private mutating func contend(
        _ photos: [IndexedPhoto], isSelection: Bool, isTooLong: Bool = false
    ) -> [BrowseAction] {
        isGathering = false
        notice = nil
        let photos = photos.filter { !bin.photos.contains($0.photo.id) }
        guard !isTooLong, photos.count <= Tournament.mostPhotos else {
            return say("\(BrowseWords.tooMany): select some in the grid, or filter with '&'.", isError: true)
        }
        guard photos.count > 1 else { return say(BrowseWords.tooFew, isError: true) }
        return [.contend(photos, isSelection: isSelection)]
    }

    // MARK: - The two photos

    /// Shows the tournament's next two photos, on a level that has its photos in their order.
    mutating func enter(_ contest: Contest) -> [BrowseAction] {
        var contest = contest
        (contest.showedDetails, contest.showedStrip) = (sidePanel.isShown, showsStrip)
        (sidePanel.isShown, showsStrip, mode, pin) = (false, false, .photo, nil)
        self.contest = contest
        return play(false) + showPair()
    }

    /// Shows the feed that the tournament was over as it was.
    mutating func leaveTournament() {
        guard let contest else { return }
        (sidePanel.isShown, showsStrip) = (contest.showedDetails, contest.showedStrip)
        (self.contest, pin) = (nil, nil)
        notice = Notice(text: BrowseWords.tournamentKept)
    }

    private func go(to photo: PhotoID) -> [BrowseAction] { contest?.indexes[photo].map { [.go($0)] } ?? [] }

    /// Goes to the first of the two, which is pinned once its file is there; or to the best photo at the end.
    private mutating func showPair() -> [BrowseAction] {
        guard let tournament = contest?.tournament else { return [] }
        guard let pair = tournament.pair else {
            pin = nil
            return tournament.ranking.first.map { go(to: $0) } ?? [.back]
        }
        return go(to: pin?.entry.photo.id == pair.first ? pair.second : pair.first)
    }

    /// Goes on to the second of the two once the first one's file is there.
    mutating func pairUp() -> [BrowseAction] {
        guard let pair = contest?.tournament.pair, let entry = wholePhoto, entry.photo.id == pair.first,
            pin?.entry.photo.id != pair.first, cursor.picture.isSettled
        else { return [] }
        if contest?.isRetrying == true {
            contest?.isRetrying = false
            if currentFile == nil { return [.retry] }
        }
        pin = PinnedPhoto(entry: entry, file: currentFile, size: listedSize)
        return go(to: pair.second)
    }

    /// Whether the two that are asked about are on the screen, and not those before.
    var isPairShown: Bool {
        guard let pair = contest?.tournament.pair else { return false }
        return pin?.entry.photo.id == pair.first && cursor.current?.photo.id == pair.second
    }

    private var canChoose: Bool { isPairShown && cursor.picture.isSettled }

    var contestQuestion: String? {
        contest?.question(canChoose ? viewport.isZoomed ? "h or l" : "← or →" : nil)
    }

    /// Whether the two that are asked about are still on their way; what was there before stays until then.
    var isPairing: Bool { contest?.tournament.pair != nil && !isPairShown }

    // MARK: - Keys

    /// Handles a key of the tournament; `nil` where it means what it always does, or where none is on.
    mutating func pressInTournament(_ key: Key) -> [BrowseAction]? {
        guard let contest else { return nil }
        switch key {
        case .left where !viewport.isZoomed, .character("h"), .character("1"): return choose(.first)
        case .right where !viewport.isZoomed, .character("l"), .character("2"): return choose(.second)
        case .character("u"), .backspace:
            guard self.contest?.tournament.undo() == true else { return say(BrowseWords.noChoice) }
            return showNext()
        case .character("T"): prompt = .restart
        case .enter where contest.tournament.pair == nil: return [.nameRanking]
        case .character("r") where pin != nil && pin?.file == nil:
            pin = nil
            self.contest?.isRetrying = true
            return showPair()
        case .character("+"), .character("="), .character("-"), .character("0"), .character("Z"),
            .character("w"):
            return pressOnPhoto(key)
        case .escape where viewport.isZoomed: viewport = Viewport()
        case .escape: return [.back]
        case .character("q"), .character("?"), .character("t"), .character("r"): return nil
        case _ where viewport.isZoomed: return pressOnPhoto(key)
        default: notice = Notice(text: "Press ← or → for the better one, ? for help, Esc to leave.")
        }
        return []
    }

    /// Only what is seen can be judged: keys that come before are dropped.
    private mutating func choose(_ side: Tournament.Side) -> [BrowseAction] {
        guard canChoose else { return [] }
        contest?.tournament.choose(side)
        return showNext()
    }

    mutating func restartTournament() -> [BrowseAction] {
        guard let photos = contest?.tournament.present else { return [] }
        contest?.tournament = Tournament(of: photos)
        return showNext()
    }

    /// A photo's file is gone: the tournament goes on without it.
    mutating func leaveOut(_ photo: PhotoID) -> [BrowseAction] {
        guard let present = contest?.tournament.present, present.contains(photo) else { return [] }
        let name = cursor.run.first { $0.photo.id == photo }.map { self.name(of: $0.photo) } ?? photo.value
        contest?.tournament.remove(photo)
        if pin?.entry.photo.id == photo { pin = nil }
        let actions = showNext()
        notice = Notice(text: "\(PlainText.excerpt(name)) is gone, and left out.", isError: true)
        return actions
    }

    private mutating func showNext() -> [BrowseAction] {
        if let pair { contest?.former = pair }
        viewport = Viewport()
        return [.keepTournament] + showPair()
    }
}
