import Foundation
import Testing

@testable import GalleryCore

@Suite struct PhotoJSONTests {
    private let full = Photo(
        id: PhotoID(service: "500px", value: "4910421"), title: "Orange \"or\" lemon\u{1B}\u{9B}\u{202E}",
        author: Author(id: "386047", name: "Lluís", username: "Lluisdeharo"),
        page: URL(string: "https://500px.com/photo/4910421/x"), size: PixelSize(width: 472, height: 709),
        thumbnail: URL(string: "https://a.example/q%3D80").map {
            Rendition(url: $0, size: PixelSize(width: 280, height: 280))
        },
        full: nil, likes: 88, views: 709, rating: 97.4,
        published: Date(timeIntervalSince1970: 1_328_772_436), taken: nil, tags: ["a", "b"], license: nil,
        description: "two\nlines", isAdult: false)

    @Test func `every key is there and stands in the documented order`() {
        #expect(
            IndexedPhoto(index: 1, photo: full).json.text == """
                {"index":1,"service":"500px","id":"4910421","title":"Orange \\"or\\" lemon\\u001b\\u009b\\u202e",\
                "author":{"id":"386047","name":"Lluís","username":"Lluisdeharo"},\
                "page":"https://500px.com/photo/4910421/x","width":472,"height":709,\
                "thumbnail":{"url":"https://a.example/q%3D80","width":280,"height":280},"full":null,\
                "likes":88,"views":709,"rating":97.4,"published":"2012-02-09T07:27:16Z","taken":null,\
                "tags":["a","b"],"license":null,"description":"two\\nlines","adult":false}
                """)
    }

    @Test func `what is printed is read back the same`() throws {
        let entry = IndexedPhoto(index: 1, photo: full)
        #expect(try JSONDecoder().decode(IndexedPhoto.self, from: Data(entry.json.text.utf8)) == entry)
    }

    @Test func `service and id are enough`() throws {
        let entry = try JSONDecoder().decode(
            IndexedPhoto.self, from: Data(#"{"service":"500px","id":7}"#.utf8))
        #expect(
            entry
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
