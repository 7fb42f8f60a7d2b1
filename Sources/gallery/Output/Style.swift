/// Emphasis, if the terminal shows any.
struct Style: Sendable {
    let isOn: Bool

    func bold(_ text: String) -> String { isOn ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
}
