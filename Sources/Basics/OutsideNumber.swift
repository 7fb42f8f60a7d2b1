extension Int {
    /// The whole number that `text` says, or the end of `range` that is nearest to it; `nil` where it says none. For
    /// numbers from outside that are reckoned with: however many digits somebody sends, no sum or product overflows.
    package init?(_ text: some StringProtocol, within range: ClosedRange<Int>) {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let digits = text.utf8.dropFirst(isNegative || text.utf8.first == UInt8(ascii: "+") ? 1 : 0)
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self = (Int(text) ?? (isNegative ? .min : .max)).clamped(to: range)
    }

    /// This number, or the end of `range` that is nearest to it.
    package func clamped(to range: ClosedRange<Int>) -> Int {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }

    /// What counts and lengths in a reply may be: whole numbers that every reader of JSON keeps.
    package static let outside = -(1 << 53)...(1 << 53)
}
