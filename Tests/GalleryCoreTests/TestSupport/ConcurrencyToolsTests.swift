import GalleryTestSupport
import Testing

@Suite(.fewAtOnce, .timeLimit(.minutes(1)))
struct ConcurrencyToolsTests {
    @Test func `a gate holds until it opens`() async throws {
        let gate = Gate()
        let passed = Counter()
        try await withThrowingTaskGroup { group in
            for _ in 0..<3 {
                group.addTask {
                    try await gate.wait()
                    passed.increment()
                }
            }
            try await gate.waitForWaiters(3)
            #expect(passed.value == 0)
            gate.open()
            try await passed.wait(for: 3)
            try await group.waitForAll()
        }
        #expect(gate.waiterCount == 0)
        try await gate.wait()
    }

    @Test func `a cancelled task leaves the gate at once`() async throws {
        let gate = Gate()
        let task = Task { try await gate.wait() }
        try await gate.waitForWaiters(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(gate.waiterCount == 0)
    }

    @Test func `a task cancelled beforehand does not wait`() async throws {
        let gate = Gate()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try await gate.wait()
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `a counter remembers its peak`() async throws {
        let counter = Counter()
        #expect(counter.increment() == 1)
        #expect(counter.increment() == 2)
        #expect(counter.decrement() == 1)
        #expect(counter.value == 1)
        #expect(counter.peak == 2)
    }

    @Test func `a clock wakes the sleepers it is moved past, and no others`() async throws {
        let clock = TestClock()
        let woken = Watched<[Int64]>([])
        try await withThrowingTaskGroup { group in
            for seconds in [Int64(3), 1, 2] {
                group.addTask {
                    // No real time: this clock stands until `advance` below.
                    try await clock.pass(.seconds(seconds))
                    woken.update { $0.append(seconds) }
                }
            }
            try await clock.waitForSleepers(3)
            clock.advance(by: .milliseconds(999))
            #expect(clock.sleeperCount == 3)
            clock.advance(by: .milliseconds(1))
            try await woken.first { $0 == [1] }
            #expect(clock.sleeperCount == 2)
            clock.advance(by: .seconds(10))
            try await group.waitForAll()
        }
        #expect(woken.value.sorted() == [1, 2, 3])
        #expect(Set(clock.sleeps) == [.seconds(1), .seconds(2), .seconds(3)])
        #expect(clock.now.offset == .seconds(11))
    }

    @Test func `a cancelled sleep throws`() async throws {
        let clock = TestClock()
        // No real time: nobody moves this clock, and the sleep ends by being cancelled.
        let task = Task { try await clock.pass(.seconds(1)) }
        try await clock.waitForSleepers(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleeperCount == 0)
    }

    @Test func `a skipping clock moves itself`() async throws {
        let clock = TestClock.skipping()
        // No real time: both return at once, and the clock has moved instead.
        try await clock.pass(.seconds(2))
        try await clock.pass(.seconds(3))
        #expect(clock.now.offset == .seconds(5))
        #expect(clock.sleeps == [.seconds(2), .seconds(3)])
    }

    @Test func `a clock told to skip wakes all, and holds nobody from then on`() async throws {
        let clock = TestClock()
        // No real time: this clock stands until `skip` below, and moves itself from then on.
        let tasks = (1...3).map { seconds in Task { try await clock.pass(.seconds(seconds)) } }
        try await clock.waitForSleepers(3)
        clock.skip()
        for task in tasks { try await task.value }
        #expect(clock.now.offset == .seconds(3))
        try await clock.pass(.seconds(4))  // No real time either.
        #expect(clock.now.offset == .seconds(7))
    }

    @Test func `the generator gives the published numbers`() {
        var generator = SeededGenerator(seed: 1_234_567)
        let numbers = (0..<3).map { _ in generator.next() }
        #expect(numbers == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423])
    }
}
