import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite("OrderedTurns", .fewAtOnce, .timeLimit(.minutes(1)))
struct OrderedTurnsTests {
    @Test func `turns come in the order they were announced, whoever waits first`() async {
        let turns = OrderedTurns()
        let all = (0..<50).map { _ in turns.next() }
        let order = Watched<[Int]>([])
        await withTaskGroup(of: Void.self) { group in
            for (number, turn) in all.enumerated().reversed() {
                group.addTask {
                    defer { turn.end() }
                    // Some end without having waited.
                    if number.isMultiple(of: 3) { return }
                    #expect(await turn.wait())
                    order.update { $0.append(number) }
                }
            }
        }
        #expect(order.value == (0..<50).filter { !$0.isMultiple(of: 3) })
    }

    @Test func `whoever is cancelled leaves at once and holds nobody up`() async {
        let turns = OrderedTurns()
        let (first, second, third) = (turns.next(), turns.next(), turns.next())
        #expect(first.isCurrent && !second.isCurrent)
        let waiting = Task { await second.wait() }
        waiting.cancel()
        #expect(await waiting.value == false)
        let last = Task { await third.wait() }
        second.end()
        #expect(!third.isCurrent)
        first.end()
        #expect(await last.value)
    }
}
