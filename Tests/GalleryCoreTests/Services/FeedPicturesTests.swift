import Basics
import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

/// Which files of an item are of one picture, and which of them is shown.
@Suite struct FeedPicturesTests {
    private let service = WebFeed(api: WebAPI("feed", at: URL(string: "http://127.0.0.1/blog/feed.xml")))

    private func list(_ body: Data) throws -> Page {
        var conversation = Conversation((suffix: "/feed.xml", status: 200, body: body))
        return try conversation.run(
            service.page(PageSlice(number: 1, size: 100), of: .popular(), cursor: nil))
    }

    private func photos(_ html: String, _ more: String = "") throws -> [Photo] {
        try list(Data(Self.item(html, more).utf8)).photos.map(\.photo)
    }

    /// A feed with one post.
    private static func item(_ html: String, _ more: String = "") -> String {
        """
        <rss xmlns:media="http://search.yahoo.com/mrss/" xmlns:content="http://purl.org/rss/1.0/modules/content/"
        xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><item><title>One</title><guid>1</guid>\(more)
        <content:encoded><![CDATA[\(html)]]></content:encoded></item></channel></rss>
        """
    }

    /// Each photo's file, and the number of its renditions where it has several.
    private func files(_ photos: [Photo]) -> [String] {
        photos.map { photo in
            let path = photo.full.map { $0.url.path() + ($0.url.query().map { "?" + $0 } ?? "") } ?? ""
            return photo.renditions.count > 1 ? "\(path) of \(photo.renditions.count)" : path
        }
    }

    private static let substack = """
        <picture><source type="image/webp" srcset="/fetch/w_424,c_limit,f_webp,q_auto:good,fl_progressive:steep/https%3A%2F%2Fb%2Fa.png 424w">
        <img src="/fetch/w_1456,c_limit,f_auto,q_auto:good/https%3A%2F%2Fb%2Fa.png"
        srcset="/fetch/$s_!aB!,w_424,c_limit,f_auto/https%3A%2F%2Fb%2Fa.png 424w,
        /fetch/w_1456,c_limit,f_auto,q_auto:good/https%3A%2F%2Fb%2Fa.png 1456w"></picture>
        """

