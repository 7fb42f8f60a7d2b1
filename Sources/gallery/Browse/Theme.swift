/// How the screen looks by night and by day.
enum Theme: String, Hashable, Sendable, Codable {
    case night, day

    var other: Theme { self == .night ? .day : .night }

    /// The escape sequence for a look; without colours, weight and reversal alone.
    func style(_ look: Frame.Look, isColoured: Bool) -> String {
        let emphasis =
            switch look {
            case .title: "1"
            case .selected: "1;7"
            case .error: "1"
            case .faint: isColoured ? "" : "2"
            case .plain, .photoBar, .preloadBar: ""
            }
        let codes = ["0", emphasis] + (isColoured ? colours(look) : [])
        return "\u{1B}[\(codes.filter { !$0.isEmpty }.joined(separator: ";"))m"
    }

    /// Of the 256 that nearly every terminal has.
    private func colours(_ look: Frame.Look) -> [String] {
        let isNight = self == .night
        let ink =
            switch look {
            case .plain, .selected: isNight ? 252 : 235
            case .title: isNight ? 255 : 232
            case .faint: isNight ? 245 : 243
            case .error: isNight ? 210 : 124
            case .photoBar: isNight ? 39 : 27
            case .preloadBar: isNight ? 41 : 28
            }
        return ["38;5;\(ink)", "48;5;\(isNight ? 234 : 231)"]
    }
}
