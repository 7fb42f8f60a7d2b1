/// A property's current value, and the tokens it came from.
struct ParsedValue {
    var value: Any?
    /// Indexes in `SplitArguments.tokens`; empty while the value is the default.
    var origin: [Int] = []

    var isGiven: Bool { !origin.isEmpty }

    /// Appends to a list; the first value replaces the defaults.
    mutating func append<Element>(_ element: Element) {
        var list = isGiven ? value as? [Element] ?? [] : []
        // Releases the stored list first, so that appending does not copy it.
        value = nil
        list.append(element)
        value = list
    }
}

/// The values of one command's properties.
///
/// A list, because a command has a few dozen properties at most, and the first use of a dictionary
/// adds more to the startup time than all lookups together.
struct ParsedValues {
    private var entries: [(key: PropertyKey, value: ParsedValue)] = []

    subscript(key: PropertyKey) -> ParsedValue? {
        get { entries.first { $0.key == key }?.value }
        set {
            entries.removeAll { $0.key == key }
            if let newValue { entries.append((key, newValue)) }
        }
    }

    /// Removes and returns the value of a property, so that it can grow without being copied.
    mutating func take(_ key: PropertyKey) -> ParsedValue {
        defer { self[key] = nil }
        return self[key] ?? ParsedValue()
    }
}
