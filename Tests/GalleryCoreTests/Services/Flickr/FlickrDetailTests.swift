import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite struct FlickrDetailTests {
    private let importer = Flickr(base: nil, key: nil)

    private func detail(_ fixture: String, sizes: String? = nil) throws -> PhotoDetail {
        try importer.detail(
            Fixture.data("flickr/\(fixture)"), sizes: sizes.map { try Fixture.data("flickr/\($0)") })
    }

    @Test func `details of 2014, numbers as numbers`() throws {
        let detail = try detail("photos_getInfo_2014.json", sizes: "photos_getSizes_2014.json")
        let photo = detail.photo
        #expect(photo.id.value == "14118630850")
        #expect(photo.title == "Transamerica View 20140530")
        #expect(
            photo.author == Author(id: "85853333@N00", name: "Jeremy Brooks", username: "jeremybrooks"))
        #expect(photo.page == URL(string: "https://www.flickr.com/photos/jeremybrooks/14118630850/"))
        #expect(photo.views == 47)
        #expect(photo.published == Date(timeIntervalSince1970: 1_401_457_031))
        #expect(photo.taken == Date(timeIntervalSince1970: 1_401_431_467))
        #expect(photo.tags.count == 9)
        #expect(photo.tags[2] == "Daily View")
        #expect(photo.license == "CC BY-NC 2.0")
        #expect(photo.description?.hasSuffix("All the images in this series can be seen here.") == true)
        #expect(photo.size == PixelSize(width: 3776, height: 2520))
        #expect(photo.full?.url.lastPathComponent == "14104674717_099249b64a_o.jpg")
        #expect(photo.thumbnail?.url.lastPathComponent == "14104674717_aa73bc9851_q.jpg")
        #expect(!photo.isAdult)
        #expect(detail.latitude == 37.789899)
        #expect(detail.longitude == -122.401921)
        #expect(detail.comments == 1)
    }

    @Test(arguments: [
        (
            "photos_getInfo_2016.json", "Summer Mood", "icemanphotos" as String?, 29150, 133,
            3.502026 as Double?
        ),
        ("photos_getInfo_variant_2014.json", "Get On The Saddle", "jeremybrooks", 725, 15, nil),
        ("photos_getInfo_2019.json", "P1650469.jpg", "kenichi.fukuma", 15, 0, nil),
    ])
    func `recorded details, numbers as texts`(
        fixture: String, title: String, alias: String?, views: Int, comments: Int, latitude: Double?
    ) throws {
        let detail = try detail(fixture)
        #expect(detail.photo.title == title)
        #expect(detail.photo.author?.username == alias)
        #expect(detail.photo.views == views)
        #expect(detail.comments == comments)
        #expect(detail.latitude == latitude)
        #expect(detail.photo.full == nil)
        #expect(detail.photo.size == nil)
        #expect(detail.photo.page?.path.hasSuffix(detail.photo.id.value) == true)
    }

    @Test func `descriptions lose their markup and keep their words`() throws {
        let challenge = try detail("photos_getInfo_variant_2014.json").photo.description
        #expect(challenge == #"2010 Challenge, Week 1. The theme is "Resolution"."#)
        let tags = try detail("photos_getInfo_2019.json").photo.tags
        #expect(tags == ["風景・スナップ", "主なキーワード", "Flower/Green"])
    }

    @Test(arguments: [("0", false), (#""0""#, false), ("1", true), (#""2""#, true)])
    func `moderate and restricted photos are adult`(level: String, isAdult: Bool) throws {
        let body = Data(#"{"photo":{"id":"1","safety_level":\#(level)}}"#.utf8)
        #expect(try importer.detail(body, sizes: nil).photo.isAdult == isAdult)
    }

    @Test func `the last picture of the sizes is the largest, films apart`() throws {
        let sizes = Data(
            #"""
            {"sizes":{"size":[{"label":"Small","width":"240","height":160,"source":"https://a.example/m.jpg"},
            {"label":"Medium 640","width":640,"height":"427","source":"https://a.example/z.jpg","media":"photo"},
            {"label":"Video Original","width":1920,"height":1080,"source":"https://a.example/v","media":"video"}
            ]}}
            """#.utf8)
        let photo = try importer.detail(Data(#"{"photo":{"id":"1"}}"#.utf8), sizes: sizes).photo
        #expect(photo.full?.url.lastPathComponent == "z.jpg")
        #expect(photo.thumbnail?.size == PixelSize(width: 240, height: 160))
        #expect(photo.size == nil)
    }
}
