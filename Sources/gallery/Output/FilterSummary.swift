import Curation
import Foundation
import GalleryCore
import Synchronization

/// How far a search through many photos has come, for the progress line.
final class SearchProgress: Sendable {
    private let state = Mutex<FilterRun.Progress?>(nil)

    @Sendable func take(_ progress: FilterRun.Progress) { state.withLock { $0 = progress } }

    /// Such as `searched 1,200 photos, 3 match`; `nil` before the first.
    var text: String? {
        state.withLock { progress in
            progress.map { "searched \(FilterRun.grouped($0.seen)) photos, \($0.passed) match" }
        }
    }
}

extension FilterRun {
    /// Says what was left out and why, such as `Left out 3 photos: 2 by --orientation, 1 by --unique.`, and where the
    /// search was given up. `more` and `others` are duplicates that the filter has not counted.
    func tell(
        duplicates more: Int = 0, named others: [String] = [], unwanted: Int = 0, _ terminal: Terminal
    ) {
        var counts = droppedByRule
        if more > 0 { counts[.unique, default: 0] += more }
        if unwanted > 0 { counts[.bytes] = unwanted }
        let dropped = dropped + more + unwanted
        if dropped > 0 {
            let parts = PhotoFilter.Rule.allCases.compactMap { rule in
                counts[rule].map { count in
                    guard let ownRules else { return "\(count) \(rule.reason)" }
                    let names = namesByRule[rule, default: []] + (rule == .unique ? others : [])
                    let some = names.prefix(20).map(PlainText.line).joined(separator: ", ")
                    let reason = ownRules.contains(rule) ? "by \(rule.rawValue)" : rule.reason
                    return "\(count) \(reason) (\(some)\(count > 20 ? ", …" : ""))"
                }
            }
            let photos = dropped == 1 ? "photo" : "photos"
            terminal.message("Left out \(dropped) \(photos): \(parts.joined(separator: ", ")).")
        }
        if let orderedFirst { terminal.message("Sorted the first \(Self.grouped(orderedFirst)).") }
        guard isGivenUp else { return }
        terminal.message(
            "Stopped after \(Self.grouped(patience)) photos without a match. "
                + "Name a range or a higher '--limit' to look further.")
    }

    /// `1,200`.
    fileprivate static func grouped(_ count: Int) -> String {
        count.formatted(.number.locale(Locale(identifier: "en_US")))
    }
}

extension PhotoFilter.Rule {
    fileprivate var reason: String {
        switch self {
        case .adult: "marked adult (see --adult)"
        case .bytes: "by --min-bytes or --max-bytes"
        default: "by --\(rawValue)"
        }
    }
}
