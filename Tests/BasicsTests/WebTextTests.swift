import Basics
import Foundation
import GalleryTestSupport
import Testing

@Suite struct WebTextTests {
    @Test(
        arguments: [
            ("gb2312", [0xD5, 0xD5, 0xC6, 0xAC], "照片"), ("GBK", [0xD5, 0xD5, 0xC6, 0xAC], "照片"),
            ("x-gbk", [0xBA, 0xA3, 0x81, 0x30, 0x81, 0x30], "海\u{80}"), ("gb18030", [0xBA, 0xA3], "海"),
            ("euc-jp", [0xBC, 0xCC, 0xBF, 0xBF], "写真"),
            ("x-euc-jp", [0x8E, 0xB1, 0xA4, 0xE0, 0xF4, 0xA6], "ｱむ熙"),
            ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x3C, 0x4C, 0x3F, 0x3F, 0x1B, 0x28, 0x42, 0x61], "写真a"),
            ("shift_jis", [0x8E, 0xCA, 0x90, 0x5E, 0x87, 0x40], "写真①"), ("x-sjis", [0x8E, 0xCA], "写"),
            ("windows-874", [0xC0, 0xD2, 0xBE], "ภาพ"), ("TIS-620", [0xC0, 0xD2, 0xBE], "ภาพ"),
            ("iso-8859-11", [0xE1, 0xC1], "แม"), ("macintosh", [0x43, 0x61, 0x66, 0x8E], "Café"),
            ("mac", [0xC7, 0x61, 0xC8], "«a»"), ("x-mac-cyrillic", [0x80, 0xE0], "Аа"),
            ("koi8", [0xED, 0xCF, 0xD2, 0xC5], "Море"), ("koi8-u", [0xF4, 0xA4], "Тє"),
            ("ibm866", [0xE4, 0xAE, 0xE2, 0xAE], "фото"), ("big5-hkscs", [0xB7, 0xD3, 0xA4, 0xF9], "照片"),
            ("ks_c_5601-1987", [0xBB, 0xE7, 0xC1, 0xF8], "사진"), ("cp1251", [0xCC, 0xEE], "Мо"),
            ("iso-8859-8-i", [0xF9, 0xEC], "של"), ("windows-1256", [0xC7], "ا"),
            ("iso-8859-9", [0xDD, 0x40, 0x80], "İ@€"),
            ("latin1", [0xE9, 0x20, 0x80, 0x81], "é €\u{81}"), ("ascii", [0xC3, 0xA9, 0xFF], "Ã©ÿ"),
            ("utf-8", [0xE9, 0x61], "éa"), ("utf-8", [0x93, 0xC3, 0xA9, 0x94], "“é”"),
            ("unheard-of", [0x43, 0x61, 0x66, 0xE9], "Café"),
            ("", [0xF0, 0x9F, 0x98, 0xE9], "ð\u{178}\u{2DC}é"),
        ] as [(String, [UInt8], String)])
    func `bytes are read as the web reads what is declared`(label: String, bytes: [UInt8], text: String) {
        #expect(WebText.text(Data(bytes), declaredAs: [label]) == text)
    }

    @Test(arguments: ["windows-1251", "gbk", "euc-jp", "iso-2022-jp", "macintosh", "shift_jis", "nonsense"])
    func `what is UTF-8, or says so by a mark, is that whatever is declared`(label: String) {
        for text in ["海 Ж é", "", "a", "\u{10FFFF}"] {
            #expect(WebText.text(Data(text.utf8), declaredAs: [label]) == text)
            #expect(WebText.text(Data("\u{FEFF}\(text)".utf8), declaredAs: [label]) == text)
        }
        for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian] {
            #expect(
                WebText.text("<a>海</a>".data(using: encoding) ?? Data(), declaredAs: [label]) == "<a>海</a>")
        }
    }

    @Test func `the first declaration that names an encoding counts, and UTF-8 names none`() {
        #expect(WebText.text(Data([0xCC]), declaredAs: ["utf-8", "", "windows-1251", "gbk"]) == "М")
        #expect(WebText.label(after: "charset=", in: "text/xml; Charset=\"GBK\"; x=y") == "GBK")
        #expect(WebText.label(after: "encoding=", in: "<?xml encoding='koi8-r'?><a>") == "koi8-r")
        #expect(WebText.label(after: "encoding=", in: "<?xml version='1.0'?>") == nil)
        #expect(WebText.label(after: "encoding=", in: "encoding=") == nil)
    }

    @Test func `a byte that an encoding does not have costs the word that it is in`() {
        #expect(
            WebText.text(
                Data([0xD5, 0xD5, 0x3C, 0xC6, 0xAC, 0x20, 0xFF, 0xFF, 0x20, 0xBA, 0xA3]), declaredAs: ["gbk"])
                == "照<片 \u{FFFD}\u{FFFD} 海")
        #expect(
            WebText.text(
                Data([0xBC, 0xCC, 0x20, 0x8F, 0xB0, 0xA1, 0x20, 0xBF, 0xBF]), declaredAs: ["euc-jp"])
                == "写 \u{FFFD} 真")
    }

    @Test(arguments: ["gbk", "euc-jp", "iso-2022-jp", "shift_jis", "utf-8", "koi8-r", "windows-874", "big5"])
    func `any bytes, and a hundred thousand that are none, are some text`(label: String) {
        var random = SeededGenerator(seed: 5)
        let start = Data("<?xml?><a>".utf8)
        for _ in 0..<20 {
            let bytes = Data((0..<200).map { _ in UInt8.random(in: 0...255, using: &random) })
            let text = WebText.text(start + bytes, declaredAs: [label])
            #expect(text.unicodeScalars.starts(with: "<?xml?><a>".unicodeScalars))
        }
        let many = Data(
            (0..<Thorough.size(100_000, small: 2_000)).flatMap { _ in [0xD5, 0xFF, 0x3C] as [UInt8] })
        let text = WebText.text(many + Data([0x1B]), declaredAs: [label])
        #expect(text.unicodeScalars.count { $0 == "<" } * 3 >= many.count)
    }
}
