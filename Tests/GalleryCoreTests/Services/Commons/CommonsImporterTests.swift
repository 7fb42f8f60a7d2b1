import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite(.fewAtOnce) struct CommonsImporterTests {
    private let importer = Commons(base: nil)

    private func photos(_ body: Data) throws -> [Photo] {
        let batch = CommonsBatch().merging(try importer.answer(body))
        return importer.photos(batch, PageSlice(number: 1, size: 50)).map(\.photo)
    }

    private func recorded(_ id: String) throws -> Photo {
        let all = try photos(Fixture.data("commons/commons_query_continue_part1.json"))
        return try #require(all.first { $0.id.value == id })
    }

    private func photo(info: String, metadata: String = "{}") throws -> Photo? {
        let info =
            #"{"url":"https://a.example/a.jpg","extmetadata":\#(metadata)\#(info.isEmpty ? "" : ","+info)}"#
        let page = #"{"pageid":1,"title":"File:A.jpg","imageinfo":[\#(info)]}"#
        return try photos(Data(#"{"query":{"pages":[\#(page)]}}"#.utf8)).first
    }

    // MARK: - Recordings

    @Test func `a recorded file says who, what and under which licence`() throws {
        let photo = try recorded("44672190")
        #expect(photo.title == "Niedercunnersdorf Mühlgrabenweg 5 (1)")
        #expect(photo.author == Author(name: "Pascal Seibt", username: "BTLmovies"))
        #expect(
            photo.page?.absoluteString
                == "https://commons.wikimedia.org/wiki/File:Niedercunnersdorf_M%C3%BChlgrabenweg_5_(1).JPG")
        #expect(photo.size == PixelSize(width: 5152, height: 3864))
        #expect(photo.full?.size == photo.size)
        #expect(
            photo.full?.url.absoluteString == "https://upload.wikimedia.org/wikipedia/commons/8/80/"
                + "Niedercunnersdorf_M%C3%BChlgrabenweg_5_%281%29.JPG")
        // The recorder asked for no thumbnail and no time of upload.
        #expect(photo.thumbnail == nil)
        #expect(photo.published == nil)
        #expect(photo.taken == Date(timeIntervalSince1970: 1_442_065_909))
        #expect(photo.license == "CC BY-SA 4.0")
        #expect(photo.description == "Niedercunnersdorf Mühlgrabenweg 5")
        #expect(photo.tags == [])
        #expect(photo.likes == nil)
        #expect(!photo.isAdult)
    }

    @Test(arguments: [
        (
            "18263872", "The original uploader was Elvezio at Italian Wikipedia.", "SteinsplitterBot",
            "Public domain", "2009-03-17" as String?
        ),
        ("44672185", "Eckhard Henkel", "Hasenläufer", "CC BY-SA 3.0 de", "2002-04-02"),
        (
            "44672210", "British Museum (Natural History).; Clark, Hubert Lyman", "Fæ", "Public domain",
            "1925"
        ),
        ("44672212", "Edvard Munch", "4ing", "Public domain", "1891"),
    ])
    func `artists, licenses, and dates are plain`(
        id: String, artist: String, uploader: String, license: String, taken: String?
    ) throws {
        let photo = try recorded(id)
        #expect(photo.author == Author(name: artist, username: uploader))
        #expect(photo.license == license)
        #expect(photo.takenText == taken)
        let text = "\(photo.title) \(photo.description ?? "")"
        #expect(!text.contains("<"))
        #expect(!text.contains("QS:"), "What templates hide is not shown.")
    }

    @Test func `a recorded file has its place in the details`() throws {
        let batch = CommonsBatch().merging(
            try importer.answer(Fixture.data("commons/commons_query_continue_part1.json")))
        let detail = try importer.detail(of: PhotoID(service: "commons", value: "44672185"), in: batch)
        #expect(detail.latitude == 49.411580)
        #expect(detail.longitude == 8.705512)
        let other = try importer.detail(of: PhotoID(service: "commons", value: "18263872"), in: batch)
        #expect(other.latitude == nil)
    }

    @Test(arguments: ["commons_query_continue_part2.json", "commons_query_continue_part3.json"])
    func `recorded parts without files have places without photos`(fixture: String) throws {
        let answer = try importer.answer(Fixture.data("commons/\(fixture)"))
        #expect(answer.pages.count == 9)
        #expect(answer.isComplete == fixture.contains("part3"))
        #expect(importer.photos(CommonsBatch().merging(answer), PageSlice(number: 1, size: 9)).isEmpty)
    }

    // MARK: - Files

    @Test(arguments: [
        (#""mime":"image/jpeg""#, true), (#""mime":"image/png""#, true), (#""mime":"image/gif""#, true),
        (#""mime":"image/webp""#, true), (#""mime":"image/avif""#, true), (#""mime":"image/tiff""#, false),
        (#""mime":"image/svg+xml""#, false), (#""mime":"application/pdf""#, false),
        (#""mime":"video/webm""#, false),
        // Where the type is not said, the ending says it.
        (#""url":"https://a.example/a.JPG""#, true), (#""url":"https://a.example/a.webp""#, true),
        (#""url":"https://a.example/a.tif""#, false), (#""url":"https://a.example/a""#, false),
        (#""mime":"image/png","url":"javascript:alert(1)""#, false),
        (#""mime":"image/png","url":"//a.example/a.png""#, false),
        (#""mime":"image/png","url":null"#, false),
    ])
    func `pictures are photos, drawings and films are not`(info: String, isPhoto: Bool) throws {
        let info = info.contains("url") ? info : info + #","url":"https://a.example/a.jpg""#
        let body = #"{"query":{"pages":[{"pageid":1,"title":"File:A","imageinfo":[{\#(info)}]}]}}"#
        #expect(try photos(Data(body.utf8)).count == (isPhoto ? 1 : 0))
    }

    @Test func `a thumbnail is as large as it says, whatever was asked for`() throws {
        let photo = try photo(
            info: #"""
                "thumburl":"https://a.example/330px-a.jpg","thumbwidth":330,"thumbheight":"220","width":3000,
                "height":2000,"timestamp":"2015-10-31T23:00:49Z","user":"Someone",
                "descriptionurl":"https://commons.wikimedia.org/wiki/File:A.jpg"
                """#)
        #expect(photo?.thumbnail?.size == PixelSize(width: 330, height: 220))
        #expect(photo?.size == PixelSize(width: 3000, height: 2000))
        #expect(photo?.published == Date(timeIntervalSince1970: 1_446_332_449))
        #expect(photo?.author == Author(name: "Someone", username: "Someone"))
    }

    // MARK: - Metadata

    @Test(arguments: [
        (#""2009-03-17""#, "2009-03-17" as String?), (#""2015-09-12 13:51:49""#, "2015-09-12T13:51:49"),
        (#""2015-09-12T13:51:49""#, "2015-09-12T13:51:49"),
        (#""<time class=\"dtstart\" datetime=\"2015-09-12\">12 September 2015</time>""#, "2015-09-12"),
        (#""Taken on 12 September 2015""#, nil), (#""1925""#, "1925"), ("1925", "1925"), (#""""#, nil),
        (#""2015-13-45""#, nil), (#""2015-00-00 00:00:00""#, "2015"), (#""2015-09-12 99:99:99""#, nil),
    ])
    func `a day or a year is found in the text or in its markup`(value: String, taken: String?) throws {
        let photo = try photo(info: "", metadata: Self.field("DateTimeOriginal", value))
        #expect(photo?.takenText == taken)
    }

    @Test(arguments: [
        ("a<div style=\\\"display: none;\\\">b</div>c", "ac"),
        ("a<span style=\\\"display:none\\\">b</span>c", "ac"),
        ("<div style=\\\"display:none\\\">a</div>b<i style=\\\"x;display: none\\\">c</i>d", "bd"),
        ("a<div style=\\\"display: none;\\\">never closed", "a"),
        (
            "say display: none twice: display: none",
            "say display: none twice: display: none"
        ), ("<b>x</b> display: none", "x display: none"),
        ("  <p>a</p>\\n<p>b &amp; c</p> ", "a\n\nb & c"),
    ])
    func `what a template hides is not told`(html: String, text: String) throws {
        let photo = try photo(info: "", metadata: Self.field("ImageDescription", "\"\(html)\""))
        #expect(photo?.description == text)
    }

    @Test(arguments: [
        "[]", "{}", "null", #"{"Artist":null}"#, #"{"Artist":{}}"#, #"{"Artist":{"value":""}}"#,
    ])
    func `metadata may be empty in every way PHP knows`(metadata: String) throws {
        let photo = try #require(try photo(info: "", metadata: metadata))
        #expect(photo.author == nil)
        #expect(photo.license == nil)
    }

    @Test(arguments: [
        (Self.field("UsageTerms", "\"Public domain\""), "Public domain" as String?),
        (#"{"LicenseShortName":{"value":"CC0"},"UsageTerms":{"value":"Long words"}}"#, "CC0"),
        (Self.field("LicenseShortName", "1.2"), "1.2"), (Self.field("LicenseShortName", "\" \""), nil),
    ])
    func `a licence goes by its short name, else by its terms`(metadata: String, license: String?) throws {
        #expect(try photo(info: "", metadata: metadata)?.license == license)
    }

    private static func field(_ name: String, _ value: String) -> String {
        #"{"\#(name)":{"value":\#(value)}}"#
    }

    @Test(arguments: [
        (#"{"query":{"pages":"none"}}"#, #"commons sent 'query.pages' as "none" instead of a list."#),
        (
            #"{"query":{"pages":[{"pageid":{}}]}}"#,
            "commons sent no 'query.pages[0].pageid'."
        ),
        (#"{"query":7}"#, "commons sent 'query' as 7 instead of an object."),
        (
            #"{"continue":{"gcmcontinue":[]},"query":{}}"#,
            "commons sent 'continue.gcmcontinue' as a list instead of a text."
        ),
        ("[]", "commons sent 'the answer' as a list instead of an object."),
    ])
    func `a bad reply names the service, the field and the value`(body: String, message: String) {
        let error = #expect(throws: ServiceError.self) { try importer.answer(Data(body.utf8)) }
        #expect(error?.description == message)
    }
}
