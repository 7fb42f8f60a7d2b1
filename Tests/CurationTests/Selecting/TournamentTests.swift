import Curation
import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

struct TournamentTests {
    private static func photos(_ count: Int) -> [PhotoID] {
        (0..<count).map { PhotoID(service: "s", value: "\($0)") }
    }

    /// Plays to the end; `isBetter` takes two numbers of photos.
    @discardableResult
    private static func play(
        _ tournament: inout Tournament, atMost most: Int = 100_000, _ isBetter: (Int, Int) -> Bool
    ) throws -> Int {
        var count = 0
        while let pair = tournament.pair, count < most {
            let (first, second) = (
                try #require(Int(pair.first.value)), try #require(Int(pair.second.value))
            )
            tournament.choose(isBetter(first, second) ? .first : .second)
            count += 1
        }
        return count
    }

    @Test(arguments: [1...40, 41...80, 81...110, 111...128, 200...200])
    func `the best ten are the best ten, in less than 300 choices`(counts: ClosedRange<Int>) throws {
        var random = SeededGenerator(seed: 7)
        for count in Thorough.cases(counts, few: 3) {
            for _ in 0..<Thorough.rounds(3, few: 1) {
                let worth = (0..<count).shuffled(using: &random)
                var tournament = Tournament(of: Self.photos(count))
                let guess = tournament.expectedChoices
                let choices = try Self.play(&tournament) { worth[$0] > worth[$1] }
                let best = (0..<count).sorted { worth[$0] > worth[$1] }.prefix(10).map(String.init)
                #expect(tournament.ranking.map(\.value) == best)
                #expect(choices == tournament.choices && choices == tournament.expectedChoices)
                #expect(choices < 300 && (count > 100 || choices <= 160))
                #expect(abs(guess - choices) <= 10, "\(guess) of \(choices) for \(count)")
            }
        }
    }

    @Test func `answers that contradict each other end it, too`() throws {
        var random = SeededGenerator(seed: 11)
        for count in 2...60 {
            var tournament = Tournament(of: Self.photos(count))
            var asked: Set<Set<Int>> = []
            try Self.play(&tournament, atMost: 2000) { first, second in
                #expect(asked.insert([first, second]).inserted)
                return Bool.random(using: &random)
            }
            #expect(tournament.pair == nil && tournament.ranking.count == min(10, count))
            #expect(Set(tournament.ranking).count == tournament.ranking.count)
        }
    }

    @Test func `none and one need no choice, and one that comes twice is one`() {
        #expect(Tournament(of: []).pair == nil && Tournament(of: []).ranking == [])
        let one = Self.photos(1)
        #expect(Tournament(of: one).pair == nil && Tournament(of: one).ranking == one)
        #expect(Tournament(of: one + one).ranking == one)
        var over = Tournament(of: one)
        over.choose(.first)
        let isUndone = over.undo()
        #expect(over.choices == 0 && !isUndone)
    }

    @Test func `those next to each other meet first, and those who have beaten the fewest`() throws {
        var tournament = Tournament(of: Self.photos(5))
        var pairs: [String] = []
        while let pair = tournament.pair {
            pairs.append("\(pair.first.value)\(pair.second.value)")
            tournament.choose(.first)
        }
        #expect(pairs == ["01", "23", "04", "02", "14", "12", "24", "34"])
        #expect(tournament.ranking.map(\.value) == ["0", "1", "2", "3", "4"])
    }

    @Test func `a choice is taken back, as often as there was one`() throws {
        var tournament = Tournament(of: Self.photos(20))
        var states: [Tournament] = []
        var random = SeededGenerator(seed: 3)
        while tournament.pair != nil {
            states.append(tournament)
            tournament.choose(Bool.random(using: &random) ? .first : .second)
        }
        for state in states.reversed() {
            let isUndone = tournament.undo()
            #expect(isUndone && tournament == state)
        }
        let isUndone = tournament.undo()
        #expect(!isUndone)
    }

    /// Photos that go, before they were seen, after they have won, and after they have a rank.
    @Test(arguments: Thorough.cases(0..<20, few: 3))
    func `without those that are gone the others have the ranks that are theirs`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let worth = (0..<30).shuffled(using: &random)
        var tournament = Tournament(of: Self.photos(30))
        var lost: Set<Int> = []
        while let pair = tournament.pair {
            let numbers = try [pair.first, pair.second].map { try #require(Int($0.value)) }
            if lost.count < 8, Int.random(in: 0..<8, using: &random) == 0 {
                let gone = Bool.random(using: &random) ? numbers[0] : Int.random(in: 0..<30, using: &random)
                lost.insert(gone)
                tournament.remove(PhotoID(service: "s", value: "\(gone)"))
            } else {
                tournament.choose(worth[numbers[0]] > worth[numbers[1]] ? .first : .second)
            }
        }
        let best = (0..<30).filter { !lost.contains($0) }.sorted { worth[$0] > worth[$1] }.prefix(10)
        #expect(tournament.ranking.map(\.value) == best.map(String.init))
        #expect(tournament.present.count == 30 - lost.count)
    }

    @Test func `who is gone stays away when a choice is taken back`() {
        var tournament = Tournament(of: Self.photos(4))
        tournament.choose(.first)
        tournament.remove(PhotoID(service: "s", value: "0"))
        tournament.remove(PhotoID(service: "s", value: "0"))
        tournament.remove(PhotoID(service: "s", value: "other"))
        let isUndone = tournament.undo()
        #expect(isUndone && tournament.present.map(\.value) == ["1", "2", "3"])
        #expect(tournament.places == 3 && tournament.pair?.first.value == "1")
    }

    @Test func `it is kept as its photos and what happened, and read again`() throws {
        var tournament = Tournament(of: Self.photos(6))
        tournament.choose(.first)
        tournament.choose(.second)
        tournament.remove(PhotoID(service: "s", value: "4"))
        let data = try JSONEncoder().encode(tournament)
        #expect(String(decoding: data, as: UTF8.self).contains("[-1,-2,4]"))
        #expect(try JSONDecoder().decode(Tournament.self, from: data) == tournament)
        // Numbers of photos that there are none of, and choices after the end.
        let odd = #"{"photos":[{"service":"s","value":"0"}],"events":[-1,7,-9,9223372036854775807]}"#
        let read = try JSONDecoder().decode(Tournament.self, from: Data(odd.utf8))
        #expect(read.choices == 0 && read.ranking.map(\.value) == ["0"])
    }
}
