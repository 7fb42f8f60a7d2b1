import Testing

@testable import Arguments

@Suite struct RecordedAnswersTests {
    /// A help page ends with a newline of its own, which the recording has lost.
    private func trimmed(_ text: String) -> String {
        var text = text
        while text.last == "\n" { text.removeLast() }
        return text
    }

    @Test func `answers as Swift Argument Parser does`() async {
        #expect(Recording.all.count > 400)
        for recording in Recording.all {
            let answer = await Answer(to: recording.line.words)
            #expect(trimmed(answer.text) == trimmed(recording.answer.text), "\(recording.line)")
            #expect(answer.status == recording.answer.status, "\(recording.line)")
        }
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
