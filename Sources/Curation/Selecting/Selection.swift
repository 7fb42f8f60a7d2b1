import Foundation
import GalleryCore

/// Photos as a user names them: `7`, `3-9`, `90-`, the address of a photo's page, a path, or `-`.
package enum Selection: Hashable, Sendable {
    /// The photo at this index of the feed, from 1.
    case index(Int)
    /// The photos at these indexes of the feed.
    case range(ClosedRange<Int>)
    /// Every photo from this index to the end of the feed.
    case from(Int)
    case page(URL)
    /// A file, or a folder for all of it, as it was typed.
    case path(String)
    case standardInput

    /// What is wrong with a word that is not a selection: the end of a sentence that names the word.
    package struct Malformed: Error, Hashable, CustomStringConvertible {
        /// The reason, from a lowercase letter to a full stop.
        package let description: String
    }

    /// The largest index: larger than any feed, and small enough to calculate with.
    package static let mostIndex = 999_999_999

    /// A word that can mean nothing else is a path if there is a file or folder at it.
    package init(_ word: String, isThere: (String) -> Bool = { access($0, F_OK) == 0 }) throws(Malformed) {
        if word == "-" {
            self = .standardInput
        } else if ["/", "./", "../", "~"].contains(where: word.hasPrefix) || word == "." || word == ".." {
            self = .path(word)
        } else if word.lowercased().hasPrefix("file:") {
            self = .path(try Self.path(ofAddress: word))
        } else if let url = PageAddress.url(typed: word),
            word.contains("://") || !isThere(word) || ServiceCatalog().knows(url)
        {
            self = .page(url)
        } else if word.contains("://") {
            throw Malformed(description: "a photo's address begins with 'http://' or 'https://'.")
        } else {
            do throws(Malformed) {
                self = try Self.indexes(word)
            } catch {
                // What looks like a path is one, so that it is missed as such.
                let isLikePath =
                    word.contains("/") || NameTemplate.pictureExtension(of: URL(filePath: word)) != nil
                if !word.isEmpty, isThere(word) || isLikePath {
                    self = .path(word)
                    return
                }
                throw Self.respelled(word).map { Malformed(description: "write '\($0)'.") } ?? error
            }
        }
    }

    /// The path in an address such as `file:///a%20b.jpg` or `file:/a.jpg`.
    private static func path(ofAddress word: String) throws(Malformed) -> String {
        var rest = word.dropFirst("file:".count)
        if rest.hasPrefix("//") { rest = rest.dropFirst(2).drop { $0 != "/" } }
        guard rest.hasPrefix("/"), let path = rest.removingPercentEncoding, !path.utf8.contains(0) else {
            throw Malformed(description: "a file's address is 'file://' and its path, in UTF-8.")
        }
        return path
    }

    /// Indexes and ranges as they are written, where `word` has `1,3`, `1..3`, or `1–3`; `nil` for anything else.
    private static func respelled(_ word: String) -> String? {
        let pieces = word.replacing(/\.{2,3}|[–—…]/, with: "-").split(separator: ",").map { piece in
            let ends = piece.split(separator: "-", omittingEmptySubsequences: false).map(number)
            guard ends.count == 2, let first = ends[0], let last = ends[1], last < first else {
                return String(piece)
            }
            return "\(last)-\(first)"
        }
        let isUnderstood = !pieces.isEmpty && pieces.allSatisfy { (try? indexes($0)) != nil }
        return isUnderstood ? pieces.joined(separator: " ") : nil
    }

    private static func indexes(_ word: String) throws(Malformed) -> Selection {
        let ends = word.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = ends.first.flatMap({ number($0) }) else {
            throw Malformed(
                description:
                    "use an index such as '7', a range such as '3-9', a photo's web address, a path, or '-'.")
        }
        guard first >= 1 else { throw Malformed(description: "indexes start at 1.") }
        guard ends.count == 2 else { return .index(first) }
        guard !ends[1].isEmpty else { return .from(first) }
        guard let last = number(ends[1]) else {
            throw Malformed(description: "a range is two indexes, such as '3-9'.")
        }
        guard last >= first else { throw Malformed(description: "the range ends before it begins.") }
        return .range(first...last)
    }

    /// ASCII digits only: `Int` would accept a sign.
    private static func number(_ digits: Substring) -> Int? {
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(digits).flatMap { $0 <= mostIndex ? $0 : nil }
    }
}

