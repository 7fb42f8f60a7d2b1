import Basics
import Foundation
import GalleryTestSupport
import Testing

@testable import Publishing

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Text from outside comes out as text.
@Suite struct SafeMarkupTests {
    @Test(arguments: [
        ("plain", "plain"), ("<b>", "&lt;b&gt;"), ("a & b", "a &amp; b"),
        (#""quoted""#, "&quot;quoted&quot;"),
        ("it's", "it&#39;s"), ("]]>", "]]&gt;"), ("\u{202E}abc\u{0}\u{1B}[0m", "abc[0m"), ("a\n b", "a b"),
        ("x\u{FFFE}\u{FFFF}y", "xy"), ("👩‍🚀 宇宙", "👩‍🚀 宇宙"),
    ])
    func `escapes`(text: String, expected: String) {
        #expect(SafeMarkup.escaped(text) == expected)
        #expect(("\(text)" as SafeMarkup).text == expected)
        #expect(
            ("<a href=\"\(text)\">\(text)</a>" as SafeMarkup).text
                == "<a href=\"\(expected)\">\(expected)</a>")
    }

    @Test func `markup in markup is not escaped again`() {
        let inner: SafeMarkup = "<b>\("<")</b>"
        #expect(
            ("<p>\(inner)\([inner, inner])\(nil as SafeMarkup?)</p>" as SafeMarkup).text
                == "<p><b>&lt;</b><b>&lt;</b><b>&lt;</b></p>")
    }

    @Test(arguments: PublishingSamples.hostile)
    func `a hostile title is text everywhere`(title: String) throws {
        var options = SiteOptions()
        options.title = title
        options.base = URL(string: "https://example.org/")
        let photos = try (1...3).map {
            try PublishingSamples.photo(
                $0, title: title, author: title, page: "javascript:alert(1)", license: title,
                description: PlainText.line(title))
        }
        let harmless = try (1...3).map {
            try PublishingSamples.photo(
                $0, title: "x", author: "x", page: "javascript:alert(1)", license: "x", description: "x")
        }
        var plain = options
        plain.title = "x"
        let (site, reference) = (PhotoSite(photos, options: options), PhotoSite(harmless, options: plain))
        for (document, other) in zip(site.documents, reference.documents) {
            guard site.path(of: document).hasSuffix(".html") else { continue }
            let page = try site.text(of: document)
            // The same tags, whatever the texts say.
            #expect(Self.tags(page) == Self.tags(try reference.text(of: other)))
            #expect(!page.contains("javascript:"))
            #expect(!page.unicodeScalars.contains { $0 != "\n" && PlainText.isHidden($0) })
        }
        #expect(try Self.elements(site.text(of: .feed)) == Self.elements(reference.text(of: .feed)))
        let picture = PublishingSamples.collaged(
            title, credit: title, file: Fixture.url("sample/thumb/clock.jpg"),
            size: photos[0].thumbnail.size)
        #expect(
            try Self.elements(try Collage([picture]).text) == ["svg", "title", "g", "title", "desc", "image"])
    }

    /// The names of a page's tags, in order.
    private static func tags(_ page: String) -> [Substring] {
        page.split(separator: "<").dropFirst().map { $0.prefix { $0.isLetter || $0.isNumber || $0 == "/" } }
    }

    /// The elements of a document, which must be well-formed XML.
    private static func elements(_ document: String) throws -> [String] {
        final class Names: NSObject, XMLParserDelegate {
            var names: [String] = []
            func parser(
                _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
                qualifiedName: String?, attributes: [String: String]
            ) {
                names.append(name)
            }
        }
        let (parser, names) = (XMLParser(data: Data(document.utf8)), Names())
        parser.delegate = names
        #expect(parser.parse(), "\(String(describing: parser.parserError))")
        return names.names
    }
}
