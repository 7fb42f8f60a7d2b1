import GalleryTestSupport
import Testing

@testable import GalleryCore

struct PrefetchWindowTests {
    /// What happens to a window, and what it answers.
    enum Event: Sendable {
        case move(Int)
        case begin(Int)
        case end(Int)
        case fail(Int)
        case retry(Int)
        case rest
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let steps: [(event: Event, start: [Int], cancel: [Int])]
    }

    static let cases: [Case] = [
        Case(
            testDescription: "the photo itself, once its bytes flow the next two, then the one before",
            steps: [
                (.move(5), [5], []), (.begin(5), [6, 7], []), (.end(5), [], []), (.end(6), [4], []),
                (.end(7), [], []), (.end(4), [], []),
            ]),
        Case(
            testDescription: "a step asks for nothing twice",
            steps: [
                (.move(5), [5], []), (.end(5), [6, 7], []), (.end(6), [4], []), (.end(7), [], []),
                (.end(4), [], []), (.move(6), [8], []), (.end(8), [], []), (.move(5), [3], []),
            ]),
        Case(
            testDescription: "turning round turns the window",
            steps: [
                (.move(5), [5], []), (.end(5), [6, 7], []), (.end(6), [4], []), (.end(7), [], []),
                (.end(4), [], []), (.move(4), [3, 2], []),
            ]),
        Case(
            testDescription: "a fast run starts what is looked at, and drops it once it is out of reach",
            steps: [
                (.move(1), [1], []), (.move(2), [2], []), (.move(3), [3], [1]), (.move(4), [4], [2]),
                (.begin(4), [5], []), (.end(4), [], []), (.end(3), [6], []),
            ]),
        Case(
            testDescription: "a photo that was loading ahead goes on when it is looked at",
            steps: [(.move(1), [1], []), (.end(1), [2, 3], []), (.move(2), [], []), (.begin(2), [4], [])]),
        Case(
            testDescription: "the photo looked at does not wait for running preloads",
            steps: [
                (.move(1), [1], []), (.end(1), [2, 3], []), (.move(50), [50], [2, 3]),
                (.begin(50), [51, 52], []),
            ]),
        Case(
            testDescription: "a preload beside the photo keeps its place while it is wanted",
            steps: [(.move(1), [1], []), (.end(1), [2, 3], []), (.move(4), [4], [2]), (.begin(4), [5], [])]),
        Case(
            testDescription: "a failure is not tried again by itself, and holds nobody up",
            steps: [(.move(5), [5], []), (.fail(5), [6, 7], []), (.move(6), [], []), (.move(5), [4], [7])]),
        Case(
            testDescription: "a failure is tried again when somebody wants it",
            steps: [(.move(5), [5], []), (.fail(5), [6, 7], []), (.retry(5), [5], [])]),
        Case(
            testDescription: "what ends after it was dropped starts nothing",
            steps: [(.move(1), [1], []), (.move(50), [50], [1]), (.end(1), [], []), (.begin(1), [], [])]),
        Case(
            testDescription: "who looks elsewhere stops everything, and comes back to it",
            steps: [
                (.move(1), [1], []), (.begin(1), [2, 3], []), (.rest, [], [1, 2, 3]), (.move(1), [1], []),
            ]),
        Case(
            testDescription: "at the last photo the way back is ahead",
            steps: [(.move(100), [100], []), (.end(100), [99, 98], []), (.end(99), [], [])]),
        Case(
            testDescription: "at the first photo, coming back, the way on is ahead",
            steps: [
                (.move(2), [2], []), (.end(2), [3, 4], []), (.end(3), [1], []), (.end(4), [], []),
                (.end(1), [], []), (.move(1), [], []),
            ]),
    ]

    /// A window and the loads that it has started.
    private struct Bench {
        var window = PrefetchWindow()
        var loads = FileLoads()

        mutating func take(_ event: Event) -> (start: [Int], cancel: [Int]) {
            switch event {
            case .move(let index):
                window.move(
                    to: index, next: Array((1...100).filter { $0 > index }.prefix(5)),
                    previous: Array((1...100).reversed().filter { $0 < index }.prefix(5)))
            case .begin(let index):
                _ = loads.take(.init(received: 1, expected: nil), at: index)
            case .end(let index): loads.end(index, .unavailable)
            case .fail(let index): loads.end(index, .failed(DownloadError.cancelled))
            case .retry(let index): loads.forgetFailure(index)
            case .rest: window.rest()
            }
            let change = window.change(loads)
            for index in change.cancel { loads.cancel(index) }
            for index in change.start { loads.open(index) }
            return change
        }
    }

    @Test(arguments: cases)
    func `a move says what starts and what is cancelled, in order`(_ example: Case) {
        var bench = Bench()
        for (number, step) in example.steps.enumerated() {
            let change = bench.take(step.event)
            #expect(change.start == step.start, "step \(number + 1)")
            #expect(change.cancel == step.cancel, "step \(number + 1)")
        }
    }

    @Test(arguments: Thorough.cases(1...4 as ClosedRange<UInt64>, few: 1))
    func `a random walk never runs a photo twice at once, nor more than three`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var bench = Bench()
        var running: Set<Int> = []
        for _ in 0..<Thorough.rounds(5000, few: 1000) {
            // Sorted: a set's own order is another in each process.
            let index = running.sorted().randomElement(using: &generator)
            let event: Event =
                switch Int.random(in: 0..<6, using: &generator) {
                case 0: .move(Int.random(in: 1...100, using: &generator))
                case 1, 2:
                    .move(
                        max(
                            1,
                            min(100, (bench.window.current ?? 1) + Int.random(in: -2...2, using: &generator)))
                    )
                case 3: .begin(index ?? 1)
                case 4: .end(index ?? 1)
                default: .fail(index ?? 1)
                }
            let change = bench.take(event)
            switch event {
            case .end, .fail: if let index { running.remove(index) }
            case .move, .begin, .retry, .rest: break
            }
            running.subtract(change.cancel)
            for start in change.start { #expect(running.insert(start).inserted) }
            #expect(running == Set(bench.loads.running))
            #expect(running.count <= 3)
        }
    }
}