extension Selection {
    /// The index ranges up to `longest` in ascending order; those at most `gap` indexes apart are joined.
    package static func joinedRanges(
        _ selections: [Selection], longest: Int, gap: Int
    ) -> [ClosedRange<Int>] {
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

    private var indexes: ClosedRange<Int>? {
        switch self {
        case .index(let index): index...index
        case .range(let range): range
        case .from, .page, .path, .standardInput: nil
        }
    }
}

package enum SelectionError: ActionableError, Hashable {
    /// The feed ends before the index or indexes that `name` says, such as `photo 7` or `photos 7-9`.
    case beyondEnd(name: String, service: String, feed: String, total: Int?)
    /// The address, as plain text, is not a photo's page on any known service.
    case unknownPage(String)
    /// The address, as plain text, is of several photos, which are in a feed of a service; of an album among others.
    case listPage(String, service: String, feed: Feed, isAlbum: Bool)
    case endless
    /// The feed holds adult photos only, which were not asked for.
    case adult(Feed)
    /// The service's lists do not include tags, so no photo could match; those of `having` do.
    case noTags(service: String, having: [String])
    /// `what`, such as `Line 3 of standard input`, does not describe a photo.
    case notAPhoto(what: String)
    /// `what`, a line of `list`, is an index or a range, which no list of photos has.
    case indexInList(what: String, list: String)
    case severalLines(in: String)
    /// `what` is longer than any photo's description, in MiB.
    case tooLong(what: String, limit: Int)
    /// The file at `path`, of a photo of a folder, is not in the folder of this command.
    case outside(path: String)
    /// There is nothing, or if `isFolder` no picture, at `path`.
    case nothing(path: String, isFolder: Bool)

    package var description: String {
        switch self {
        case .beyondEnd(let name, let service, let feed, let total):
            let size = total.map { "it has \($0) \($0 == 1 ? "photo" : "photos")" } ?? "it ends before"
            let verb = name.hasPrefix("photos ") ? "are" : "is"
            if service.hasPrefix("/") { return "There \(verb) no \(name) in '\(service)': \(size)." }
            if feed == "files" { return "There \(verb) no \(name) among these files: \(size)." }
            // Marked photos are of any service.
            let origin = feed == FeedReference.wordForMarks ? "" : " of \(service)"
            return "There \(verb) no \(name) in the feed '\(feed)'\(origin): \(size)."
        case .unknownPage(let page): return "'\(page)' is not a photo's page on a known service."
        case .listPage(let page, let service, _, true):
            return "'\(page)' is an album, and albums of \(service) cannot be listed."
        case .listPage(let page, _, _, false): return "'\(page)' is not one photo."
        case .endless: return "Only the first 1,000 photos of a service's list can be put in order."
        case .adult(.popular(let ranking?, _)):
            return "The ranking '\(PlainText.excerpt(ranking))' is for adults."
        case .adult(let feed): return "The feed '\(feed.word)' is for adults."
        case .noTags(let service, _):
            return "\(service)'s lists do not include tags, so no photo would match."
        case .notAPhoto(let what): return "\(what) is not a photo."
        case .indexInList(let what, let list): return "\(what) is an index: \(list) takes addresses or JSON."
        case .severalLines(let list): return "A photo's JSON is on several lines of \(list)."
        case .tooLong(let what, let limit): return "\(what) is longer than \(limit) MiB."
        case .nothing(let path, true): return "There are no pictures in '\(path)'."
        case .nothing(let path, false): return "There is no file or folder '\(path)'."
        case .outside(let path): return "'\(path)' is not in the folder of this command."
        }
    }

    package var hint: String? {
        switch self {
        case .unknownPage: "Services: \(ServiceCatalog.names.joined(separator: ", "))."
        case .listPage(_, let service, let feed, _): "List the feed '\(feed.word)' of \(service)."
        case .endless: "Name its end, or set a limit."
        case .notAPhoto, .indexInList, .severalLines, .tooLong: "Describe each photo by one line of JSON."
        case .outside: "Name its folder with '--folder'."
        case .adult: "Include adult photos to see it."
        case .noTags(_, let having): "Services whose lists include tags: \(having.joined(separator: ", "))."
        case .beyondEnd, .nothing: nil
        }
    }
}
