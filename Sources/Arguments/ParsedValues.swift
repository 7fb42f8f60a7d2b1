/// A property's value so far, and the tokens it came from.
struct ParsedValue {
    var value: Any?
    /// Places in `SplitArguments.tokens`; none while the value is the default.
    var origin: [Int] = []

    var isGiven: Bool { !origin.isEmpty }

    /// Adds to a list; the first value given replaces the defaults.
    mutating func append<Element>(_ element: Element) {
        var list = isGiven ? value as? [Element] ?? [] : []
        // Lets go of the stored list first, so that appending copies nothing.
        value = nil
        list.append(element)
        value = list
    }
}

/// The values of one command's properties.
///
/// A list, because a command has a few dozen properties at most and the first
/// use of a dictionary costs a start more than all look-ups together.
struct ParsedValues {
    private var entries: [(key: PropertyKey, value: ParsedValue)] = []

    subscript(key: PropertyKey) -> ParsedValue? {
        get { entries.first { $0.key == key }?.value }
        set {
            entries.removeAll { $0.key == key }
            if let newValue { entries.append((key, newValue)) }
        }
    }

    /// The value of a property, and no longer here: so that it can grow without being copied.
    mutating func take(_ key: PropertyKey) -> ParsedValue {
        defer { self[key] = nil }
        return self[key] ?? ParsedValue()
    }
}
