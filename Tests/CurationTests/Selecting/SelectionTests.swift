import Curation
import Foundation
import Testing

@Suite struct SelectionTests {
    @Test(arguments: [
        ("7", Selection.index(7)), ("3-9", .range(3...9)), ("4-4", .range(4...4)), ("90-", .from(90)),
        ("-", .standardInput), ("007", .index(7)),
    ])
    func `a selection is read`(word: String, selection: Selection) throws {
        #expect(try Selection(word) == selection)
    }

    @Test(arguments: [
        ("https://flic.kr/p/abc", "https://flic.kr/p/abc"), ("flic.kr/p/abc", "https://flic.kr/p/abc"),
        ("HTTP://m.flickr.com/photos/a/1?b#c", "HTTP://m.flickr.com/photos/a/1?b#c"),
        ("de.wikipedia.org/wiki/Datei:Sea.jpg", "https://de.wikipedia.org/wiki/Datei:Sea.jpg"),
    ])
    func `an address is a selection, with its scheme or without`(word: String, address: String) throws {
        guard case .page(let url) = try Selection(word) else {
            Issue.record("\(word) is no address")
            return
        }
        #expect(url.absoluteString == address)
    }

    @Test(arguments: [
        ("./7", "./7"), ("/a", "/a"), ("../a", "../a"), ("~/a", "~/a"), ("~", "~"), (".", "."), ("..", ".."),
        ("a b%20.jpg", "a b%20.jpg"), ("1,3", "1,3"), ("9-3", "9-3"), ("trip.old/a.jpg", "trip.old/a.jpg"),
        ("file:///a%20b%2520.jpg", "/a b%20.jpg"), ("file:/a.jpg", "/a.jpg"), ("FILE://localhost/a", "/a"),
        ("file:///a%0Ab", "/a\nb"),
        ("7", nil), ("3-9", nil), ("90-", nil), ("-", nil), ("flic.kr/p/abc", nil),
        ("http://a.example/b", nil),
    ])
    func `a path is one where it can be nothing else, or begins as paths do`(word: String, path: String?)
        throws
    {
        let selection = try Selection(word) { _ in true }
        guard case .path(let found) = selection else { return #expect(path == nil, "\(selection)") }
        #expect(found == path)
    }

    @Test(arguments: [
        ("file:a.jpg", "a file's address is"), ("file:///%FF.jpg", "a file's address is"),
        ("file:///a%00b", "a file's address is"),
        ("", "use an index such as '7', a range such as '3-9', a photo's web address, a path, or '-'."),
        ("x", "use an index such as '7', a range such as '3-9', a photo's web address, a path, or '-'."),
        ("0", "indexes start at 1."), ("0-3", "indexes start at 1."),
        ("9-3", "write '3-9'."), ("9..3", "write '3-9'."), ("3-x", "a range is two indexes, such as '3-9'."),
        ("3-9-12", "a range is two indexes, such as '3-9'."),
        ("-5", "use an index such as '7', a range such as '3-9', a photo's web address, a path, or '-'."),
        ("+5", "use an index such as '7', a range such as '3-9', a photo's web address, a path, or '-'."),
        (
            "99999999999999999999",
            "use an index such as '7', a range such as '3-9', a photo's web address, a path, or '-'."
        ),
        ("٣", "use an index such as '7', a range such as '3-9', a photo's web address, a path, or '-'."),
        ("1,3", "write '1 3'."), ("1..3", "write '1-3'."), ("1–3,7", "write '1-3 7'."), ("4…", "write '4-'."),
        ("1,x", "use an index"), ("0,3", "use an index"),
        ("ftp://a.example/1", "a photo's address begins with 'http://' or 'https://'."),
        ("javascript://x", "a photo's address begins with 'http://' or 'https://'."),
    ])
    func `each bad form has its own sentence`(word: String, message: String) {
        let error = #expect(throws: (any Error).self) { try Selection(word) }
        #expect(error.map { "\($0)" }?.contains(message) == true, "\(error.map { "\($0)" } ?? "")")
    }

    @Test(arguments: [
        (["7"], [7...7]), (["9", "1-3"], [1...3, 9...9]), (["1-3", "8"], [1...8]),
        (["1-3", "9"], [1...3, 9...9]),
        (["1-8", "2-3"], [1...8]), (["1-10"], [1...10]), (["1-11", "2"], [2...2]), (["90-", "-"], []),
        (["20", "15", "10"], [10...20]), (["https://www.pixiv.net/artworks/1", "4"], [4...4]),
    ])
    func `indexes near each other are asked for together`(words: [String], ranges: [ClosedRange<Int>]) throws
    {
        let selections = try words.map { try Selection($0) }
        #expect(Selection.joinedRanges(selections, longest: 10, gap: 5) == ranges)
    }
}
