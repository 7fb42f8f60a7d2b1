import Testing

@testable import GalleryCore

@Suite struct HostReachTests {
    /// What a request would do, in words.
    private func verdict(_ reach: HostReach, at milliseconds: Int) -> String {
        switch reach.verdict(at: .milliseconds(milliseconds)) {
        case .send: "send"
        case .wait(let wait): "wait \(Int(wait / .milliseconds(1)))"
        case .waitForAnother: "wait for another"
        case .down: "down"
        }
    }

    @Test func `of an origin that never answered, one request finds out for all, a little later each time`() {
        var reach = HostReach()
        let dead = TransportError.unreachable(host: "a", reason: "nobody is there")
        func end(_ answer: HostPace.Answer, _ start: Int, _ now: Int) {
            reach.end(answer, startedAt: .milliseconds(start), at: .milliseconds(now), chance: 1)
        }
        #expect(verdict(reach, at: 0) == "send" && reach.failures == nil)
        // Three that were sent at once say the same.
        for now in [10, 11, 12] { end(.silent, 0, now) }
        #expect(reach.failures == 0)
        #expect(verdict(reach, at: 20) == "wait 490" && verdict(reach, at: 510) == "send")
        reach.begin(at: .milliseconds(510))
        #expect(verdict(reach, at: 511) == "wait for another")
        // Whoever leaves before it is sent leaves it to the next.
        end(.unsent, 510, 520)
        #expect(verdict(reach, at: 521) == "send")
        reach.begin(at: .milliseconds(521))
        end(.silent, 521, 530)
        #expect(reach.failures == 1 && verdict(reach, at: 530) == "wait 1000")
        var alive = reach
        alive.noteAnswer()
        #expect(verdict(alive, at: 530) == "send" && alive.failures == nil)
        reach.giveUp(.cutShort(host: "a", received: 1, expected: 2), at: .milliseconds(530))
        #expect(verdict(reach, at: 1530) == "send")
        reach.giveUp(dead, at: .milliseconds(1530))
        #expect(verdict(reach, at: 6529) == "down" && verdict(reach, at: 6530) == "send")
        reach.begin(at: .milliseconds(6530))
        #expect(verdict(reach, at: 16_529) == "down")
        end(.faulty, 6530, 6540)
        #expect(verdict(reach, at: 6541) == "send")
    }
}
