import Foundation
import GalleryTestSupport
import Testing

@testable import Publishing

/// Pages and collages of the bundled catalogue, as recorded in `fixtures/web` and `fixtures/collage`.
@Suite struct PublishingGoldenTests {
    private static var options: SiteOptions {
        var options = SiteOptions()
        options.title = "Twelve photographs"
        return options
    }

    @Test func `pages are as recorded`() throws {
        let site = PhotoSite(try PublishingSamples.catalogue(), options: Self.options)
        let kept: Set<String> = [
            "index.html", "style.css", "sizes.css", "feed.xml", "photo/sample_1001.html",
            "photo/sample_1002.html",
            "photo/sample_1012.html",
        ]
        for document in site.documents where kept.contains(site.path(of: document)) {
            try expectGolden(site.text(of: document), "web/\(site.path(of: document))")
        }
    }

    @Test func `a page with a base has what a shared link shows`() throws {
        var options = Self.options
        options.base = URL(string: "https://example.org/photos/")
        options.theme = .dark
        options.columns = 4
        let site = PhotoSite(try PublishingSamples.catalogue(), options: options)
        for document in site.documents {
            switch site.path(of: document) {
            case "index.html": try expectGolden(site.text(of: document), "web/base/index.html")
            case "photo/sample_1003.html":
                try expectGolden(site.text(of: document), "web/base/photo/sample_1003.html")
            case "feed.xml": try expectGolden(site.text(of: document), "web/base/feed.xml")
            default: continue
            }
        }
    }

    @Test(arguments: Collage.Style.allCases)
    func `collages are as recorded`(style: Collage.Style) throws {
        let collage = Collage(try PublishingSamples.pictures(6), style: style, width: 720)
        try expectGolden(try collage.text, "collage/\(style.rawValue).svg")
    }
}

extension Collage {
    var text: String {
        get throws {
            var text = ""
            try write { text += $0 }
            return text
        }
    }
}
