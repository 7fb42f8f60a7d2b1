import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite("SlotGate", .timeLimit(.minutes(1)))
struct SlotGateTests {
    @Test func `lets no more in than it has slots`() async {
        let slots = SlotGate(3)
        let inside = Watched((now: 0, most: 0))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    guard await slots.enter() else { return }
                    inside.update { inside in
                        inside.now += 1
                        inside.most = max(inside.most, inside.now)
                    }
                    await Task.yield()
                    inside.update { $0.now -= 1 }
                    slots.leave()
                }
            }
        }
        #expect(inside.value.now == 0)
        #expect(inside.value.most <= 3)
    }

    @Test func `whoever is cancelled leaves without a slot and loses none`() async {
        let slots = SlotGate(1)
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
