import Testing

@testable import GalleryCore

@Suite struct PlainHeadTests {
    private func head(_ lines: [[UInt8]]) -> PlainHead {
        lines.reduce(into: PlainHead()) { $0.take($1) }
    }

    private func head(_ text: String) -> PlainHead {
        head(text.split(separator: "\n", omittingEmptySubsequences: false).map { Array(($0 + "\r\n").utf8) })
    }

    @Test(
        arguments: [
            ("HTTP/1.1 200\nA:1\n", ["200", "A", "1"]),
            ("HTTP/1.1  200 OK\nA  :  1 \n", ["200", "A", "1"]),
            ("HTTP/2 404 \nA: 1\na: 2\n", ["404", "A", "1, 2"]),
            ("HTTP/1.1 103 Hints\nX: 1\n\nHTTP/1.1 200 OK\nA: 1\n", ["200", "A", "1"]),
            ("HTTP/1.1 200 OK\nno colon\n: no name\nA:\n", ["200", "", "no name", "A", ""]),
            ("HTTP/1.1 200 OK\n\nX-Sum: 1\n", ["200"]), ("HTTP/1.1 many\nA: 1\n", ["0", "A", "1"]),
            ("HTTP/1.1 200 OK\nContent-Encoding: utf-8\nA: 1\n", ["200", "A", "1"]),
        ])
    func `is what the lines say, however they are written`(text: String, texts: [String]) {
        #expect(head(text).texts(isGzip: false) == texts)
    }

    @Test(
        arguments: [
            ("Location", [0x2F, 0xE9, 0x20, 0x41], "/%E9 A"), ("location", [0x2F, 0xC3, 0xA9], "/é"),
            ("X", [0x63, 0xE9], "cé"), ("X", [], ""),
        ] as [(String, [UInt8], String)])
    func `text that is not UTF-8 is Latin-1, and bytes in an address`(
        name: String, bytes: [UInt8], text: String
    ) {
        let head = head([Array("HTTP/1.1 200".utf8), Array("\(name): ".utf8) + bytes])
        #expect(head.texts(isGzip: false) == ["200", name, text])
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
        let head = head("HTTP/1.1 200 OK\nContent-Encoding: \(name)\n\n")
        #expect(head.isGzip(bytes) == isGzip)
        #expect(head.texts(isGzip: isGzip).contains("Content-Encoding") == isGzip)
    }
}
