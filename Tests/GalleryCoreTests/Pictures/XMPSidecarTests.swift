import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite(.fewAtOnce) struct XMPSidecarTests {
    /// As darktable writes it.
    private static let darktable = """
        <?xml version="1.0" encoding="UTF-8"?>
        <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 4.4.0-Exiv2">
         <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
          <rdf:Description rdf:about=""
            xmlns:xmp="http://ns.adobe.com/xap/1.0/"
            xmlns:darktable="http://darktable.sf.net/"
           xmp:Rating="2"
           darktable:raw_params="0">
           <darktable:history>
            <rdf:Seq><rdf:li darktable:num="0" darktable:params="gz08eJxjYGBg"/></rdf:Seq>
           </darktable:history>
          </rdf:Description>
         </rdf:RDF>
        </x:xmpmeta>
        """
    /// As exiftool does.
    private static let exiftool = """
        <x:xmpmeta xmlns:x='adobe:ns:meta/' x:xmptk='Image::ExifTool 12.57'>
        <rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>
         <rdf:Description rdf:about='' xmlns:xmp='http://ns.adobe.com/xap/1.0/'>
          <xmp:Rating>5</xmp:Rating>
         </rdf:Description>
         <rdf:Description rdf:about='' xmlns:darktable='http://darktable.sf.net/'>
          <darktable:num>0</darktable:num><darktable:params>gz08eJxjYGBg</darktable:params>
         </rdf:Description>
        </rdf:RDF>
        </x:xmpmeta>
        """

    @Test(arguments: [(darktable, "2", 2), (exiftool, "5", 5)])
    func `a rating is changed in its place, and nothing else`(packet: String, old: String, rating: Int) throws
    {
        #expect(XMPSidecar.rating(in: Array(packet.utf8)) == rating)
        let edited = try #require(XMPSidecar.replacingRating(in: Array(packet.utf8), by: 4))
        let text = packet.replacing("Rating=\"\(old)\"", with: "Rating=\"4\"")
            .replacing("<xmp:Rating>\(old)<", with: "<xmp:Rating>4<")
        #expect(String(decoding: edited, as: UTF8.self) == text)
        #expect(XMPSidecar.rating(in: edited) == 4)
    }

    @Test(arguments: [
        "", "<x:xmpmeta/>", darktable.replacing("xmp:Rating=\"2\"", with: ""), darktable + exiftool,
        "<!-- <xmp:Rating>3</xmp:Rating> --><rdf:Description/>",
        darktable.replacing("xmp:Rating=\"2\"", with: "dc:title=\" xmp:Rating='2'\""),
        "\u{0}\u{1}<xmp:Rating>",
    ])
    func `where there is no one rating, another program has to write it`(packet: String) {
        #expect(XMPSidecar.replacingRating(in: Array(packet.utf8), by: 4) == nil)
    }

    @Test func `what another program has made still says everything`() {
        func isEdited(_ edited: String, _ packet: String = Self.darktable, rating: Int = 5) -> Bool {
            XMPSidecar.isEdited(Array(edited.utf8), from: Array(packet.utf8), rating: rating)
        }
        #expect(isEdited(Self.exiftool))
        #expect(!isEdited(Self.exiftool, rating: 4))
        #expect(!isEdited(Self.exiftool.replacing("gz08eJxjYGBg", with: "")))
        #expect(
            !isEdited(Self.exiftool, Self.darktable.replacing("raw_params=\"0\"", with: "raw_params=\"abc\""))
        )
    }

    /// Pieces of what is no XMP, again and again, up to the most that is read of a sidecar.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            "<!--", "<![CDATA[<!--", " a=", " a=\"", "<a b='", "<?", "x:xmptk=", ">", "><", " xmp:Rating=",
            "<xmp:Rating>", "&", "\n",
        ])
    func `a sidecar that is no XMP is read in no time`(piece: String) {
        let packet = Array(
            (Self.darktable + "<![CDATA[" + String(repeating: piece, count: 300_000 / piece.utf8.count)).utf8)
        let start = ContinuousClock.now
        _ = XMPSidecar.replacingRating(in: packet, by: 4)
        _ = XMPSidecar.isEdited(XMPSidecar.packet(rating: 4), from: packet, rating: 4)
        _ = XMPSidecar.isEdited(packet, from: packet, rating: 2)
        #expect(start.duration(to: .now) < .seconds(10))
    }

    @Test(arguments: [
        ("<a><!-- -->b<!-- --></a>", "<a>b</a>"), ("<a b = 'c' />", "<a><b>c</b></a>"),
        ("<xmp:Rating>3</xmp:Rating>", "<a/>"), ("<a x:xmptk='c'/>", "<a/>"), ("<a><?x y?></a>", "<a/>"),
    ])
    func `what is no value need not be there again`(packet: String, edited: String) {
        let rated = edited + "<rdf:Description xmp:Rating='4'/>"
        #expect(XMPSidecar.isEdited(Array(rated.utf8), from: Array(packet.utf8), rating: 4))
    }

    @Test(arguments: 0...5) func `a new one says the rating`(rating: Int) {
        #expect(XMPSidecar.rating(in: XMPSidecar.packet(rating: rating)) == rating)
    }

    @Test(
        arguments: [
            ("3.4", 3), ("-1", 0), ("99", 5), ("1e300", 5), ("nan", 0), ("-inf", 0), ("", nil), ("x", nil),
        ] as [(String, Int?)])
    func `a rating of another program is one of ours`(text: String, rating: Int?) {
        let packet = "<rdf:Description xmp:Rating=\"\(text)\"/>"
        #expect(XMPSidecar.rating(in: Array(packet.utf8)) == rating)
    }

    @Test func `a sidecar is called as the picture, with its ending or without`() {
        #expect(XMPSidecar.names(of: "a.b.jpg") == ["a.b.jpg.xmp", "a.b.xmp"])
        #expect(XMPSidecar.names(of: "a") == ["a.xmp", "a.xmp"])
    }
}
