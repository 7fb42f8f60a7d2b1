import Testing

@testable import Arguments

@Suite struct RecordedAnswersTests {
    @Test func `there are hundreds of recordings`() {
        #expect(Recording.all.count > 400)
    }

    @Test(arguments: Recording.all)
    func `answers as Swift Argument Parser does`(recording: Recording) async {
        let answer = await Answer(to: recording.line.words)
        // A help page ends with a newline of its own, which the recording has lost.
        var text = answer.text
        while text.last == "\n" { text.removeLast() }
        var expected = recording.answer.text
        while expected.last == "\n" { expected.removeLast() }
        #expect(text == expected)
        #expect(answer.status == recording.answer.status)
    }

    @Test(arguments: ["", "fetch", "web", "lab longer", "lab options"], [40, 60, 120])
    func `wraps help pages as Swift Argument Parser does`(page: String, width: Int) async {
        let name = ["gallery", page].filter { !$0.isEmpty }.joined(separator: " ")
        let file = name.split(separator: " ").joined(separator: "-")
        let answer = await Answer(to: page.words + ["--help"], columns: width)
        #expect(answer.text + "\n" == Fixture.text("help/\(file)-\(width).txt"))
        #expect(answer.status == 0)
    }
}
