import Foundation
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

    @Test func `a pause is news to the first who meets it, and again once it is another`() throws {
        let clock = TestClock()
        let pauses = HostPauses(timekeeper: Timekeeper(clock: clock))
        let request = HTTPRequest(url: try #require(URL(string: "http://a/1")))
        #expect(pauses.news(of: request) == nil)
        pauses.pause("a", for: .seconds(5), status: 429)
        #expect(pauses.news(of: request) == HostPauses.Pause(remaining: .seconds(5), status: 429))
        #expect(pauses.news(of: request) == nil)
        // Whoever was under way already is asked for the same, a moment later.
        clock.advance(by: .milliseconds(150))
        pauses.pause("a", for: .seconds(5), status: 429)
        #expect(pauses.news(of: request) == nil)
        clock.advance(by: .seconds(4))
        pauses.pause("a", for: .seconds(5), status: 503)
        #expect(pauses.news(of: request) == HostPauses.Pause(remaining: .seconds(5), status: 503))
        let other = HTTPRequest(url: try #require(URL(string: "http://b/1")))
        pauses.pause("b", for: .seconds(1), status: 503)
        #expect(pauses.news(of: other)?.remaining == .seconds(1))
    }
}
