import Arguments
import Foundation
import GalleryCore

/// The photos that a line names.
struct SelectionArgument: ParsableArguments {
    @Argument(
        help:
            "An index '7', a range '3-9' or '90-', a photo's web address, or '-' to read photos from standard input.",
        transform: Selection.init)
    var selection: [Selection]
}

/// Photos as a user names them: `7`, `3-9`, `90-`, a page's address, or `-`.
enum Selection: Hashable, Sendable {
    /// One place of the feed, from 1.
    case index(Int)
    /// Places of the feed, both ends among them.
    case range(ClosedRange<Int>)
    /// From a place to the feed's end.
    case from(Int)
    /// A photo's page for people.
    case page(URL)
    /// JSON lines on standard input.
    case standardInput

    /// No feed is as long, and whatever is added to it is still a number.
    static let mostIndex = 999_999_999

    /// Reads one word of the command line.
    ///
    /// - Throws: `ValidationError` that says what is wrong with this very word.
    init(_ word: String) throws {
        if word == "-" {
            self = .standardInput
        } else if word.contains("://") {
            guard let url = URL(string: word), ["http", "https"].contains(url.scheme?.lowercased()) else {
                throw ValidationError("a photo's address begins with 'http://' or 'https://'.")
            }
            self = .page(url)
        } else {
            self = try Self.indexes(word)
        }
    }

    private static func indexes(_ word: String) throws -> Selection {
        let ends = word.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = ends.first.flatMap({ number($0) }) else {
            throw ValidationError(
                "use an index such as '7', a range such as '3-9' or '90-', a photo's web address, or '-'.")
        }
        guard first >= 1 else { throw ValidationError("indexes start at 1.") }
        guard ends.count == 2 else { return .index(first) }
        guard !ends[1].isEmpty else { return .from(first) }
        guard let last = number(ends[1]) else {
            throw ValidationError("a range is two indexes, such as '3-9'.")
        }
        guard last >= first else { throw ValidationError("the range ends before it begins.") }
        return .range(first...last)
    }

    /// Digits alone: `Int` would take a sign, and an index has none.
    private static func number(_ digits: Substring) -> Int? {
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(digits).flatMap { $0 <= mostIndex ? $0 : nil }
    }
}

extension Selection {
    /// The ranges of indexes among `selections`, in order, those near each other joined to one.
    ///
    /// - Parameters:
    ///   - longest: indexes; a range of more is left out.
    ///   - gap: from the end of one range to the start of the next, at most, where they are joined.
    static func joinedRanges(_ selections: [Selection], longest: Int, gap: Int) -> [ClosedRange<Int>] {
        selections.compactMap(\.indexes).filter { $0.count <= longest }
            .sorted { $0.lowerBound < $1.lowerBound }
            .reduce(into: []) { joined, range in
                if let last = joined.last, range.lowerBound - last.upperBound <= gap {
                    joined[joined.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
                } else {
                    joined.append(range)
                }
            }
    }

    /// The indexes, where they are known beforehand.
    private var indexes: ClosedRange<Int>? {
        switch self {
        case .index(let index): index...index
        case .range(let range): range
        case .from, .page, .standardInput: nil
        }
    }
}
