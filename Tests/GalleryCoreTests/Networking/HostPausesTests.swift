import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite("HostPauses")
struct HostPausesTests {
    @Test func `keeps the longer pause, each host its own, until it is over`() {
        let clock = TestClock()
        let pauses = HostPauses(timekeeper: Timekeeper(clock: clock))
        pauses.pause("a", for: .seconds(5), status: 429)
        pauses.pause("a", for: .seconds(2), status: 503)
        #expect(pauses.pause(of: "a") == HostPauses.Pause(remaining: .seconds(5), status: 429))
        #expect(pauses.pause(of: "b") == nil)
        clock.advance(by: .seconds(4))
        #expect(pauses.pause(of: "a")?.remaining == .seconds(1))
        clock.advance(by: .seconds(1))
        #expect(pauses.pause(of: "a") == nil)
    }
}
