import Foundation

/// What a terminal is asked, in one write, and what it answered.
struct TerminalQuery: Sendable {
    /// What is written.
    let text: String
    /// Whether the last of the answers is there.
    private let isAnswered: @Sendable (TerminalReplyFilter) -> Bool

    /// What it can show: kitty's graphics, its name, a cell's pixels, and last its primary attributes.
    ///
    /// Every terminal answers the last one, and in order: when it is there, what has not been
    /// answered never will be. So nobody waits longer than the terminal takes.
    static let abilities = TerminalQuery(
        text: "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\" + abilitiesInMultiplexer.text
    ) { $0.hasAttributes }

    /// The same but for the graphics, which tmux and screen would take for the window's title.
    static let abilitiesInMultiplexer = TerminalQuery(text: "\u{1B}[>q\u{1B}[16t\u{1B}[c") {
        $0.hasAttributes
    }

    /// Where the cursor is.
    static let cursor = TerminalQuery(text: "\u{1B}[6n") { filter in
        filter.replies.contains { if case .cursor = $0 { true } else { false } }
    }

    /// The longest anybody waits.
    static let limit = Duration.milliseconds(200)

    /// How long after the question an answer may still come, such as over a slow line. Nobody waits for it
    /// that long but who has nothing else left to do: whoever ended before would leave it to the shell.
    static let patience = Duration.milliseconds(500)

    private init(text: String, isAnswered: @escaping @Sendable (TerminalReplyFilter) -> Bool) {
        self.text = text
        self.isAnswered = isAnswered
    }

    /// Asks on `line`, off the cooperative pool.
    ///
    /// Where the last answer came, the line is as it was before. Where it did not, the line stays hushed:
    /// a late answer must not be echoed. Whoever holds it restores it.
    func ask(on line: TerminalQueryLine, limit: Duration = TerminalQuery.limit) async -> TerminalAnswers {
        await withCheckedContinuation { waiter in
            Thread.detachNewThread { waiter.resume(returning: self.askWaiting(line, limit)) }
        }
    }

    private func askWaiting(_ line: TerminalQueryLine, _ limit: Duration) -> TerminalAnswers {
        line.hush()
        line.write(text)
        return read(line, after: TerminalAnswers(), until: ContinuousClock.now + limit)
    }

    /// Goes on to read after ``ask(on:limit:)``, where the last answer had not come by then.
    func awaitRest(
        of answers: TerminalAnswers, on line: TerminalQueryLine, until deadline: ContinuousClock.Instant
    ) async -> TerminalAnswers {
        await withCheckedContinuation { waiter in
            Thread.detachNewThread {
                waiter.resume(returning: self.read(line, after: answers, until: deadline))
            }
        }
    }

    private func read(
        _ line: TerminalQueryLine, after answers: TerminalAnswers, until deadline: ContinuousClock.Instant
    ) -> TerminalAnswers {
        var answers = answers
        while !answers.isComplete, let bytes = line.read(until: deadline) {
            answers.take(bytes)
            answers.isComplete = isAnswered(answers.filter)
        }
        if answers.isComplete { line.restore(flushing: false) }
        return answers
    }
}

/// What came back from a terminal.
struct TerminalAnswers: Hashable, Sendable {
    /// Whether all has been answered that ever will be.
    var isComplete = false
    /// What was no answer: keys typed meanwhile.
    private(set) var keys: [UInt8] = []
    /// For whoever reads the terminal next: it knows of an answer of which the first half was read here.
    private(set) var filter = TerminalReplyFilter()

    var replies: [TerminalReply] { filter.replies }

    /// More than anybody types in that time is noise.
    private static let mostKeys = 64

    mutating func take(_ bytes: some Sequence<UInt8>) {
        let typed = filter.keys(in: bytes)
        keys += typed.prefix(max(0, Self.mostKeys - keys.count))
    }
}

// MARK: - What the answers say

extension TerminalAnswers {
    /// The terminal's name and version.
    var version: String? {
        for case .version(let text) in replies { return text }
        return nil
    }

    /// The class and the abilities; `nil` where the terminal has not answered.
    var attributes: [Int]? {
        for case .attributes(let numbers) in replies { return numbers }
        return nil
    }

    /// Whether it shows sixels: attribute 4, never a part of another number, nor the class in front.
    var hasSixel: Bool { attributes?.dropFirst().contains(4) ?? false }

    /// Whether it speaks kitty's graphics protocol.
    var hasKitty: Bool { replies.contains(.graphics("OK")) }

    /// A cell in pixels.
    var cell: PictureCell? {
        for case .cell(let height, let width) in replies { return PictureCell(width: width, height: height) }
        return nil
    }

    /// The cursor's place.
    var cursor: PictureBox.Cell? {
        for case .cursor(let row, let column) in replies { return .init(row: row, column: column) }
        return nil
    }
}
