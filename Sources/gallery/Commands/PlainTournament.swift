import Curation
import Foundation
import GalleryCore

// A tournament in lines: two photos are described, and a line says which one is better.

extension PlainBrowse {
    /// Asks about two photos at a time until the best are found or the tournament is left, which keeps it.
    mutating func contend() async throws {
        guard let place = places.last else { return }
        let photos = try await contestants()
        guard photos.count > 1 else { return try print(BrowseWords.tooFew) }
        guard photos.count <= Tournament.mostPhotos else {
            return try say(.init(text: "\(BrowseWords.tooMany): filter with '&'.", isError: true))
        }
        let key = TournamentStore.Key(feed: place.key, filter: place.filter?.text ?? "", isSelection: false)
        var (contest, notice) = await setup.files.contest(key, over: photos)
        if let notice { try print(notice) }
        let known = Dictionary(photos.map { ($0.id, $0) }) { first, _ in first }
        while true {
            guard let pair = contest.tournament.pair else {
                let ranking = contest.tournament.ranking.compactMap { known[$0] }
                for photo in await Contest.gone(of: ranking) { contest.tournament.remove(photo) }
                if contest.tournament.pair == nil {
                    guard try await goesOn(&contest, known) else { return }
                    keep(contest)
                }
                continue
            }
            for (number, id) in [(1, pair.first), (2, pair.second)] {
                try print("\(number): \(known[id].map(Self.name) ?? "")")
            }
            try print(contest.question("1 or 2; u takes back, q leaves"))
            switch await line() {
            case "1", "h": contest.tournament.choose(.first)
            case "2", "l": contest.tournament.choose(.second)
            case "u":
                if !contest.tournament.undo() { try print(BrowseWords.noChoice) }
            case "q", nil: return try print(BrowseWords.tournamentKept)
            default: try print("Type 1 or 2.")
            }
            keep(contest)
        }
    }

    private func keep(_ contest: Contest) {
        setup.files.keep(contest.tournament, contest.key) { [terminal = setup.context.terminal] error in
            terminal.message("Error: \(error.description)")
        }
    }

    private mutating func contestants() async throws -> [Photo] {
        var (photos, index) = ([Photo](), 1)
        let most = min(places.last?.patience ?? 0, places.last?.photos.total ?? .max)
        while index <= most, photos.count <= Tournament.mostPhotos, let photo = try await photo(at: index) {
            if isShown(photo) { photos.append(photo) }
            index += 1
        }
        return photos
    }

    /// Tells the ranking, and makes it a list of marked photos; true if the last choice was taken back instead.
    private mutating func goesOn(_ contest: inout Contest, _ known: [PhotoID: Photo]) async throws -> Bool {
        let ranking = contest.tournament.ranking.compactMap { known[$0] }
        for (offset, photo) in ranking.enumerated() { try print("\(offset + 1). \(Self.name(of: photo))") }
        let lists = setup.context.folders.markLists
        let usual = await lists.freeName(like: Contest.listName)
        try print("Type a name for the list of these, or Enter for '\(usual)'; u takes the last choice back.")
        guard let text = await line(), let here = places.last else { return false }
        if text == "u" { return contest.tournament.undo() }
        guard let name = MarkListName(text.isEmpty ? usual : text) else {
            try print(MarkListName.rule)
            return false
        }
        try await lists.put(ranking, first: name)
        setup.files.drop(contest.tournament, contest.key)
        try await open(here.source, .marked(name))
        return false
    }

    private static func name(of photo: Photo) -> String {
        PlainText.excerpt(words(of: photo) ?? photo.shownTitle)
    }
}
