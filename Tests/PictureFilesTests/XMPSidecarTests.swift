import Foundation
import GalleryTestSupport
import Testing

@testable import PictureFiles

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
        let edited = try #require(XMPSidecar.setting(4, in: Array(packet.utf8)))
        let text = packet.replacing("Rating=\"\(old)\"", with: "Rating=\"4\"")
            .replacing("<xmp:Rating>\(old)<", with: "<xmp:Rating>4<")
        #expect(String(decoding: edited, as: UTF8.self) == text)
        #expect(XMPSidecar.rating(in: edited) == 4)
    }

    @Test(arguments: [
        "", "<x:xmpmeta/>", darktable + exiftool, darktable.replacing("xmp:Rating", with: "xap:Rating"),
        darktable.replacing("xmp:Rating=\"2\"", with: "").replacing("about=\"\"", with: "about=\"uuid:1\""),
        "<!-- <xmp:Rating>3</xmp:Rating> --><rdf:Description/>",
        darktable.replacing("xmp:Rating=\"2\"", with: "dc:title=\" xmp:Rating='2'\""),
        "\u{0}\u{1}<xmp:Rating>",
    ])
    func `where a rating cannot be told, nothing is changed`(packet: String) {
        #expect(XMPSidecar.setting(4, in: Array(packet.utf8)) == nil)
    }

    @Test(arguments: [
        darktable.replacing("xmp:Rating=\"2\"", with: ""),
        exiftool.replacing("xmp:Rating>", with: "xmp:Label>"),
    ])
    func `where there is none yet, it is added, and nothing else changed`(packet: String) throws {
        let edited = String(
            decoding: try #require(XMPSidecar.setting(4, in: Array(packet.utf8))), as: UTF8.self)
        #expect(XMPSidecar.rating(in: Array(edited.utf8)) == 4)
        let (before, after) = (packet.split(separator: "\n"), edited.split(separator: "\n"))
        #expect(
            after.count == before.count + 1
                && before.allSatisfy { line in after.contains { $0.hasSuffix(line) } })
    }

    /// Pieces of what is no XMP, again and again, up to the most that is read of a sidecar.
    @Test(
        .timeLimit(.minutes(2)),
        arguments: [
            "<!--", "<![CDATA[<!--", " a=", " a=\"", "<a b='", "<?", "x:xmptk=", ">", "><", " xmp:Rating=",
            "<xmp:Rating>", "&", "\n",
        ])
    func `a sidecar that is no XMP is read in no time`(piece: String) {
        let packet = Array(
            (Self.darktable + "<![CDATA[" + String(repeating: piece, count: 300_000 / piece.utf8.count)).utf8)
        // The processor's time of this thread: what else the machine does is no matter.
        var (start, end) = (timespec(), timespec())
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start)
        _ = XMPSidecar.setting(4, in: packet)
        _ = XMPSidecar.rating(in: packet)
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end)
        #expect(end.tv_sec - start.tv_sec < 10)
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
