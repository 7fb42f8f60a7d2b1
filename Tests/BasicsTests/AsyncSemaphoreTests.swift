import Basics
import Foundation
import GalleryTestSupport
import Testing

@Suite("AsyncSemaphore", .fewAtOnce, .timeLimit(.minutes(1)))
struct AsyncSemaphoreTests {
    @Test func `lets as many in as it has slots, and no more`() async throws {
        let slots = AsyncSemaphore(3)
        let inside = Counter()
        let entered = Counter()
        let gate = Gate()
        try await withThrowingTaskGroup { group in
            for _ in 0..<200 {
                group.addTask {
                    guard await slots.enter() else { return }
                    entered.increment()
                    inside.increment()
                    try await gate.wait()
                    await Task.yield()
                    inside.decrement()
                    slots.leave()
                }
            }
            try await gate.waitForWaiters(3)
            gate.open()
            try await group.waitForAll()
        }
        #expect(inside.peak == 3)
        #expect(entered.value == 200)
        #expect(inside.value == 0)
    }

    @Test func `whoever is cancelled leaves without a slot and loses none`() async {
        let slots = AsyncSemaphore(1)
        #expect(await slots.enter())
        let waiting = (0..<20).map { _ in Task { await slots.enter() } }
        for task in waiting { task.cancel() }
        for task in waiting { #expect(await task.value == false) }
        let next = Task { await slots.enter() }
        slots.leave()
        #expect(await next.value)
        slots.leave()
        #expect(await slots.enter())
    }
}
