import GalleryCore

/// The bars at their one place: a name, the bar, how much.
struct ProgressLine {
    let columns: Int
    let tick: Int

    private static let nameWidth = 6
    /// Of ` 100 %`, and of the bytes after it.
    private static let percentWidth = 6
    private static let bytesWidth = 10
    /// In a window narrower than this the bytes are left out.
    private static let wide = 36

    /// Before the server has said anything.
    func waiting(_ name: String) -> [Frame.Span] {
        [.init(DisplayWidth.padded(name, to: Self.nameWidth), .faint), .init(Self.spinner(tick), .photoBar)]
    }

    /// As far as it has come; a spinner until the size is known.
    func line(
        _ name: String, _ progress: PhotoCursorState.Progress, _ look: Frame.Look
    ) -> [Frame.Span] {
        let label = Frame.Span(DisplayWidth.padded(name, to: Self.nameWidth), .faint)
        guard let expected = progress.expected, expected > 0 else {
            let amount = progress.received > 0 ? "  " + ByteText.amount(progress.received) : ""
            return [label, .init(Self.spinner(tick), look), .init(amount, .faint)]
        }
        let isWide = columns >= Self.wide
        let width = columns - Self.nameWidth - Self.percentWidth - (isWide ? Self.bytesWidth : 0)
        let share = min(1, Double(progress.received) / Double(expected))
        let filled = Int(Double(width) * share)
        let percent = "\(Int(share * 100)) %"
        let amount =
            String(repeating: " ", count: max(1, Self.percentWidth - percent.count)) + percent
            + (isWide ? "  " + ByteText.amount(expected) : "")
        return [
            label, .init(String(repeating: "━", count: filled), look),
            .init(String(repeating: "─", count: width - filled), .faint), .init(amount, .faint),
        ]
    }

    static func spinner(_ tick: Int) -> String {
        let marks = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
        return marks[tick % marks.count]
    }
}
