import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite struct WebFeedTests {
    private static let address = "http://127.0.0.1/blog/feed.xml"
    private let service = WebFeed(api: WebAPI("feed", at: URL(string: address)))
    private let slice = PageSlice(number: 1, size: 100)

    private func list(_ body: Data) throws -> Page {
        var conversation = Conversation((suffix: "/feed.xml", status: 200, body: body))
        return try conversation.run(service.page(slice, of: .popular(), cursor: nil))
    }

    private func photos(_ name: String) throws -> [Photo] {
        try list(Fixture.data("feeds/" + name)).photos.map(\.photo)
    }

    private func photos(in text: String) throws -> [Photo] { try list(Data(text.utf8)).photos.map(\.photo) }

    @Test(
        arguments: [
            ("citydog_media_group_2017.xml", 10), ("dailymail_media_dupes_2013.xml", 1),
            ("deviantart_rss_2015.xml", 1), ("flickr_atom_2015.xml", 3), ("flickr_rss_2006.xml", 10),
            ("guardian_rss_2018.xml", 5), ("lemmy_community_rss_2023.xml", 1),
            ("mastodon_tag_rss_2025.xml", 3), ("odd_enclosures_two.xml", 2), ("odd_media_group.xml", 0),
            ("odd_media_thumbnail_only.xml", 1), ("pinterest_rss_2023.xml", 3), ("relative_no_base.xml", 1),
            ("shimmie_rss_2019.xml", 6), ("tumblr_rss_2023.xml", 4), ("zerochan_rss_2016.xml", 10),
        ])
    func `each picture of a recording is a photo`(name: String, count: Int) throws {
        let photos = try photos(name)
        #expect(photos.count == count, "\(photos.map { $0.full?.url.absoluteString ?? "" })")
        #expect(photos.allSatisfy { $0.full != nil && $0.thumbnail != nil })
        #expect(Set(photos.map(\.id)).count == photos.count)
    }

    @Test func `relative addresses are found from where the feed was`() throws {
        #expect(try photos("shimmie_rss_2019.xml").allSatisfy { $0.full?.url.host == "127.0.0.1" })
        let photo = try #require(
            photos(
                in:
                    #"<feed xml:base="http://a.example/b/"><entry><link rel="enclosure" href="c.jpg"/></entry>"#
            )
            .first)
        #expect(photo.full?.url.absoluteString == "http://a.example/b/c.jpg")
    }

    @Test func `what an item says is told of its photo`() throws {
        let photo = try #require(
            photos(
                in: """
                    <rss xmlns:m="http://search.yahoo.com/mrss"><channel><item><title>A &lt;b&gt;sea&lt;/b&gt;</title>
                    <guid isPermaLink="false">7</guid><link>http://a.example/7</link><category>sky</category>
                    <pubDate>Thu, 24 Dec 2015 10:00:00 PST</pubDate><m:rating>adult</m:rating>
                    <m:content url="http://a.example/7.jpg?w=150" medium="image" width="150" height="100"/>
                    <m:content url="http://a.example/7.jpg" medium="image" width="900" height="600"/>
                    <m:credit>Ann</m:credit><m:license href="https://creativecommons.org/licenses/by/4.0/"/>
                    </item></channel></rss>
                    """
            ).first)
        #expect(photo.title == "A sea")
        #expect(photo.author == Author(name: "Ann"))
        #expect(photo.page?.absoluteString == "http://a.example/7")
        #expect(photo.published == WrittenDate("2015-12-24T18:00:00Z")?.date)
        #expect(photo.isAdult)
        #expect(photo.tags == ["sky"])
        #expect(photo.license == "CC BY 4.0")
        #expect(photo.size == PixelSize(width: 900, height: 600))
        #expect(photo.thumbnail?.size == PixelSize(width: 150, height: 100))
    }

    @Test func `JSON feeds have attachments, then pictures of the content, then an image`() throws {
        let body = """
            {"version":"https://jsonfeed.org/version/1.1","authors":[{"name":"Ann"}],"items":[
            {"id":"a/b","attachments":[{"url":"/a.jpg","mime_type":"image/jpeg"}],"image":"/no.jpg"},
            {"id":2,"content_html":"<p><img src='b.png' alt='Sea'>"},{"id":"3","image":"/c.jpg"},{"id":"4"},7]}
            """
        let page = try list(Data(body.utf8))
        #expect(page.photos.map { $0.photo.full?.url.lastPathComponent } == ["a.jpg", "b.png", "c.jpg"])
        #expect(page.photos.map(\.photo.title) == ["", "Sea", ""])
        #expect(page.photos.map(\.photo.alt) == [nil, "Sea", nil])
        #expect(page.photos.first?.photo.author?.name == "Ann")
        #expect(
            page.leftOut.map(\.description) == ["feed sent 'items[4]' as 7 instead of an object."])
    }

    // The recording has a group without files.
    @Test func `what a group says is told of the file in it`() throws {
        let text = String(decoding: try Fixture.data("feeds/odd_media_group.xml"), as: UTF8.self)
        let file = #"<media:content url="http://a.example/a.jpg" medium="image"/></media:group>"#
        let photo = try #require(photos(in: text.replacing("</media:group>", with: file)).first)
        #expect(photo.title == "Example Atom")
        #expect(photo.author == Author(name: "Creator"))
        #expect(photo.isAdult)
        #expect(photo.licenseURL?.absoluteString == "http://example.com/")
        #expect(photo.description == "Test Description")
    }

    @Test func `a picture of a blog is one photo with its sizes, and an emoji is none`() throws {
        let html = """
            <img width="1024" height="683" src="/a,1-1024.jpg" srcset="/a,1-1024.jpg 1024w, /a,1-300.jpg 300w,
            /a,1.jpg 2000w"><img src="https://s.w.org/images/core/emoji/1.png" alt="x"><img src="b.jpg?x">
            """
        let item =
            "<item><link>http://a.example/p/</link><content:encoded><![CDATA[\(html)]]></content:encoded></item>"
        let photos = try photos(in: "<rss>\(item)</rss>")
        #expect(photos.map { $0.full?.url.lastPathComponent } == ["a,1.jpg", "b.jpg"])
        #expect(photos.first?.size == PixelSize(width: 2000, height: 1334))
        #expect(photos.first?.thumbnail?.url.lastPathComponent == "a,1-300.jpg")
        #expect(photos.first?.renditions.count == 3)
    }

    @Test func `each file of a post has its own title, and all the post's text`() throws {
        let files = ["A boat", "A gull"].enumerated().map { number, text in
            """
            <media:content url="/\(number).jpg" type="image/jpeg" medium="image">
            <media:description type="plain">\(text)</media:description></media:content>
            """
        }
        let photos = try photos(
            in: "<rss><item><description>&lt;p&gt;At &lt;b&gt;sea</description>\(files.joined())</item></rss>"
        )
        #expect(photos.map(\.title) == ["A boat", "A gull"])
        #expect(photos.map(\.alt) == ["A boat", "A gull"])
        #expect(photos.map(\.description) == ["At sea", "At sea"])
    }

    @Test func `an entry is told by its own words, in their order, and not by those of its source`() throws {
        let photo = try #require(
            photos(
                in: """
                    <feed><entry><source><id>s</id><title>Planet</title></source><title type="xhtml">
                    <div xmlns="http://www.w3.org/1999/xhtml">A <b>bold</b> title</div></title><summary type="xhtml"><div>
                    <p>One <i>wor</i>d</p><p>Two</p></div></summary><thumbnail xmlns="http://search.yahoo.com/mrss/"
                    url="/s.jpg"></thumbnail><link rel="enclosure" type="application/octet-stream" href="/a.jpg"/>
                    </entry></feed>
                    """
            ).first)
        #expect(photo.title == "A bold title")
        #expect(photo.description == "One word\nTwo")
        #expect(photo.full?.url.lastPathComponent == "a.jpg")
        #expect(photo.thumbnail?.url.lastPathComponent == "s.jpg")
    }

    @Test(
        arguments: [
            ("KOI8-R", [0xED, 0xCF, 0xD2, 0xC5], "Море"), ("windows-1251", [0xCC, 0xEE, 0xF0, 0xE5], "Море"),
            ("iso-8859-5", [0xBC, 0xDE, 0xE0, 0xD5], "Море"), ("gb2312", [0xBA, 0xA3], "海"),
            ("utf-8", [0xE9, 0x61], "éa"), ("unheard-of", [0xE9, 0x61], "éa"),
        ] as [(String, [UInt8], String)])
    func `a text is read in the encoding that the feed declares`(
        name: String, bytes: [UInt8], title: String
    ) throws {
        let start = Data("<?xml version='1.0' encoding='\(name)'?><rss><item><title>".utf8)
        let end = Data("</title><enclosure url='/a.jpg'/></item></rss>".utf8)
        #expect(try list(start + Data(bytes) + end).photos.first?.photo.title == title)
    }

    @Test(
        arguments: [
            ("hostile_xmlbomb.xml", "instead of a feed"), ("hostile_cyclic.xml", "instead of a feed"),
            ("hostile_external_file.xml", "instead of a feed"),
        ])
    func `entities of a document type are passed over`(name: String, reason: String) throws {
        let error = #expect(throws: ServiceError.self) { try photos(name) }
        #expect(error?.description.contains(reason) == true)
        #expect(try photos("hostile_xxe_atom.xml").isEmpty)
        let photo = try #require(
            photos(
                in: """
                    <!DOCTYPE feed [<!ENTITY x SYSTEM "file:///etc/passwd">]><feed><entry><title>&x;</title>
                    <link rel="enclosure" type="image/png" href="http://a.example/1"/></entry></feed>
                    """
            ).first)
        #expect(photo.title == "&x;")
    }

    @Test(arguments: ["", "<html><body>no", "{}", "[]", "nonsense", "<", "<rss", "\u{0}"])
    func `what is no feed is an error, or has no photos`(text: String) throws {
        let page = Result { try list(Data(text.utf8)) }
        switch page {
        case .success(let page): #expect(page.photos.isEmpty)
        case .failure(let error): #expect(error is ServiceError)
        }
    }

    @Test func `elements that are nested without end are an error`() throws {
        let count = Thorough.size(1_000_000, small: 20_000)
        let text = "<rss>" + String(repeating: "<a>", count: count)
        let error = #expect(throws: ServiceError.self) { try photos(in: text) }
        #expect(error?.description.contains("nested deeper") == true)
        #expect(throws: ServiceError.self) {
            try photos(in: #"{"items":"# + String(repeating: "[", count: count))
        }
    }

    @Test func `the next page is asked for once, of the same host only`() throws {
        func document(_ picture: String, next: String) -> Data {
            Data(
                #"<feed><link rel="next" href="\#(next)"/><entry><id>\#(picture)</id><link rel="enclosure" href="/\#(picture).jpg"/></entry></feed>"#
                    .utf8)
        }
        var conversation = Conversation(
            (suffix: "p=2", status: 200, body: document("b", next: "http://other.example/")),
            (suffix: "/feed.xml", status: 200, body: document("a", next: "?p=2")))
        let page = try conversation.run(service.page(slice, of: .popular(), cursor: nil))
        #expect(page.photos.map { $0.photo.full?.url.lastPathComponent } == ["a.jpg", "b.jpg"])
        #expect(page.total == 2)
        #expect(conversation.asked.count == 2)
        #expect(
            page.leftOut.map(\.description) == [
                "feed's list ends early: its next page is on another site, 'http://other.example/'."
            ])
    }

    @Test(
        arguments: [
            ("http://127.0.0.1/feed.xml", "http://127.0.0.1:8080/2", "http://127.0.0.1:8080/2"),
            ("http://blog.example/feed.xml", "https://www.blog.example/2", "https://www.blog.example/2"),
            ("https://feeds.blog.example/feed.xml", "https://blog.example/2", "https://blog.example/2"),
            ("https://blog.example/feed.xml", "http://blog.example/2", "https://blog.example/2"),
            ("https://blog.example/feed.xml", "http://a.blog.example/2", nil),
            ("http://blog.example/feed.xml", "http://evilblog.example/2", nil),
            ("http://blog.example/feed.xml", "http://localhost/2", nil),
        ] as [(String, String, String?)])
    func `the next page is followed on the same site`(feed: String, next: String, asked: String?) throws {
        let body = Data(
            "<feed><link rel='next' href='\(next)'/><entry><link rel='enclosure' href='/a.jpg'/></entry></feed>"
                .utf8)
        var conversation = Conversation((suffix: "/feed.xml", status: 200, body: body))
        let service = WebFeed(api: WebAPI("feed", at: URL(string: feed)))
        let page = try conversation.run(service.page(slice, of: .popular(), cursor: nil))
        #expect(conversation.asked.flatMap(\.self) == [feed, asked].compactMap(\.self))
        // One that is not followed is told to those who ask, and is no fault.
        #expect(page.leftOut.contains { $0.isFault } == (asked != nil))
    }

    @Test func `what the server says of the encoding counts where the feed says nothing`() throws {
        let url = try #require(URL(string: Self.address))
        for (type, declaration, title) in [
            ("text/xml; charset=gbk", "", "海"), ("text/xml; charset=\"UTF-8\"", "", "º£"),
            ("text/xml; charset=utf-8", "<?xml version='1.0' encoding='gbk'?>", "海"),
        ] {
            let body =
                Data("\(declaration)<rss><item><title>".utf8) + Data([0xBA, 0xA3])
                + Data("</title><enclosure url='/a.jpg'/></item></rss>".utf8)
            let head = HTTPHead(status: 200, url: url, headers: ["Content-Type": type])
            #expect(try service.read(HTTPReply(head: head, body: body)).photos.map(\.title) == [title])
        }
    }

    private let second = PageSlice(number: 2, size: 100)

    @Test(
        arguments: [
            (
                "?p=2", "feed failed with status 500.",
                "feed answered: 'http://127.0.0.1/blog/feed.xml?p=2': feed failed with status 500.", 2
            ),
            (
                "feed.xml", "feed answered: its next page is one that was read before.",
                "feed answered: its next page is one that was read before.", 1
            ),
        ])
    func `a next page that cannot be read does not hide the photos before it`(
        next: String, reason: String, line: String, count: Int
    ) throws {
        let body = """
            <feed><link rel="next" href="\(next)"/><entry><link rel="enclosure" href="/a.jpg"/></entry></feed>
            """
        var conversation = Conversation(
            (suffix: "p=2", status: 500, body: Data()),
            (suffix: "/feed.xml", status: 200, body: Data(body.utf8)))
        let page = try conversation.run(service.page(slice, of: .popular(), cursor: nil))
        #expect(page.photos.count == 1)
        #expect(page.hasMore)
        #expect(page.total == nil)
        #expect(page.leftOut.map(\.description) == [line])
        let error = #expect(throws: ServiceError.self) {
            try conversation.run(service.page(second, of: .popular(), cursor: nil))
        }
        #expect(error?.description == reason)
        #expect(conversation.asked.count == count)
    }

    @Test func `pages of a long feed continue from the first one`() throws {
        let items = (1...1000).map { "<item><guid>\($0)</guid><enclosure url='/\($0).jpg'/></item>" }
        let body = Data("<rss>\(items.joined())</rss>".utf8)
        var conversation = Conversation((suffix: "/feed.xml", status: 200, body: body))
        for number in [1, 2, 10, 11] {
            let slice = PageSlice(number: number, size: 100)
            let page = try conversation.run(service.page(slice, of: .popular(), cursor: nil))
            #expect(page.photos.first?.index == (number < 11 ? slice.firstIndex : nil))
            #expect(page.hasMore == (number < 10))
            #expect(page.total == 1000)
        }
        #expect(conversation.asked.count == 1)
        _ = try conversation.run(service.page(slice, of: .popular(), cursor: nil))
        #expect(conversation.asked.count == 2)
    }

    @Test(
        arguments: [
            "id", "title", "url", "external_url", "image", "banner_image", "authors", "author", "tags",
            "summary",
            "content_html", "content_text", "date_published", "date_modified",
        ], ["null", "1", "1.5", "true", #""x""#, "[]", "[[]]", "{}", #"{"name":[]}"#])
    func `a wrong type costs the field alone`(key: String, value: String) throws {
        let item = #"{"attachments":[{"url":"/a.jpg","mime_type":"image/jpeg"}],"\#(key)":\#(value)}"#
        let page = try list(Data(#"{"\#(key)":\#(value),"items":[\#(item)]}"#.utf8))
        #expect(page.photos.map { $0.photo.full?.url.path() } == ["/a.jpg"])
    }

    @Test func `identifiers and texts of any form are harmless`() throws {
        let photos = try photos(
            in: """
                <rss><item><guid>../../etc/\u{1B}[2J\u{7}</guid><title>a\u{1B}[2Jb</title>
                <enclosure url="/a.jpg"/></item><item><guid>a/b\n</guid><enclosure url="/b.jpg"/></item></rss>
                """)
        #expect(photos.count == 2)
        #expect(photos.allSatisfy { $0.id.value.allSatisfy(\.isHexDigit) })
        #expect(!photos.contains { $0.title.contains("\u{1B}") })
    }

    @Test func `a feed may be long, and its items large`() throws {
        let items = String(
            repeating: "<item><enclosure/></item>", count: Thorough.size(100_000, small: 4_000))
        #expect(try list(Data("<rss>\(items)</rss>".utf8)).total == 0)
        let file = (1...2000).map { "<media:content url='/\($0).jpg' medium='image'/>" }.joined()
        let text =
            "<rss><item><title>\(String(repeating: "<b/>", count: Thorough.size(50_000, small: 2_000)))</title>\(file)</item></rss>"
        #expect(try list(Data(text.utf8)).total == 2000)
    }

    @Test func `a photo known by identifier is looked for in the feed`() throws {
        let photo = try #require(photos("guardian_rss_2018.xml").last)
        var conversation = Conversation(
            (suffix: "/feed.xml", status: 200, body: try Fixture.data("feeds/guardian_rss_2018.xml")))
        let gone = PhotoID(service: "feed", value: "../x")
        let details = try conversation.run(service.details(of: [photo.id, gone]))
        #expect(try details[photo.id]?.get().photo == photo)
        #expect(throws: ServiceError.self) { try details[gone]?.get() }
        #expect(conversation.asked.count == 1)
    }

    @Test func `a photo that was listed, or marked, needs no address of its feed`() throws {
        let photo = try #require(photos("guardian_rss_2018.xml").last)
        var conversation = Conversation()
        let details = try conversation.run(
            WebFeed(api: WebAPI("feed", at: nil)).details(of: [photo]))
        #expect(try details[photo.id]?.get().photo == photo)
    }

    @Test func `without an address there is no feed`() {
        let service = WebFeed(api: WebAPI("feed", at: nil))
        let error = #expect(throws: ServiceError.self) {
            try service.page(slice, of: .popular(), cursor: nil)
        }
        #expect(error?.description == "feed needs the address of a feed.")
    }
}

extension ImportError {
    fileprivate var isFault: Bool { if case .endsEarly(_, _, false) = self { false } else { true } }
}
