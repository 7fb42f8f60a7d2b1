/// Whether anything answers at an origin: a value; the caller has the clock.
///
/// Where an origin was silent and has never answered, one request at a time finds out whether it does, after the wait
/// that is due. It counts for all: however many files a dead host is to send, it takes the retries of one.
struct HostReach: Sendable {
    /// What becomes of a request that would be sent now.
    enum Verdict {
        case send
        /// Nothing is sent for so long.
        case wait(Duration)
        /// Another request is finding out.
        case waitForAnother
        /// Nothing answers; what the last request met with.
        case down(TransportError)
    }

    private static let firstProbe = Duration.seconds(5)
    private static let longestProbe = Duration.seconds(30)
    /// Silent answers in a row before an origin that has answered is taken to be down.
    private static let silencesOfDeadOrigin = 3

    private(set) var hasAnswered = false
    /// Silent answers since the last other one.
    private var silences = 0
    /// Times that an origin without an answer was found silent; those that were asked at once count as one.
    private var rounds = 0
    private var lastRound = Duration.zero
    private var nextRound = Duration.zero
    private var isFindingOut = false
    private var failure: TransportError?
    /// When a single request may try whether something does again, and the wait before the one after it.
    private var nextProbe = Duration.zero
    private var probeWait = Self.firstProbe

    /// The faults in a row that requests to it share; `nil` where each has its own.
    var failures: Int? { hasAnswered || rounds == 0 ? nil : rounds - 1 }

    func verdict(at now: Duration) -> Verdict {
        if let failure { return now >= nextProbe ? .send : .down(failure) }
        guard failures != nil else { return .send }
        if isFindingOut { return .waitForAnother }
        return now >= nextRound ? .send : .wait(nextRound - now)
    }

    mutating func begin(at now: Duration) {
        if failure != nil {
            probeWait = min(probeWait * 2, Self.longestProbe)
            nextProbe = now + probeWait
        } else if failures != nil {
            isFindingOut = true
        }
    }

    /// A request that began at `start` ended; one that was not sent leaves it to another to find out. `chance`, from 0
    /// up to 1, is for the wait before the next one.
    mutating func end(_ answer: HostPace.Answer, startedAt start: Duration, at now: Duration, chance: Double)
    {
        switch answer {
        case .good, .refused, .faulty: noteAnswer()
        case .unsent: isFindingOut = false
        case .silent:
            silences += 1
            guard !hasAnswered, rounds == 0 || start >= lastRound else { return }
            let wait = RetryPolicy.delay(failures: rounds, of: .max, asked: nil, chance: chance)
            (rounds, lastRound, nextRound) = (rounds + 1, now, now + (wait ?? .zero))
            isFindingOut = false
        }
    }

    /// A head has arrived, whatever follows it.
    mutating func noteAnswer() {
        self = HostReach()
        hasAnswered = true
    }

    /// A request is given up with `error`. If nobody had an answer either, all but one now and then fail from now on.
    mutating func giveUp(_ error: TransportError, at now: Duration) {
        guard HostPace.Answer(error, hasHead: false) == .silent, failure == nil,
            silences >= (hasAnswered ? Self.silencesOfDeadOrigin : 1)
        else { return }
        failure = error
        nextProbe = now + Self.firstProbe
    }
}
