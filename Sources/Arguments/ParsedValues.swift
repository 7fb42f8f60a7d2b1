struct ParsedValue {
    var value: Any?
    /// Whether it is on the command line; otherwise it is the default.
    var isGiven = false

    /// Appends to a list; the first value replaces the defaults.
    mutating func append<Element>(_ element: Element) {
        var list = isGiven ? value as? [Element] ?? [] : []
        // Releases the stored list first, so that appending does not copy it.
        value = nil
        list.append(element)
        value = list
    }
}

typealias ParsedValues = [PropertyKey: ParsedValue]
