import GalleryCore

/// The best of some photos, found by asking again and again which of two is better.
///
/// A knockout in which the two meet next that have beaten the fewest. Who is left has the next rank; those who lost to
/// nobody but photos that have a rank by then play on. No two meet twice, so it ends whatever the answers are.
package struct Tournament: Hashable, Sendable {
    /// One of the two that are asked about.
    package enum Side: Hashable, Sendable { case first, second }

    private enum Event: Hashable, Sendable {
        case choice(Side)
        /// The photo of this number, from 0, is no longer there.
        case loss(Int)
    }

    /// The photos in the order in which they meet first.
    package let photos: [PhotoID]
    private var events: [Event] = []
    private var standing: Standing

    package static let mostPlaces = 10
    /// The most photos: 10 of 200 are found in less than 300 choices.
    package static let mostPhotos = 200

    /// A tournament of `photos`, each of which is in it once.
    package init(of photos: [PhotoID]) {
        var seen: Set<PhotoID> = []
        self.photos = photos.filter { seen.insert($0).inserted }
        standing = Standing(count: self.photos.count)
    }

    /// The two that are asked about; `nil` when it is over.
    package var pair: (first: PhotoID, second: PhotoID)? {
        standing.pair.map { (photos[$0.first], photos[$0.second]) }
    }

    /// The best so far, the very best first.
    package var ranking: [PhotoID] { standing.ranking.map { photos[$0] } }

    package var places: Int { standing.places }

    package var present: [PhotoID] { photos.indices.filter { !standing.isLost[$0] }.map { photos[$0] } }

    package var choices: Int { events.count { if case .choice = $0 { true } else { false } } }

    /// How many choices there will be in all, about.
    package var expectedChoices: Int {
        var (rest, count) = (standing, choices)
        // As if each photo was as good as the scrambled bits of its number.
        func worth(_ number: Int) -> UInt32 { UInt32(truncatingIfNeeded: (number + 1) &* 2_654_435_761) }
        while let pair = rest.pair {
            rest.take(worth(pair.first) > worth(pair.second) ? .first : .second)
            count += 1
        }
        return count
    }

    /// This one of the two is better; nothing happens when it is over.
    package mutating func choose(_ side: Side) {
        guard standing.pair != nil else { return }
        events.append(.choice(side))
        standing.take(side)
    }

    /// Leaves out a photo that is no longer there: those it had beaten play on.
    package mutating func remove(_ photo: PhotoID) {
        guard let number = photos.firstIndex(of: photo), !standing.isLost[number] else { return }
        events.append(.loss(number))
        standing.remove(number)
    }

    /// Takes the last choice back; false if there was none. Photos that are no longer there stay away.
    package mutating func undo() -> Bool {
        let last = events.lastIndex { if case .choice = $0 { true } else { false } }
        guard let last else { return false }
        events.remove(at: last)
        standing = Standing(count: photos.count)
        for event in events {
            switch event {
            case .choice(let side): standing.take(side)
            case .loss(let number): standing.remove(number)
            }
        }
        return true
    }
}

extension Tournament {
    private struct Standing: Hashable, Sendable {
        private var winners: [Int?]
        private var victories: [Int]
        private(set) var isLost: [Bool]
        private(set) var ranking: [Int] = []
        private(set) var pair: Pair?

        struct Pair: Hashable, Sendable {
            let first: Int
            let second: Int
        }

        init(count: Int) {
            winners = Array(repeating: nil, count: count)
            victories = Array(repeating: 0, count: count)
            isLost = Array(repeating: false, count: count)
            goOn()
        }

        var places: Int { min(Tournament.mostPlaces, isLost.count { !$0 }) }

        mutating func take(_ side: Side) {
            guard let pair else { return }
            let (winner, loser) = side == .first ? (pair.first, pair.second) : (pair.second, pair.first)
            winners[loser] = winner
            victories[winner] += 1
            goOn()
        }

        mutating func remove(_ number: Int) {
            guard isLost.indices.contains(number) else { return }
            isLost[number] = true
            ranking.removeAll { $0 == number }
            goOn()
        }

        private func isOut(_ number: Int) -> Bool { ranking.contains(number) || isLost[number] }

        /// Ranks who is alone undefeated, and finds the next two.
        private mutating func goOn() {
            pair = nil
            while ranking.count < places {
                let undefeated = winners.indices.filter { !isOut($0) && (winners[$0].map(isOut) ?? true) }
                guard undefeated.count > 1 else {
                    guard let best = undefeated.first else { return }
                    ranking.append(best)
                    continue
                }
                // In order where they have beaten as many.
                let next = undefeated.sorted { (victories[$0], $0) < (victories[$1], $1) }.prefix(2).sorted()
                pair = Pair(first: next[0], second: next[1])
                return
            }
        }
    }
}

/// Encoded as the photos and a number for each event: -1 and -2 for a choice, others for the photo that was lost.
extension Tournament: Codable {
    private enum Key: String, CodingKey { case photos, events }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(of: try container.decode([PhotoID].self, forKey: .photos))
        for number in try container.decode([Int].self, forKey: .events) {
            switch number {
            case -1: choose(.first)
            case -2: choose(.second)
            default: if photos.indices.contains(number) { remove(photos[number]) }
            }
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(photos, forKey: .photos)
        let numbers = events.map { event in
            switch event {
            case .choice(let side): side == .first ? -1 : -2
            case .loss(let number): number
            }
        }
        try container.encode(numbers, forKey: .events)
    }
}
