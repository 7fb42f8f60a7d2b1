import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

@Suite struct PhotoJSONTests {
    private let full = Photo(
        id: PhotoID(service: "500px", value: "4910421"), title: "Orange \"or\" lemon\u{1B}\u{9B}\u{202E}",
        author: Author(id: "386047", name: "Lluís", username: "Lluisdeharo"),
        page: URL(string: "https://500px.com/photo/4910421/x"), size: PixelSize(width: 472, height: 709),
        thumbnail: URL(string: "https://a.example/q%3D80").map {
            Rendition(url: $0, size: PixelSize(width: 280, height: 280), isCropped: true)
        },
        full: nil, likes: 88, views: 709, rating: 97.4, stars: 4,
        published: Date(timeIntervalSince1970: 1_328_772_436), taken: nil, tags: ["a", "b"], license: nil,
        description: "two\nlines", alt: "A lemon\non wood", isGenerated: true, isAdult: false)

    @Test func `every key is there and stands in the documented order`() {
        #expect(
            IndexedPhoto(index: 1, photo: full).json.text == """
                {"index":1,"service":"500px","id":"4910421","title":"Orange \\"or\\" lemon\\u001b\\u009b\\u202e",\
                "author":{"id":"386047","name":"Lluís","username":"Lluisdeharo"},\
                "page":"https://500px.com/photo/4910421/x","width":472,"height":709,\
                "thumbnail":{"url":"https://a.example/q%3D80","width":280,"height":280},"full":null,\
                "renditions":[{"url":"https://a.example/q%3D80","width":280,"height":280,"bytes":null,\
                "cropped":true}],"files":1,\
                "likes":88,"views":709,"rating":97.4,"stars":4,"published":"2012-02-09T07:27:16Z","taken":null,\
                "tags":["a","b"],"license":null,"licenseURL":null,\
                "credit":"“Orange \\"or\\" lemon” by Lluís","description":"two\\nlines",\
                "alt":"A lemon\\non wood","generated":true,"adult":false}
                """)
    }

    @Test func `what is printed is read back the same`() throws {
        let entry = IndexedPhoto(index: 1, photo: full)
        #expect(IndexedPhoto(json: Data(entry.json.text.utf8)) == entry)
    }

    @Test(arguments: Thorough.cases(try MutationTarget.all(), few: 24))
    func `every recorded photo is read back whole`(target: MutationTarget) throws {
        for reading in (try? target.read(target.recording())) ?? [] {
            let back = try #require(DescribedPhoto(json: Data(reading.text.utf8)))
            #expect(back.entry == reading.photo)
            if let detail = back.detail { #expect(detail == reading.detail) }
        }
    }

    @Test(arguments: ["Ann, by courtesy", "“Sea” by Ann, CC BY 2.0", "two\nlines", nil])
    func `an author's own wording of the credit is kept, and so is the category`(wording: String?) throws {
        let photo = Photo(
            id: PhotoID(service: "openverse", value: "1"), title: "Sea", author: Author(name: "Ann"),
            category: "photograph", license: "CC BY 2.0", attribution: wording)
        let text = IndexedPhoto(index: nil, photo: photo).json.text
        let back = try #require(IndexedPhoto(json: Data(text.utf8))).photo
        #expect(back.credit == photo.credit)
        #expect(back.category == "photograph")
        #expect(IndexedPhoto(index: nil, photo: back).json.text == text)
    }

    @Test func `a photo without a wording of its own gets none from its text`() throws {
        let photo = Photo(
            id: PhotoID(service: "s", value: "1"), title: "Sea", author: Author(name: "Ann"),
            license: "CC0 1.0")
        let text = IndexedPhoto(index: nil, photo: photo).json.text
        #expect(try #require(IndexedPhoto(json: Data(text.utf8))).photo.attribution == nil)
    }

    @Test(arguments: [
        ("2011-11-05T15:54:37", "2011-11-05T15:54:37" as String?),
        ("2011-11-05T15:54:37Z", "2011-11-05T15:54:37Z"),
        ("2011-11-05T15:54:37+02:00", "2011-11-05T13:54:37Z"), ("2011-11-05", "2011-11-05"),
        ("1850-11-05T15:54:37", "1850-11-05T15:54:37"), ("1850-11-05T15:54:37Z", "1850-11-05T15:54:37Z"),
        ("1965", "1965"), ("1965-07", "1965-07"), ("yesterday", nil),
    ])
    func `a time keeps whether its zone is known`(text: String, printed: String?) throws {
        let line = Data(#"{"service":"flickr","id":1,"taken":"\#(text)","published":"\#(text)"}"#.utf8)
        let entry = try #require(IndexedPhoto(json: line))
        #expect(entry.photo.takenText == printed)
        #expect(IndexedPhoto(json: Data(entry.json.text.utf8)) == entry)
    }

    @Test(arguments: [
        ("CC BY 2.0", "https://creativecommons.org/licenses/by/2.0/" as String?),
        ("CC BY-NC-SA 3.0", "https://creativecommons.org/licenses/by-nc-sa/3.0/"),
        ("CC BY-SA 3.0 de", "https://creativecommons.org/licenses/by-sa/3.0/de/"),
        ("CC0 1.0", "https://creativecommons.org/publicdomain/zero/1.0/"),
        ("Public Domain Mark 1.0", "https://creativecommons.org/publicdomain/mark/1.0/"),
        ("All rights reserved", nil), ("CC BY-XX 2.0", nil), ("", nil),
    ])
    func `a license of Creative Commons has its address`(name: String, address: String?) {
        let photo = Photo(id: PhotoID(service: "s", value: "1"), title: "", license: name)
        #expect(photo.licenseURL?.absoluteString == address)
    }

    @Test(
        arguments: [
            ("Sea", "Ann", "CC BY 2.0", nil, "“Sea” by Ann, CC BY 2.0"),
            ("", "Ann", nil, nil, "Photo by Ann"),
            ("Sea", nil, "Public domain", nil, "“Sea”, Public domain"), ("Sea", nil, nil, nil, nil),
            ("Sea", "", nil, nil, nil), ("Sea", "Ann", "CC0 1.0", "Ann, by courtesy", "Ann, by courtesy"),
            ("Two\nlines", "A\u{1B}nn", nil, nil, "“Two lines” by Ann"),
        ] as [(String, String?, String?, String?, String?)])
    func `a credit says title, author and license in a line`(
        title: String, author: String?, license: String?, attribution: String?, credit: String?
    ) {
        let photo = Photo(
            id: PhotoID(service: "s", value: "1"), title: title, author: author.map { Author(name: $0) },
            license: license, attribution: attribution)
        #expect(photo.credit == credit)
    }

    @Test func `service and id are enough`() {
        #expect(
            IndexedPhoto(json: Data(#"{"service":"500px","id":7}"#.utf8))
                == IndexedPhoto(
                    index: nil, photo: Photo(id: PhotoID(service: "500px", value: "7"), title: "")))
    }

    @Test(arguments: [
        (JSONValue.double(.infinity), "null"), (.double(97), "97"), (.double(0.5), "0.5"),
        (.double(-1e300), "-1e+300"),
        (.string("\u{1F600}\u{E0001}\u{2028}"), "\"\u{1F600}\\udb40\\udc01\\u2028\""),
    ])
    func `numbers and characters JSON cannot carry are spelled another way`(value: JSONValue, text: String) {
        #expect(value.text == text)
    }
}
