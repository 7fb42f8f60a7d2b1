import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite(.fewAtOnce) struct NameAssignmentTests {
    private typealias Owner = NameAssignment.Owner

    private func photo(
        _ id: String, _ title: String, service: String = "sample", pageCount: Int = 1
    ) -> Photo {
        Photo(id: PhotoID(service: service, value: id), title: title, pageCount: pageCount)
    }

    /// One photo of a run, and which of its pages.
    private struct Wish {
        let photo: Photo
        let index: Int?
        let pages: [Int]

        init(_ photo: Photo, index: Int? = nil, pages: [Int] = [0]) {
            self.photo = photo
            self.index = index
            self.pages = pages
        }
    }

    private func paths(
        _ wishes: [Wish], _ template: String = "{title}", taken: [(String, Owner)] = []
    ) throws -> [String] {
        var assignment = NameAssignment(template: try NameTemplate(template))
        for (path, owner) in taken { assignment.record(path, of: owner) }
        return wishes.flatMap { assignment.names(of: $0.photo, index: $0.index, pages: $0.pages) }.map(\.path)
    }

    // MARK: - Within a run

    @Test(arguments: [
        ("equal", ["Sunset", "Sunset"], ["Sunset", "Sunset_2"]),
        ("three", ["Sunset", "Sunset", "Sunset"], ["Sunset", "Sunset_2", "Sunset_3"]),
        ("case", ["Sunset", "SUNSET"], ["Sunset", "SUNSET_2"]),
        ("form", ["é", "e\u{301}"], ["é", "é_2"]),
        ("equal after cleaning", ["a/b", "a:b"], ["a_b", "a_b_2"]),
        ("invisible", ["a", "a\u{200B}"], ["a", "a_2"]),
        ("different", ["a", "b"], ["a", "b"]),
        ("a title like what is added", ["a_2", "a", "a"], ["a_2", "a", "a_3"]),
        (
            "a title that takes the place", ["a_2", "a_sample_2", "a", "a"],
            ["a_2", "a_sample_2", "a", "a_4"]
        ),
        ("empty", ["", ""], ["1", "2"]),
    ])
    func `the later of two photos gets its identifier`(
        what: String, titles: [String], names: [String]
    ) throws {
        let wishes = titles.enumerated().map { Wish(photo("\($0.offset + 1)", $0.element)) }
        #expect(try paths(wishes) == names)
    }

    @Test func `a name that was recorded without its joiners stays as it is`() throws {
        let photo = photo("1", "می\u{200C}خواهم")
        let taken = [("میخواهم", Owner(photo: photo.id))]
        #expect(try paths([Wish(photo)], taken: taken) == ["میخواهم"])
        #expect(try paths([Wish(photo)]) == ["می\u{200C}خواهم"])
        let other = [("میخواهم", Owner(photo: PhotoID(service: "sample", value: "2")))]
        #expect(try paths([Wish(photo)], taken: other) == ["می\u{200C}خواهم_1"])
    }

    @Test func `who takes every name that could be added meets a number`() throws {
        let wishes = [
            Wish(photo("1", "a")), Wish(photo("2", "a_9")), Wish(photo("3", "a_sample_9")),
            Wish(photo("4", "a_sample_9_2")), Wish(photo("9", "a")),
        ]
        #expect(try paths(wishes).last == "a_sample_9_3")
    }

    @Test func `equal identifiers of two services are told apart by the service`() throws {
        let wishes = [
            Wish(photo("7", "a", service: "flickr")), Wish(photo("7", "a", service: "pixiv")),
            Wish(photo("7", "b", service: "500px")), Wish(photo("7", "b", service: "commons")),
        ]
        #expect(try paths(wishes, "{id}_{title}") == ["7_a", "7_a_pixiv", "7_b", "7_b_commons"])
        #expect(try paths(wishes, "{id}") == ["7", "7_pixiv", "7_500px", "7_commons"])
    }

    @Test func `one picture twice has one name, unless its index is in it`() throws {
        let wishes = [
            Wish(photo("1", "a"), index: 3), Wish(photo("2", "a"), index: 4), Wish(photo("1", "a"), index: 9),
        ]
        #expect(try paths(wishes) == ["a", "a_2", "a"])
        #expect(try paths(wishes, "{index}_{title}") == ["3_a", "4_a", "9_a"])
        let neighbors = [3, 4].map { Wish(photo("1", "a"), index: $0) }
        #expect(try paths(neighbors, "{index}_{title}") == ["3_a", "4_a"])
    }

    @Test func `folders of one name are shared, files in them are not`() throws {
        let wishes = [Wish(photo("1", "a")), Wish(photo("2", "a")), Wish(photo("3", "A"))]
        #expect(try paths(wishes, "{title}/x") == ["a/x", "a/x_2", "A/x_3"])
    }

    @Test func `all pages of a work are named alike`() throws {
        let one = photo("1", "a", pageCount: 2)
        let other = photo("2", "a", pageCount: 3)
        let wishes = [Wish(one, pages: [0, 1]), Wish(other, pages: [0, 1, 2])]
        #expect(try paths(wishes) == ["a_p0", "a_p1", "a_2_p0", "a_2_p1", "a_2_p2"])
        #expect(try paths(wishes, "{title}/{page}") == ["a/0", "a/1", "a/0_2", "a/1_2", "a/2_2"])
    }

    @Test func `what is added is never cut`() throws {
        let title = String(repeating: "語", count: 300)
        let names = try paths([
            Wish(photo("1", title)), Wish(photo("2", title)), Wish(photo("3", title + "x")),
        ])
        #expect(names.map { $0.suffix(2) } == ["語語", "_2", "_3"])
        #expect(names.allSatisfy { (230...240).contains($0.utf8.count) })
    }

    // MARK: - From run to run

    @Test func `a recorded name stays, in whatever order the feed comes`() throws {
        let wishes = [Wish(photo("1", "a")), Wish(photo("2", "a")), Wish(photo("3", "a"))]
        let taken = zip(try paths(wishes), wishes).map { ($0, Owner(photo: $1.photo.id)) }
        #expect(taken.map(\.0) == ["a", "a_2", "a_3"])
        for order in [[2, 1, 0], [1, 0, 2], [2, 0, 1]] {
            let names = try paths(order.map { wishes[$0] }, taken: taken)
            #expect(names == order.map { ["a", "a_2", "a_3"][$0] })
        }
    }

    @Test func `another photo's recorded name is taken though that photo is not wanted`() throws {
        let taken = [("SUNSET", Owner(photo: PhotoID(service: "sample", value: "1")))]
        #expect(try paths([Wish(photo("2", "Sunset"))], taken: taken) == ["Sunset_2"])
        #expect(try paths([Wish(photo("1", "Sunset"))], taken: taken) == ["Sunset"])
    }

    @Test func `a photo keeps its longer name after the plain one became free`() throws {
        let taken = [("a_2", Owner(photo: PhotoID(service: "sample", value: "2")))]
        #expect(try paths([Wish(photo("1", "a")), Wish(photo("2", "a"))], taken: taken) == ["a", "a_2"])
        #expect(try paths([Wish(photo("2", "a"))], taken: taken) == ["a_2"])
    }

    @Test func `of two recorded names that differ in case the later counts`() throws {
        let taken = [
            ("a", Owner(photo: PhotoID(service: "sample", value: "1"))),
            ("A", Owner(photo: PhotoID(service: "sample", value: "2"))),
        ]
        #expect(try paths([Wish(photo("1", "a")), Wish(photo("2", "a"))], taken: taken) == ["a_1", "a"])
    }

    @Test func `a photo recorded under another title takes the new one`() throws {
        let taken = [("old", Owner(photo: PhotoID(service: "sample", value: "2")))]
        #expect(try paths([Wish(photo("2", "new"))], taken: taken) == ["new"])
    }

    @Test func `a name recorded for one page is not another page's`() throws {
        let taken = [("a_p1", Owner(photo: PhotoID(service: "sample", value: "1"), page: 0))]
        let work = photo("1", "a", pageCount: 2)
        #expect(try paths([Wish(work, pages: [0, 1])], taken: taken) == ["a_1_p0", "a_1_p1"])
    }

    @Test func `photos behind do not change a name`() throws {
        let wishes = ["a", "A", "b", "a", "a_2", "b"].enumerated()
            .map { Wish(photo("\($0.offset)", $0.element)) }
        let names = try paths(wishes)
        for count in 0..<wishes.count {
            #expect(try paths(Array(wishes.prefix(count))) == Array(names.prefix(count)))
        }
    }

    // MARK: - Unique

    @Test(arguments: [
        ("{id}_{title}", "4910421", "Sunset", true),
        ("{title}", "4910421", "Sunset", false),
        ("{id}", "Ascent", "Sunset", false),
        ("{id}", "-5", "Sunset", false),
        ("{title}_{id}", "7", String(repeating: "a", count: 300), true),
        (String(repeating: "x", count: 239) + "{id}", "7", "Sunset", false),
        (String(repeating: "x", count: 238) + "{id}", "7", "Sunset", true),
    ])
    func `a name is a photo's alone where its whole identifier is in it`(
        template: String, id: String, title: String, isUnique: Bool
    ) throws {
        var assignment = NameAssignment(template: try NameTemplate(template))
        #expect(assignment.names(of: photo(id, title)).map(\.isUnique) == [isUnique])
    }

    // MARK: - Anything at all

    @Test(arguments: ["{title}", "{id}_{title}", "{author}/{title}", "{title}/{page}", "x", "{index}"])
    func `a thousand hostile photos never share a name`(template: String) throws {
        var random = SeededGenerator(seed: 21)
        let titles = [
            "", "a", "A", "a_1", "a_sample_1", "..", "a_p0", "a_1_p0", "é", "e\u{301}", "a/b", "a_b",
        ]
        let ids = ["1", "01", "-1", "1_p0", "a", "A", "..", "", "1_2"]
        var assignment = NameAssignment(template: try NameTemplate(template))
        var owners: [String: Owner] = [:]
        for _ in 0..<Thorough.rounds(1000, few: 200) {
            let pageCount = Int.random(in: 1...3, using: &random)
            let photo = photo(
                (ids.randomElement(using: &random) ?? "") + "\(Int.random(in: 0...40, using: &random))",
                titles.randomElement(using: &random) ?? "",
                service: ["sample", "sample_1"].randomElement(using: &random) ?? "", pageCount: pageCount)
            let names = assignment.names(of: photo, pages: Array(0..<pageCount))
            #expect(names.count == pageCount)
            for (page, name) in names.enumerated() {
                let owner = Owner(photo: photo.id, page: page)
                let key = FileName.collisionKey(name.path)
                #expect(owners[key] == nil || owners[key] == owner, "\(name.path)")
                owners[key] = owner
            }
        }
        #expect(owners.count > 60)
    }

    // MARK: - Pictures of folders

    private func picture(_ path: String, in folder: String) -> Photo {
        let file = Rendition(url: FolderFile.address(folder + "/" + path), size: nil)
        return Photo(id: PhotoID(service: Folder.word, value: path), title: "Title", full: file)
    }

    @Test func `a folder's pictures keep their names, and a raw file beside its picture too`() {
        var names = NameAssignment(template: .standard)
        let pictures = [
            picture("x.jpg", in: "/a"), picture("x.NEF", in: "/a"), picture("s/x.JPEG", in: "/a"),
            picture("x.jpg", in: "/b"), picture("/c/x.jpg", in: ""), photo("1", "x"),
        ]
        let found = pictures.flatMap { names.names(of: $0) }.map(\.path)
        #expect(found[..<2] == ["x", "x"] && found[5] == "1_x" && Set(found).count == 5, "\(found)")
        #expect(
            found[2].hasPrefix("x_s_x.JPEG~") && found[3] == "x_x.jpg" && found[4].count == 10, "\(found)")
        // The same on every run.
        var again = NameAssignment(template: .standard)
        for (name, picture) in zip(found, pictures) {
            let ending = picture.ownFile?.pathExtension ?? "jpg"
            again.record(name, ending: ending.lowercased(), of: Owner(photo: picture.lastingID))
        }
        #expect(pictures.reversed().flatMap { again.names(of: $0) }.map(\.path) == found.reversed())
    }

    @Test(arguments: [
        PhotoID(service: Folder.word, value: "/a/x.jpg"), PhotoID(service: Folder.word, value: "x.jpg"),
    ])
    func `a picture that was copied under an older usual name stays there`(owner: PhotoID) throws {
        var names = NameAssignment(template: .standard)
        names.record("x.jpg_Title", ending: "jpg", of: Owner(photo: owner))
        #expect(names.names(of: picture("x.jpg", in: "/a")).map(\.path) == ["x.jpg_Title"])
        var chosen = NameAssignment(template: try NameTemplate("{name}"))
        chosen.record("x.jpg_Title", ending: "jpg", of: Owner(photo: owner))
        #expect(chosen.names(of: picture("x.jpg", in: "/a")).map(\.path) == ["x"])
    }

    // MARK: - Sizes

    @Test func `a thumbnail has a name of its own by default`() {
        var names = NameAssignment(template: .standard(for: .thumbnail), size: .thumbnail)
        names.record("1_a", of: Owner(photo: photo("1", "a").id))
        #expect(names.names(of: photo("1", "a")).map(\.path) == ["1_a_thumbnail"])
        #expect(names.names(of: photo("2", "b")).map(\.path) == ["2_b_thumbnail"])
    }
}
