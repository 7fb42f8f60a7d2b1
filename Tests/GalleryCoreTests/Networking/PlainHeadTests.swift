import Testing

@testable import GalleryCore

@Suite struct PlainHeadTests {
    private func head(_ fields: [(String, [UInt8])]) -> PlainHead {
        fields.reduce(into: PlainHead()) { $0.add($1.0, $1.1) }
    }

    @Test(
        arguments: [
            ("Location", [0x2F, 0xE9, 0x20, 0x41], "/%E9 A"), ("location", [0x2F, 0xC3, 0xA9], "/é"),
            ("X", [0x63, 0xE9], "cé"), ("X", [], ""), ("X", [0x83, 0x65], "\u{83}e"),
        ] as [(String, [UInt8], String)])
    func `text that is not UTF-8 is Latin-1, and bytes in an address`(
        name: String, bytes: [UInt8], text: String
    ) {
        #expect(head([(name, bytes)]).texts(isGzip: false) == ["0", name.lowercased(), text])
    }

    @Test func `fields of one name are one, whatever its case`() {
        let head = head([("Set-Cookie", Array("a=1".utf8)), ("set-cookie", Array("b=2".utf8))])
        #expect(head.texts(isGzip: false) == ["0", "set-cookie", "a=1, b=2"])
    }

    @Test(
        arguments: [
            ("gzip", [0x1F, 0x8B, 8], true), ("aws-chunked,gzip", [0x1F, 0x8B], true),
            ("x-gzip, utf-8", [0x1F, 0x8B], true),
            ("gzip", [0xFF, 0xD8], false), ("gzip", [0x1F], false), ("gzip", [], false),
            ("aws-chunked", [0x1F, 0x8B], false),
            ("gzipped", [0x1F, 0x8B], false),
        ] as [(String, [UInt8], Bool)])
    func `an encoding is gzip where head and bytes say so`(name: String, bytes: [UInt8], isGzip: Bool) {
        let head = head([("Content-Encoding", Array(name.utf8))])
        #expect(head.isGzip(bytes) == isGzip)
        #expect(head.texts(isGzip: isGzip).contains("content-encoding") == isGzip)
    }
}