    @Test(
        arguments: [
            // Lazy.
            (#"<img src="data:image/gif;base64,R0" data-src="/b.jpg">"#, "", ["/b.jpg"]),
            (
                #"<img src="data:image/svg+xml;charset=utf-8,%3Csvg%3E" data-srcset="/s.png 360w, /m.png 1536w">"#,
                "",
                ["/m.png of 2"]
            ),
            (#"<img src="/blank.gif" data-original="/o.jpg" width="900" height="600">"#, "", ["/o.jpg"]),
            (
                #"<img src="data:," data-lazy-src="/l.jpg"><noscript><img src="/l.jpg"></noscript>"#, "",
                ["/l.jpg"]
            ),
            (
                #"<img src="/w.gif" data-src="/1.jpg"><img src="/w.gif" data-src="/2.jpg"><img data-srcset="/3.jpg 1x">"#,
                "", ["/1.jpg", "/2.jpg", "/3.jpg"]
            ),
            (
                #"<img src="data:," data-srcset="/1.jpg"><img src="data:," data-srcset="/2.jpg">"#, "",
                ["/1.jpg", "/2.jpg"]
            ),
            (#"<img src="/real.jpg" data-src="17">"#, "", ["/real.jpg"]), (#"<img src="data:,">"#, "", []),
            // Beside an enclosure.
            (
                #"<img src="/1.jpg"><img src="/2.jpg">"#, #"<enclosure url="/c.jpg" type="image/jpeg"/>"#,
                ["/c.jpg", "/1.jpg", "/2.jpg"]
            ),
            (
                substack,
                #"<enclosure url="/fetch/h_600,c_limit,f_auto/https%3A%2F%2Fb%2Fa.png" type="image/jpeg"/>"#,
                ["/fetch/w_1456,c_limit,f_auto,q_auto:good/https%3A%2F%2Fb%2Fa.png of 3"]
            ),
            (
                #"<img src="/content/images/size/w1000/2024/a.jpg"><img src="/content/images/2024/b.jpg">"#,
                #"<media:content url="/content/images/2024/a.jpg" medium="image"/>"#,
                ["/content/images/2024/a.jpg of 2", "/content/images/2024/b.jpg"]
            ),
            (
                #"<img src="/a-1024x683.jpg" width="1024" height="683"><img src="/b-scaled.jpg"><img src="/b-1x2.jpg">"#,
                #"<enclosure url="/a-300x200.jpg" type="image/jpeg"/>"#,
                ["/a-1024x683.jpg of 2", "/b-scaled.jpg of 2"]
            ),
            (
                #"<img src="/img/x/s320/a.jpg"><img src="/img/x/s1600/a.jpg" width="1600" height="900">"#, "",
                ["/img/x/s1600/a.jpg of 2"]
            ),
            (
                #"<img src="/my_photos/a.jpg"><img src="/s3/a.jpg"><img src="/a.jpg">"#, "",
                ["/my_photos/a.jpg", "/s3/a.jpg", "/a.jpg"]
            ),
            // A counter, and a summary's smaller one.
            (
                #"<img src="https://pixel.wp.com/b.gif">"#,
                #"<enclosure url="/a.jpg"/><description>&lt;img src="/thumb.jpg"&gt;</description>"#,
                ["/a.jpg"]
            ),
            (
                "",
                #"<enclosure url="/a.jpg"/><description>&lt;img src="/b.jpg"&gt;&lt;img src="/c.jpg"&gt;</description>"#,
                ["/a.jpg", "/b.jpg", "/c.jpg"]
            ),
            // Linked.
            (
                #"<a href="/full/sea.jpg"><img src="/thumb/sea.jpg" width="300" height="200"></a>"#, "",
                ["/full/sea.jpg of 2"]
            ),
            (
                """
                <figure class="wp-block-image"><a href='/sea.jpg'><img width="150" height="150" src="/sea-150x150.jpg"
                class="attachment-thumbnail" loading="lazy" /></a></figure><a href="/p/"><img src="/other.jpg"></a>
                """, "", ["/sea.jpg of 2", "/other.jpg"]
            ),
            (
                """
                <table><tr><td><a href="/r/pics/1/"><img src="/t/x.jpg" alt="One"></a></td><td><span><a href="/i/full.jpeg">[link]</a></span>
                <span><a href="/r/pics/1/">[comments]</a></span></td></tr></table>
                """, #"<media:thumbnail url="/t/x.jpg"/>"#, ["/i/full.jpeg of 2"]
            ),
            (#"<a href="/wiki/File:Sea.jpg"><img src="/t/sea.jpg"></a>"#, "", ["/t/sea.jpg"]),
            (
                #"<a href="/f.jpg"><img src="/1.jpg"><img src="/2.jpg"></a><a href="/g.jpg"><img src="/3.jpg"><img src="/4.jpg">"#,
                "", ["/f.jpg of 2", "/2.jpg", "/g.jpg of 2", "/4.jpg"]
            ),
            (#"<img src="/t.jpg" data-orig-file="/o.jpg"><a href="/x.jpg">a map</a>"#, "", ["/o.jpg of 2"]),
            (#"<a href="javascript:x.jpg"><img src="/a.jpg"></a>"#, "", ["/a.jpg"]),
            // Escaped once too often.
            (#"<img src=" /p.jpg?a=150&amp;amp;b=100&#10;">"#, "", ["/p.jpg?a=150&b=100"]),
            ("", #"<media:content url="/p.jpg?x=1&amp;amp;amp;y=2" medium="image"/>"#, ["/p.jpg?x=1&y=2"]),
            ("", "<enclosure url=\"/e1.jpg\n\" type=\"image/jpeg\"/>", ["/e1.jpg"]),
        ] as [(String, String, [String])])
    func `an item's pictures are found, each once, in its largest file`(
        html: String, more: String, files: [String]
    )
        throws
    {
        #expect(try self.files(photos(html, more)) == files)
    }

    @Test func `a picture keeps its identifier whatever other files of it are found`() throws {
        let enclosure = #"<enclosure url="/a-300x200.jpg" type="image/jpeg"/>"#
        let alone = try photos("", enclosure).map(\.id)
        #expect(
            try photos(#"<a href="/a.jpg"><img src="/a-1024x683.jpg"></a>"#, enclosure).map(\.id) == alone)
        let thumbnail = #"<media:thumbnail url="/t.jpg"/>"#
        #expect(try photos(#"<img src="/b.jpg">"#, thumbnail).map(\.id) == photos("", thumbnail).map(\.id))
        // As they were before there were names for them.
        #expect(alone.map(\.value) == ["29303825f7d08924"])
    }

    @Test func `the author and the subjects of WordPress are told`() throws {
        let photo = try #require(
            photos(
                #"<img src="/a.jpg">"#,
                "<dc:creator><![CDATA[ann]]></dc:creator><dc:subject><![CDATA[Sea]]></dc:subject>"
            ).first)
        #expect(photo.author?.name == "ann" && photo.tags == ["Sea"])
    }

    @Test func `pictures of a JSON feed's content stand beside its attachments`() throws {
        let body = #"""
            {"version":"https://jsonfeed.org/version/1.1","items":[{"id":"1","image":"/no.jpg","content_html":
            "<a href='/full.jpg'><img src='/a.jpg'></a><img src='/c.jpg?w=2'>","attachments":[{"url":"/c.jpg","mime_type":"image/jpeg"}]},
            {"id":"2","title":"Caf\#u{1}\ud83d","image":"/n.jpg","image":"/b.jpg?x=1&amp;amp;y=2"}]}
            """#
        let found = try list(Data(body.utf8)).photos.map(\.photo)
        #expect(files(found) == ["/c.jpg of 2", "/full.jpg of 2", "/b.jpg?x=1&y=2"])
        #expect(found.last?.title == "Caf\u{FFFD}")
    }

    // MARK: - Cut

    private static let three = (1...3).map {
        #"<item><title>\#($0)</title><guid>\#($0)</guid><enclosure url="/\#($0).jpg" type="image/jpeg"/></item>"#
    }

    @Test func `of a feed that is cut anywhere, what is whole is listed, and one line says so`() throws {
        let start = #"<?xml version="1.0"?><rss><channel><title>C</title>"#
        let whole = Data("\(start)\(Self.three.joined())</channel></rss>".utf8)
        #expect(try list(whole).leftOut.isEmpty)
        let ends = (1...3).map { start.utf8.count + Self.three.prefix($0).joined().utf8.count }
        for end in "<?xml version=\"1.0\"?><rss>".utf8.count..<(whole.count - "</rss>".utf8.count) {
            let page = try list(whole.prefix(end))
            // The last bracket of an item closes it.
            let count = ends.count { $0 <= end || $0 == end + 1 }
            #expect(page.photos.count == count, "cut at \(end)")
            #expect(
                page.leftOut.map(\.description) == [
                    "feed's list ends early: the feed is cut off in its middle."
                ])
        }
    }

    @Test(arguments: [
        #"<feed><entry><id>1</id><link rel="enclosure" href="/1.jpg"/></entry><entry><id>2</id><link rel="enclosure" href="/2.jpg"/>"#,
        #"<feed><entry><id>1</id><content type="html">&lt;img src="/1.jpg"&gt;</content></entry><entry><content>&lt;img src="/2.jpg"&gt;"#,
        #"<rdf:RDF><channel></channel><item><description><![CDATA[<img src="/1.jpg">]]></description></item><item><description><![CDATA[<img src="/2.jpg">"#,
    ])
    func `an item that has begun is left out, since what it is known by may follow`(text: String) throws {
        let page = try list(Data(text.utf8))
        #expect(page.photos.map { $0.photo.full?.url.path() } == ["/1.jpg"])
        #expect(page.leftOut.count == 1)
    }

    // MARK: - Many

    @Test(arguments: [
        #"<img src="data:," data-src="/b.jpg">"#, #"<a href="/f#.jpg"><img src="/t#.jpg">"#,
        #"<img srcset="/a.jpg 1w, /a-1x#.jpg #w">"#, "<a href='/x.jpg'>[link]</a>", "<img data-src='",
        "<a href=",
        #"<img src="/w_#,h_1/s320/size/a-#x1.jpg?w=#&amp;amp;">"#, "<img src=x.jpg data-orig-file=/#.jpg",
    ])
    func `a hundred thousand of them cost no more than they hold`(piece: String) throws {
        let count = Thorough.size(100_000, small: 1_500)
        let html = (0..<count).map { piece.replacing("#", with: "\($0)") }.joined()
        #expect(try photos(html).count <= count)
        let few = Data(Self.item(piece + piece, #"<enclosure url="/a.jpg"/>"#).utf8)
        for end in Thorough.cases(0...few.count, few: 60) { _ = try? list(few.prefix(end)) }
    }
}
