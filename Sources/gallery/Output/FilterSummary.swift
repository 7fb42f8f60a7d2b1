import GalleryCore

extension FilterRun {
    /// What was left out and why, such as `Left out 3 photos: 2 by --orientation, 1 by --unique.`; `nil` where
    /// nothing was.
    ///
    /// - Parameter more: Copies beyond those the filter has counted.
    func summary(copies more: Int = 0) -> String? {
        var counts = droppedByRule
        if more > 0 { counts[.unique, default: 0] += more }
        let dropped = dropped + more
        guard dropped > 0 else { return nil }
        let parts = PhotoFilter.Rule.allCases.compactMap { rule in
            counts[rule].map { "\($0) \(rule.reason)" }
        }
        return "Left out \(dropped) \(dropped == 1 ? "photo" : "photos"): \(parts.joined(separator: ", "))."
    }
}

extension PhotoFilter.Rule {
    /// Why photos were left out, by the option that asks for it.
    fileprivate var reason: String {
        switch self {
        case .unique: "by --unique"
        case .orientation: "by --orientation"
        case .minWidth: "by --min-width"
        case .minHeight: "by --min-height"
        case .tag: "by --tag"
        case .author: "by --author"
        case .adult: "marked adult (see --adult)"
        }
    }
}
