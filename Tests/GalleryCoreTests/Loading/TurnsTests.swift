import Foundation
import Testing

@testable import GalleryCore

/// Lists taken in turns, without any request.
@Suite struct TurnsTests {
    private func photos(_ words: String) -> [Photo] {
        words.split(separator: " ").map { Photo(id: PhotoID(service: "any", value: String($0)), title: "") }
    }

    /// The first `count` photos of `lists`, of which pages of `size` are loaded when they are missing, and the lists
    /// whose pages were loaded, in order.
    private func merge(_ lists: [String], size: Int, count: Int) -> (photos: String, loads: String) {
        var turns = Turns(lists.count)
        var pages = lists.map { photos($0).chunked(size)[...] }
        var (merged, loads): ([String], [String]) = ([], [])
        while merged.count < count {
            if let photo = turns.take(where: { photo, _ in !merged.contains(photo.id.value) }) {
                merged.append(photo.id.value)
                continue
            }
            let missing = turns.missing(for: count - merged.count)
            guard !missing.isEmpty else { break }
            loads.append(missing.map(String.init).joined())
            for list in missing {
                if let page = pages[list].popFirst() { turns.add(page, to: list) } else { turns.end(list) }
            }
        }
        return (merged.joined(separator: " "), loads.joined(separator: " "))
    }

    @Test(arguments: [
        // lists, page size, photos wanted: photos, and what was loaded when.
        (["a b c", "1 2 3"], 3, 6, "a 1 b 2 c 3", "01"),
        (["a b c", "1 2 3", "x y z"], 9, 7, "a 1 x b 2 y c", "012"),
        (["a b c", "1", "x y"], 9, 9, "a 1 x b y c", "012 1 20"),
        (["", "1 2", ""], 9, 9, "1 2", "012 1"),
        (["", ""], 9, 9, "", "01"), (["a b"], 9, 9, "a b", "0 0"),
        // No more than what is wanted needs.
        (["a b", "1 2", "x y"], 2, 2, "a 1", "01"), (["a b", "1 2", "x y"], 2, 1, "a", "0"),
        (["a b", "1 2", "x y"], 1, 4, "a 1 x b", "012 0"),
        (["a b c d", "1 2 3 4"], 2, 8, "a 1 b 2 c 3 d 4", "01 01"),
        // One that is there already costs its list no turn.
        (["a b c", "a 2 b"], 3, 9, "a 2 b c", "01 1 0"),
        (["a b", "a b", "a b"], 1, 9, "a b", "012 10 21 2 0"),
    ])
    func `each list gives one in turn`(lists: [String], size: Int, count: Int, merged: String, loads: String)
    {
        let outcome = merge(lists, size: size, count: count)
        #expect(outcome.photos == merged)
        #expect(outcome.loads == loads)
    }

    @Test func `they are over once every list has ended and is empty`() {
        var turns = Turns(2)
        #expect(!turns.areOver)
        turns.add(photos("a"), to: 0)
        turns.end(0)
        turns.end(1)
        #expect(!turns.areOver && turns.missing(for: 5).isEmpty)
        let last = turns.take { _, _ in true }
        #expect(last?.id.value == "a" && turns.areOver)
        let none = turns.take { _, _ in true }
        #expect(none == nil)
    }

    // MARK: - The same works

    private func photo(_ service: String, _ id: String, page: String? = nil, file: String? = nil) -> Photo {
        Photo(
            id: PhotoID(service: service, value: id), title: "", page: page.flatMap { URL(string: $0) },
            full: file.flatMap { URL(string: $0) }.map { Rendition(url: $0, size: nil) })
    }

    /// Whether the second photo is another work than the first, which the list before it had.
    private func areDifferent(_ one: Photo, _ other: Photo) -> Bool {
        var known = KnownWorks(ServiceCatalog())
        let isFirst = known.isNew(one, of: 0)
        #expect(isFirst)
        return known.isNew(other, of: 1)
    }

    @Test(arguments: [
        ("https://a.example/p/1", "https://a.example/p/1", false),
        ("https://a.example/p/1", "http://A.example/p/1/#top", false),
        ("https://a.example/p/1", "https://a.example/p/1?utm_source=x&utm_medium=y", false),
        ("https://a.example/S%C3%A9a%27.jpg", "https://a.example/S\u{E9}a'.jpg", false),
        ("https://a.example/p/1", "https://a.example/p/2", true),
        ("https://a.example/p?id=1", "https://a.example/p?id=2", true),
        ("https://a.example/p?a=1&b=2", "https://a.example/p?b=2&a=1", false),
        // A site's own address is no work's.
        ("https://a.example/", "https://a.example", true),
    ])
    func `a page is the same by its address`(one: String, other: String, isNew: Bool) {
        #expect(areDifferent(photo("a", "1", page: one), photo("b", "2", page: other)) == isNew)
        #expect(areDifferent(photo("a", "1", file: one), photo("b", "2", file: other)) == isNew)
    }

    @Test func `a file of Commons is the same by its number, its title, and its file`() {
        let title = "https://commons.wikimedia.org/wiki/File:Sea_(1).jpg"
        let file = "https://upload.wikimedia.org/wikipedia/commons/a/ab/Sea_%281%29.jpg"
        let commons = photo("commons", "149293632", page: title, file: file + "?utm_source=x")
        for other in [
            photo("openverse", "u", page: "https://commons.wikimedia.org/w/index.php?curid=149293632"),
            photo("openverse", "u", page: "https://o.example/1", file: file),
            photo("openverse", "u", file: file.replacing("upload.", with: "thumb.")),
            photo("flickr", "1", page: "https://de.wikipedia.org/wiki/Datei:Sea_(1).jpg"),
        ] {
            #expect(!areDifferent(commons, other))
            #expect(!areDifferent(other, commons))
        }
        #expect(areDifferent(commons, photo("openverse", "149293632", page: "https://o.example/1")))
    }

    @Test func `several photos of one page are several works of their own service`() {
        var known = KnownWorks(ServiceCatalog())
        for id in ["1", "2"] {
            let isNew = known.isNew(photo("a", id, page: "https://a.example/post"), of: 0)
            #expect(isNew)
        }
        let isNew = known.isNew(
            photo("b", "3", page: "https://a.example/post", file: "https://f.example/3"), of: 1)
        #expect(!isNew)
        // What is known of a work that was left out leads on.
        let third = known.isNew(photo("c", "4", file: "https://f.example/3"), of: 2)
        #expect(!third)
        // It is the first list's, whoever else has it once more.
        let fourth = known.isNew(photo("b", "5", file: "https://f.example/3"), of: 1)
        #expect(!fourth)
        // A ranking that has moved repeats a photo.
        let again = known.isNew(photo("a", "1"), of: 0)
        #expect(!again)
    }
}

extension Array {
    fileprivate func chunked(_ size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
