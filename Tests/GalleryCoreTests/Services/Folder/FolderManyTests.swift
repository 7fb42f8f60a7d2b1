import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

/// Folders of many pictures.
@Suite(.fewAtOnce, .timeLimit(.minutes(5))) struct FolderManyTests {
    private let picture = Pictures.png(width: 40, height: 30)

    @Test(.thorough)
    func `pages of 2,000 pictures fit together, wherever one begins`() async throws {
        try await withAlbum { album in
            var generator = SeededGenerator(seed: 7)
            // Some of one moment, some no pictures, some broken, in fifty folders.
            let ages = (0..<2000).map { _ in Int.random(in: 0..<1000, using: &generator) }
            var wanted: [(path: String, age: Int)] = []
            for (number, age) in ages.enumerated() {
                let path = "\(number % 50)/\(number).png"
                switch number % 100 {
                case 7: try album.add("\(number % 50)/\(number).txt", Data("text".utf8), age: age)
                case 8: try album.add(path, picture.prefix(20), age: age)
                default:
                    try album.add(path, picture, age: age)
                    wanted.append((path, age))
                }
            }
            wanted.sort { one, other in
                if one.age != other.age { return one.age < other.age }
                let (left, right) = (one.path.split(separator: "/"), other.path.split(separator: "/"))
                return (left[0] + "/", left[1]) < (right[0] + "/", right[1])
            }
            let paths = wanted.map(\.path)
            let all = try await album.list(.popular(), 1...3000)
            #expect(all.photos.map(\.photo.id.value) == paths)
            #expect(all.photos.map(\.index) == Array(1...1960))
            #expect(all.total == 1960)
            #expect(!all.hasMore)
            #expect(album.warnings.count == 21)
            #expect(album.warnings.last == "folder has 20 documents.")
            for turn in 0..<25 {
                let first = Int.random(in: 1...1960, using: &generator)
                let last = min(first + Int.random(in: 0..<150, using: &generator), 1960)
                // Some as if in a process of their own.
                let page = try await (turn < 5 ? Album(album.folder) : album).list(.popular(), first...last)
                #expect(page.photos.map(\.photo.id.value) == Array(paths[first - 1..<last]))
                #expect(page.photos.first?.index == first)
                #expect(page.hasMore == (last < 1960))
            }
        }
    }

    @Test func `looks only as far as it must, and knows the total once it has seen all`() async throws {
        try await withAlbum { album in
            for number in 0..<700 { try album.add("\(number).png", picture, age: number) }
            try album.add("cut.png", picture.prefix(20), age: 650)
            #expect(try await album.list(.popular(), 1...20).total == nil)
            #expect(album.warnings.isEmpty)
            #expect(try await album.list(.popular(), 301...320).total == 700)
            #expect(album.warnings.count == 1)
        }
    }

    @Test func `pictures that come while somebody pages shift nothing until the first is asked for again`()
        async throws
    {
        try await withAlbum { album in
            for number in 0..<30 { try album.add("\(number).png", picture, age: 100 + number) }
            #expect(try await album.paths(.popular(), 1...10) == (0..<10).map { "\($0).png" })
            try album.add("new.png", picture)
            #expect(try await album.paths(.popular(), 21...30) == (20..<30).map { "\($0).png" })
            #expect(try await album.paths(.popular(), 1...2) == ["new.png", "0.png"])
        }
    }
}
