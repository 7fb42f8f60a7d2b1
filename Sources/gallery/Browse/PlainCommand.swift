import Basics
import Curation
import Foundation

/// A line typed in `browse --plain`: a key of the screen, and what it needs.
enum PlainCommand: Hashable {
    case move(Int), go(Int)
    /// The next photo that matches; `nil` for what was looked for last.
    case find(String?)
    case details, look, fetch, mark, open, view, address, path
    /// Marks go into this list from now on; `nil` for the one without a name.
    case list(MarkListName?)
    /// From 0 to 5.
    case rate(Int)
    case undo, author, back, help, quit
    /// Only the photos that meet these conditions from now on; `nil` for all.
    case filter(BrowseFilter?)
    /// The first photo of the days that this begins with.
    case date(String)
    case feed(String)
    case marks, order, trash, untrash, run, tournament
    case mistake(String)

    /// The command that a line is, without its end: an empty one goes on.
    init(_ line: String) {
        let word = line.first.map(String.init) ?? ""
        let rest = String(line.dropFirst()).trimmingCharacters(in: .whitespaces)
        switch word {
        case "g":
            let index = Int(rest).flatMap { $0 > 0 ? min($0, Selection.mostIndex) : nil }
            self = index.map(Self.go) ?? .mistake("Type 'g' and an index, from 1.")
        case "/": self = .find(rest.isEmpty ? nil : rest)
        case "&": self = .filter(BrowseFilter(rest))
        case "D":
            self =
                PhotoSearch.isDate(rest)
                ? .date(rest) : .mistake("Type 'D' and a year, a month, or a day: D 2024-05")
        case "F": self = rest.isEmpty ? .mistake("Type 'F' and a feed: F flickr search sea") : .feed(rest)
        case "M" where rest.isEmpty: self = .list(nil)
        case "M": self = MarkListName(rest).map(Self.list) ?? .mistake(MarkListName.rule)
        default:
            self =
                (rest.isEmpty ? Self.keys[word] : nil)
                ?? .mistake("'\(PlainText.excerpt(line))' is no command; '?' lists them.")
        }
    }

    private static let keys: [String: PlainCommand] = [
        "": .move(1), " ": .move(1), "n": .move(1), "l": .move(1), "j": .move(1), "p": .move(-1),
        "h": .move(-1), "k": .move(-1), "i": .details, "e": .look, "f": .fetch, "m": .mark, "o": .open,
        "v": .view, "y": .address, "Y": .path, "0": .rate(0), "1": .rate(1), "2": .rate(2), "3": .rate(3),
        "4": .rate(4), "5": .rate(5), "u": .undo, "a": .author, "*": .marks, "O": .order, "d": .trash,
        "U": .untrash, "x": .run, "T": .tournament, "b": .back, "?": .help, "q": .quit,
    ]

    var travels: Bool {
        switch self {
        case .move, .go, .find, .filter, .date, .feed, .author, .marks, .order, .back: true
        default: false
        }
    }

    static let summary = """
        Enter, n  next            p  previous           g 7  index 7
        / text    find by title or author; / alone looks further
        & words   only photos that meet these conditions (landscape marked 4- sea); & alone: all
        D 2024-05  the first photo of that month, year, or day
        i  details                e  EXIF, exposure     v  view the file
        f  download
        o  open the page          y  its address        Y  the file's path
        m  mark or unmark         M name  mark into this list; M alone: into the one without a name
        1 to 5  stars, 0 none     u  take the last rating back
        d  move it to the trash   U  take it back       x  run --exec
        a  the author's photos    *  marked photos      F flickr search sea  another feed
        O  a folder's next order  T  find the best ten, two at a time
        b  back                   q  quit
        """
}
