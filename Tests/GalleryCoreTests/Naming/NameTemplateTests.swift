import Foundation
import GalleryCore
import Testing

@Suite struct NameTemplateTests {
    private static let lemon = Photo(
        id: PhotoID(service: "500px", value: "4910421"), title: "Orange or lemon",
        author: Author(id: "386047", name: "Lluis de Haro Sanchez", username: "Lluisdeharo"),
        size: PixelSize(width: 472, height: 709), published: Date(timeIntervalSince1970: 1_328_772_436),
        taken: Date(timeIntervalSince1970: 0))

    /// A photo of which next to nothing is known.
    private static func photo(
        _ title: String, id: String = "7", author: Author? = nil, published: Date? = nil,
        taken: Date? = nil, pageCount: Int = 1
    ) -> Photo {
        Photo(
            id: PhotoID(service: "sample", value: id), title: title, author: author, published: published,
            taken: taken, pageCount: pageCount)
    }

    @Test(arguments: [
        ("{username}", "Lluisdeharo"), ("{year}", "2012"), ("{month}", "02"), ("{day}", "09"),
        ("{year}/{month}/{name}", "2012/02/DSC_0010.x"),
    ])
    func `names have the parts of a date, and what others call photo and author`(text: String, name: String)
        throws
    {
        let file = Rendition(
            url: try #require(URL(string: "https://a.example/full/DSC_0010.x.JPG?v=1")), size: nil)
        let photo = Self.lemon.completed(by: Photo(id: Self.lemon.id, title: "", full: file))
        #expect(try NameTemplate(text).path(for: photo) == name)
        let bare = try NameTemplate(text).path(for: Self.photo(""))
        #expect(bare == (text.hasSuffix("{name}") ? "unknown/unknown/7" : "unknown"))
    }

    // MARK: - Reading

    @Test(arguments: [
        ("", "The name template is empty."),
        ("{index:}", "The name template has a width that cannot be used: '{index:}'."),
        ("{index:0}", "The name template has a width that cannot be used: '{index:0}'."),
        ("{index:21}", "The name template has a width that cannot be used: '{index:21}'."),
        ("{index:-4}", "The name template has a width that cannot be used: '{index:-4}'."),
        ("{index:4:4}", "The name template has a width that cannot be used: '{index:4:4}'."),
        ("{title:4}", "The name template has a width that cannot be used: '{title:4}'."),
        ("{nothing:4}", "The name template has no field '{nothing:4}'."),
        ("{titel}", "The name template has no field '{titel}'."),
        ("{}", "The name template has no field '{}'."),
        ("{ID}", "The name template has no field '{ID}'."),
        ("{id", "The name template '{id' has an unmatched brace."),
        ("id}", "The name template 'id}' has an unmatched brace."),
        ("}id}", "The name template '}id}' has an unmatched brace."),
        ("{id}}", "The name template '{id}}' has an unmatched brace."),
        ("{{id}", "The name template '{{id}' has an unmatched brace."),
        ("{i/d}", "The name template '{i/d}' has an unmatched brace."),
        ("/tmp/{id}", "The name template '/tmp/{id}' is an absolute path."),
        ("/", "The name template '/' is an absolute path."),
        ("{author}//{id}", "The name template '{author}//{id}' has an empty component."),
        ("{author}/", "The name template '{author}/' has an empty component."),
        ("..", "The name template '..' has a component '..', which begins with '.', '-' or '~'."),
        ("../{id}", "The name template '../{id}' has a component '..', which begins with '.', '-' or '~'."),
        (
            "a/../{id}",
            "The name template 'a/../{id}' has a component '..', which begins with '.', '-' or '~'."
        ),
        ("./{id}", "The name template './{id}' has a component '.', which begins with '.', '-' or '~'."),
        (".{id}", "The name template '.{id}' has a component '.{id}', which begins with '.', '-' or '~'."),
        ("-{id}", "The name template '-{id}' has a component '-{id}', which begins with '.', '-' or '~'."),
        ("~/{id}", "The name template '~/{id}' has a component '~', which begins with '.', '-' or '~'."),
    ])
    func `a template that cannot be used says why`(text: String, message: String) {
        let error = #expect(throws: NameTemplateError.self) { try NameTemplate(text) }
        #expect(error?.description == message)
    }

    @Test func `an unknown field lists the known ones`() {
        let error = #expect(throws: NameTemplateError.self) { try NameTemplate("{titel}") }
        let fields = """
            {index} {service} {id} {title} {author} {username} {name} {date} {year} {month} {day} {width} {height} \
            {page} {ext} {size}
            """
        #expect(error?.hint == "Use text and the fields \(fields).")
    }

    @Test(arguments: [("{id}", true), ("{author}/{id}_{title}", true), ("{title}", false), ("id", false)])
    func `a template knows whether it names the photo`(text: String, hasID: Bool) throws {
        #expect(try NameTemplate(text).hasID == hasID)
    }

    // MARK: - Names

    @Test(arguments: [
        ("{id}_{title}", "4910421_Orange or lemon"),
        ("{index}", "12"),
        ("{service}/{author}/{date} {title}", "500px/Lluis de Haro Sanchez/2012-02-09 Orange or lemon"),
        ("{width}x{height}", "472x709"),
        ("{title} ({page})", "Orange or lemon (0)"),
        ("photo", "photo"),
        ("a:b/{id}", "a_b/4910421"),
        ("{id}{id}", "49104214910421"),
        (" {title}", "Orange or lemon"),
        ("con/{id}", "_con/4910421"),
        ("x.part/{id}", "x_part/4910421"),
    ])
    func `fields are filled in`(template: String, path: String) throws {
        #expect(try NameTemplate(template).path(for: Self.lemon, index: 12) == path)
    }

    @Test(arguments: [
        ("{index}", "7"), ("{author}/{id}", "unknown/7"), ("{date}", "unknown"),
        ("{width}x{height}", "unknownxunknown"), ("{id}_{title}", "7_untitled"), ("{title}", "7"),
        ("{author}_{title}", "unknown_7"), ("{title}/{id}", "untitled/7"),
    ])
    func `what a photo lacks has a word`(template: String, path: String) throws {
        #expect(try NameTemplate(template).path(for: Self.photo("")) == path)
        #expect(try NameTemplate(template).path(for: Self.photo("\u{200B} ..")) == path)
    }

    @Test(arguments: [
        (Author(id: "9", name: "Ann", username: "ann_x"), "Ann"),
        (Author(id: "9", name: " ", username: "ann_x"), "ann_x"),
        (Author(id: "9", name: "\u{200B}", username: nil), "9"),
        (Author(name: ".."), "unknown"),
        (Author(name: "AC/DC"), "AC_DC"),
        (Author(name: "../.."), "_"),
        (Author(name: "NUL"), "_NUL"),
    ])
    func `an author is a folder and never a way out`(author: Author, folder: String) throws {
        let path = try NameTemplate("{author}/{id}").path(for: Self.photo("x", author: author))
        #expect(path == folder + "/7")
    }

    @Test(arguments: [
        (0.0, "1970-01-01"), (-1, "1969-12-31"), (1_709_164_799, "2024-02-28"), (1_709_251_199, "2024-02-29"),
        (253_402_300_799, "9999-12-31"), (253_402_300_800, "unknown"), (-62_135_596_801, "unknown"),
        (1e300, "unknown"), (.infinity, "unknown"), (.nan, "unknown"),
    ])
    func `a date is a day in UTC`(seconds: Double, day: String) throws {
        let date = Date(timeIntervalSince1970: seconds)
        let template = try NameTemplate("{date}")
        #expect(template.path(for: Self.photo("", published: date)) == day)
        #expect(template.path(for: Self.photo("", taken: date)) == day)
    }

    @Test(arguments: [
        ("{id}", "../x", "{title}", "{title}"),
        ("{title}", "{id}/{author}", "", "{id}_{author}"),
        ("{title}_{id}", "a/b", "", "a_b_7"),
        ("x{title}", "../..", "", "x.._"),
        ("{title}{title}", ".", "", "77"),
    ])
    func `a value is text, whatever it looks like`(
        template: String, title: String, id: String, path: String
    ) throws {
        let photo = Self.photo(title, id: id.isEmpty ? "7" : id)
        #expect(try NameTemplate(template).path(for: photo) == path)
    }

    // MARK: - Pages

    @Test(arguments: [
        ("{id}", 1, 0, "7"), ("{id}", 3, 0, "7_p0"), ("{id}", 3, 2, "7_p2"), ("{id}", 1, 2, "7_p2"),
        ("{id}/{page}", 3, 2, "7/2"), ("{page}/{id}", 3, 2, "2/7"), ("{id}_{page}", 1, 0, "7_0"),
    ])
    func `pages of a work are told apart`(template: String, pageCount: Int, page: Int, path: String) throws {
        let photo = Self.photo("x", pageCount: pageCount)
        #expect(try NameTemplate(template).path(for: photo, page: page) == path)
    }

    // MARK: - Length

    @Test(arguments: [
        ("{id}_{title}", "7_", ""), ("{title}_{id}", "", "_7"), ("{title} by {author}", "", "Ann"),
        ("{author}/{title}_{page}", "Ann/", "_0"), ("{title}{title}{id}", "", "7"),
    ])
    func `a long title gives way, not what stands around it`(
        template: String, start: String, end: String
    ) throws {
        for letter in ["a", "語", "👍🏽"] {
            let title = String(repeating: letter, count: 3000)
            let photo = Self.photo(title, author: Author(name: "Ann"))
            let path = try NameTemplate(template).path(for: photo)
            let file = path.split(separator: "/").last ?? ""
            #expect(path.hasPrefix(start) && path.hasSuffix(end))
            #expect((220...240).contains(file.utf8.count), "\(path)")
            #expect(path.split(separator: Character(letter)).allSatisfy { $0.utf8.count < 12 })
        }
    }

    @Test func `a short author leaves its room to the title`() throws {
        let photo = Self.photo(
            String(repeating: "a", count: 500), author: Author(name: String(repeating: "b", count: 20)))
        let path = try NameTemplate("{title}{author}").path(for: photo)
        #expect(path == String(repeating: "a", count: 219) + String(repeating: "b", count: 20))
    }

    @Test func `pages stay apart where the template leaves no room for them`() throws {
        let template = try NameTemplate(String(repeating: "x", count: 300) + "{page}")
        let photo = Self.photo("", pageCount: 2)
        let paths = [0, 1].map { template.path(for: photo, page: $0) }
        #expect(paths.map { $0.suffix(4) } == ["x_p0", "x_p1"])
        #expect(paths.allSatisfy { $0.utf8.count <= 240 })
    }

    // MARK: - Widths, sizes, extensions

    @Test(arguments: [
        ("{index:4}", "0007"), ("{index:1}", "7"), ("{width:6}x{height:2}", "000472x709"),
        ("{page:3}", "000"), ("{index:4}_{id}", "0007_4910421"),
    ])
    func `numbers are padded`(template: String, path: String) throws {
        #expect(try NameTemplate(template).path(for: Self.lemon, index: 7) == path)
    }

    @Test func `a photo without an index is named by its identifier, unpadded`() throws {
        #expect(try NameTemplate("{index:9}").path(for: Self.lemon) == "4910421")
        #expect(try NameTemplate("{width:9}").path(for: Self.photo("a")) == "unknown")
    }

    @Test(arguments: [
        "{id}", "{id}.jpg", "{id}.JPEG", "{id}.png", "{id}.webp", "{id}.{ext}",
    ])
    func `an extension at the end is not added twice`(template: String) throws {
        #expect(try NameTemplate(template).path(for: Self.lemon) == "4910421")
    }

    @Test(arguments: [
        ("{id}.html", "4910421.html"), ("{id}jpg", "4910421jpg"), ("a.jpg/{id}", "a.jpg/4910421"),
        ("{id}.jpg.x", "4910421.jpg.x"), ("jpg", "jpg"),
    ])
    func `what is no picture's extension at the end stays`(template: String, path: String) throws {
        #expect(try NameTemplate(template).path(for: Self.lemon) == path)
    }

    @Test func `size and extension are those of the file`() throws {
        let photo = Photo(
            id: PhotoID(service: "s", value: "1"), title: "",
            thumbnail: Rendition(url: try #require(URL(string: "https://h/a.webp?x=.gif")), size: nil),
            full: Rendition(url: try #require(URL(string: "https://h/a.JPEG")), size: nil))
        let template = try NameTemplate("{size}/{ext}/{id}")
        #expect(template.path(for: photo) == "full/jpg/1")
        #expect(template.path(for: photo, size: .thumbnail) == "thumbnail/webp/1")
        #expect(template.path(for: Self.photo("a")) == "full/jpg/7")
    }
}
