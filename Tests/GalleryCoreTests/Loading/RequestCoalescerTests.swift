import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite(.fewAtOnce, .timeLimit(.minutes(5))) struct RequestCoalescerTests {
    private struct Failure: Error, Equatable {}
    private let coalescer = RequestCoalescer<String, Int>()
    private let loads = Counter()

    private func wish(
        for key: String = "a", _ load: @escaping @Sendable () async throws -> Int
    ) -> Task<Int, any Error> {
        Task { [coalescer, loads] in
            try await coalescer.value(for: key) {
                loads.increment()
                return try await load()
            }
        }
    }

    @Test func `all who wish for the same share one load`() async throws {
        let gate = Gate()
        let wishes = (0..<20).map { number in
            wish {
                try await gate.wait()
                return number
            }
        }
        try await coalescer.waitForWaiters(20, for: "a")
        gate.open()
        var values: Set<Int> = []
        for wish in wishes { values.insert(try await wish.value) }
        #expect(values.count == 1)
        #expect(loads.value == 1)
        #expect(await coalescer.waiterCount(for: "a") == 0)
    }

    @Test func `other keys have their own loads, and a landed one is not kept`() async throws {
        #expect(try await wish(for: "a") { 1 }.value == 1)
        #expect(try await wish(for: "a") { 2 }.value == 2)
        #expect(try await wish(for: "b") { 3 }.value == 3)
        #expect(loads.value == 3)
    }

    @Test func `a failure is everybody's`() async throws {
        let gate = Gate()
        let wishes = (0..<5).map { _ in
            wish {
                try await gate.wait()
                throw Failure()
            }
        }
        try await coalescer.waitForWaiters(5, for: "a")
        gate.open()
        for wish in wishes { await #expect(throws: Failure()) { try await wish.value } }
        #expect(loads.value == 1)
    }

    @Test func `a waiter that is cancelled leaves at once, and the load goes on`() async throws {
        let gate = Gate()
        let load: @Sendable () async throws -> Int = {
            try await gate.wait()
            return 7
        }
        let first = wish(load)
        try await coalescer.waitForWaiters(1, for: "a")
        let second = wish(load)
        try await coalescer.waitForWaiters(2, for: "a")
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(!gate.isOpen)
        #expect(await coalescer.waiterCount(for: "a") == 1)
        gate.open()
        #expect(try await second.value == 7)
        #expect(loads.value == 1)
    }

    @Test func `the last to leave cancels the load`() async throws {
        let gate = Gate()
        let ended = Counter()
        let load: @Sendable () async throws -> Int = {
            defer { ended.increment() }
            try await gate.wait()
            return 7
        }
        let wishes = [wish(load), wish(load)]
        try await coalescer.waitForWaiters(2, for: "a")
        try await gate.waitForWaiters(1)
        for wish in wishes { wish.cancel() }
        for wish in wishes { await #expect(throws: CancellationError.self) { try await wish.value } }
        try await ended.wait(for: 1)
        #expect(!gate.isOpen)
        #expect(loads.value == 1)
    }

    @Test func `a load that everybody left does not answer those who came after`() async throws {
        let (old, new) = (Gate(), Gate())
        let landed = Counter()
        let abandoned = wish {
            // Deaf to cancellation, so that it lands late.
            await Task { try? await old.wait() }.value
            landed.increment()
            return 1
        }
        try await old.waitForWaiters(1)
        abandoned.cancel()
        await #expect(throws: CancellationError.self) { try await abandoned.value }
        let later = wish {
            try await new.wait()
            return 2
        }
        try await new.waitForWaiters(1)
        old.open()
        try await landed.wait(for: 1)
        new.open()
        #expect(try await later.value == 2)
        #expect(loads.value == 2)
    }

    @Test func `who is cancelled already starts no load`() async throws {
        let gate = Gate()
        let late = Task { [coalescer, loads] in
            try? await gate.wait()
            return try await coalescer.value(for: "a") { loads.increment() }
        }
        late.cancel()
        await #expect(throws: CancellationError.self) { try await late.value }
        #expect(loads.value == 0)
    }

    @Test func `whatever the order of wishes and cancellations, everybody gets an answer`() async throws {
        var chance = SeededGenerator(seed: 9)
        var wishes: [Task<Int, any Error>] = []
        var isCancelled: [Bool] = []
        for _ in 0..<2000 {
            let number = Int.random(in: 0..<5, using: &chance)
            wishes.append(
                wish(for: "\(number)") {
                    await Task.yield()
                    return number
                })
            isCancelled.append(Bool.random(using: &chance))
            if isCancelled.last == true { wishes.last?.cancel() }
            if Int.random(in: 0..<8, using: &chance) == 0 { await Task.yield() }
        }
        for (wish, isCancelled) in zip(wishes, isCancelled) where !isCancelled {
            #expect((0..<5).contains(try await wish.value))
        }
        for wish in wishes { _ = await wish.result }
        for key in 0..<5 { #expect(await coalescer.waiterCount(for: "\(key)") == 0) }
    }
}

extension RequestCoalescer {
    /// Returns once this many wait for the key: only yields, for there is nothing to wait on but them.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first, as a time limit does.
    func waitForWaiters(_ count: Int, for key: Key) async throws {
        while waiterCount(for: key) < count {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
