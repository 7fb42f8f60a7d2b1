import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

@Suite(.fewAtOnce) struct FileNameTests {
    /// What a title becomes as a name of its own, for a photo whose identifier is 7.
    static let names: [(title: String, name: String)] = [
        ("Orange or lemon", "Orange or lemon"),
        ("日本語の題", "日本語の題"),
        // Separators and ways out of the folder.
        ("", "7"),
        ("   ", "7"),
        (".", "7"),
        ("..", "7"),
        ("../../x", "_.._x"),
        ("/etc/passwd", "_etc_passwd"),
        ("a/b", "a_b"),
        ("a\\b", "a_b"),
        ("..\\..\\x", "_.._x"),
        ("%2e%2e%2f", "%2e%2e%2f"),
        ("/\u{301}x", "_\u{301}x"),
        // Starts and ends that mean something.
        (".bashrc", "bashrc"),
        ("... and then", "and then"),
        ("-rf", "rf"),
        ("--help", "help"),
        ("~", "7"),
        ("~root", "root"),
        ("- . -~", "7"),
        ("and so on...", "and so on"),
        ("end. . ", "end"),
        ("a - b", "a - b"),
        ("v1.2", "v1.2"),
        // What cannot be seen.
        ("a\0b", "ab"),
        ("a\u{1B}]0;x\u{7}b", "a]0;xb"),
        ("a\u{9B}2Jb", "a2Jb"),
        ("a\u{85}b", "a b"),
        ("a\u{7F}b", "ab"),
        ("photo\u{202E}gpj.exe", "photogpj.exe"),
        ("\u{2066}a\u{2069}", "a"),
        ("a\u{200B}b\u{FEFF}", "ab"),
        ("a\u{00AD}b", "ab"),
        ("a\u{034F}b\u{3164}", "ab"),
        ("\u{200B}", "7"),
        ("a\u{FFF9}b\u{E0061}", "ab"),
        ("\u{FFFD}", "7"),
        ("a\u{FFFD}b", "ab"),
        ("a\u{FFFF}b\u{E000}", "ab"),
        ("\u{E0041}\u{E007F}", "7"),
        // White space.
        ("a\tb\nc\r\nd", "a b c d"),
        ("  a   b  ", "a b"),
        ("a\u{00A0}\u{3000}\u{2028}b", "a b"),
        ("a \u{200B} b", "a b"),
        // What Windows forbids.
        ("a<b>c:d\"e|f?g*h", "a_b_c_d_e_f_g_h"),
        ("???", "___"),
        ("C:\\x", "C__x"),
        ("CON", "_CON"),
        ("con", "_con"),
        ("nul.jpg", "_nul.jpg"),
        ("NUL .jpg", "_NUL .jpg"),
        ("nul.\u{301}", "_nul.\u{301}"),
        ("aux.tar.gz", "_aux.tar.gz"),
        ("COM1", "_COM1"),
        ("com¹", "_com¹"),
        ("LPT9.x", "_LPT9.x"),
        ("CONIN$", "_CONIN$"),
        ("cloc\u{212A}$.x", "_cloc\u{4B}$.x"),
        ("COM10", "COM10"),
        ("console", "console"),
        ("icon.con", "icon.con"),
        // Our own.
        (".gallery.jsonl", "gallery.jsonl"),
        ("x.part", "x_part"),
        ("x.PART", "x_part"),
        ("x.part.part", "x.part_part"),
        ("x\u{D4E}.part", "x\u{D4E}_part"),
        ("x.part.", "x_part"),
        ("part", "part"),
        ("x.jpg.part.json", "x.jpg.part.json"),
        // One form for what looks the same.
        ("e\u{301}", "\u{E9}"),
        ("e\u{200B}\u{301}", "\u{E9}"),
        ("\u{212B}", "\u{C5}"),
        // Text that only looks as if it were more.
        ("$HOME `id` 'x' & ; #", "$HOME `id` 'x' & ; #"),
        ("{id}", "{id}"),
        ("a\u{2215}b", "a\u{2215}b"),
        ("&lt;script>", "&lt;script_"),
        ("👨\u{200D}👩\u{200D}👧", "👨\u{200D}👩\u{200D}👧"), ("❤\u{FE0F}\u{200D}🔥", "❤\u{200D}🔥"),
        ("می\u{200C}خواهم", "می\u{200C}خواهم"), ("क्\u{200D}ष", "क्\u{200D}ष"),
        ("a\u{200D}b\u{200C}", "ab"), ("\u{200C}می\u{200C}", "می"), ("ی\u{200C} خ\u{200D}\u{200D}.", "ی خ"),
        ("خ\u{200C}\u{200D}ا\u{200B}\u{200D}", "خ\u{200D}ا"), ("\u{212A}\u{200D}\u{301}", "\u{1E30}"),
        ("con\u{200D}", "_con"), ("x\u{200C}.part", "x_part"),
        ("🇯🇵👍🏽", "🇯🇵👍🏽"),
    ]

    // By number, so that the test's own output holds none of the control characters.
    @Test(arguments: names.indices)
    func `a title becomes a name`(row: Int) {
        let (title, name) = Self.names[row]
        // By bytes: `==` takes two forms of a letter for one.
        #expect(Array(FileName.component(title, fallback: "7").utf8) == Array(name.utf8))
    }

    @Test(arguments: names.indices)
    func `a name stays when it is made a name again`(row: Int) {
        let name = Self.names[row].name
        #expect(Array(FileName.component(name, fallback: "7").utf8) == Array(name.utf8))
    }

    @Test func `the fallback is no more trusted than the text`() {
        #expect(FileName.component("", fallback: "../x") == "_x")
        #expect(FileName.component("..", fallback: "..") == "photo")
        #expect(FileName.component("\0", fallback: "nul") == "_nul")
    }

    // MARK: - Length

    static let lengths: [(title: String, bytes: Int)] = [
        (String(repeating: "a", count: 240), 240),
        (String(repeating: "a", count: 241), 240),
        (String(repeating: "a", count: 1_000_000), 240),
        (String(repeating: "語", count: 300), 240),
        (String(repeating: "語", count: 79) + "aaaé", 240),
        ("a" + String(repeating: "語", count: 300), 238),
        (String(repeating: "👍🏽", count: 100), 240),
        ("a" + String(repeating: "👍🏽", count: 100), 233),
        (String(repeating: "a", count: 239) + "e\u{323}\u{301}\u{302}", 239),
        (String(repeating: "a", count: 236) + ". . . b", 236),
        ("nul." + String(repeating: "a", count: 300), 240),
        (String(repeating: "a", count: 235) + ".partly", 240),
    ]

    @Test(arguments: lengths.indices)
    func `a long name is cut between characters`(row: Int) {
        let (title, bytes) = Self.lengths[row]
        let name = FileName.component(title, fallback: "7")
        #expect(name.utf8.count == bytes)
        let uncut = name.hasPrefix("_nul") ? String(name.dropFirst()) : name
        #expect(name.hasSuffix("_part") || title.hasPrefix(uncut))
    }

    @Test func `a single character of a thousand marks is cut between them`() {
        let storm = "a" + String(repeating: "\u{334}", count: 1000)
        #expect(storm.count == 1)
        let name = FileName.component(storm, fallback: "7")
        #expect(name == "a" + String(repeating: "\u{334}", count: 119))
        #expect(name.utf8.count == 239)
    }

    @Test func `a cut that bares a device's name does not leave it bare`() {
        let storm = "nul" + " " + String(repeating: "\u{334}", count: 300)
        #expect(FileName.component(storm, fallback: "7") == "_nul")
    }

    /// The limit is for a way that compares each mark with each: hours.
    @Test(.timeLimit(.minutes(1))) func `a storm of a million marks is cut like any other`() {
        let marks = (0..<1_000_000).map { Unicode.Scalar(0x300 + UInt32($0 * 7 % 0x40)) ?? "a" }
        let name = FileName.component(String(String.UnicodeScalarView(marks)), fallback: "7")
        #expect(isSafe(name))
        #expect(name.utf8.count > 200)
    }

    // MARK: - Anything at all

    @Test func `ten thousand random texts become safe names`() {
        var random = SeededGenerator(seed: 11)
        let alphabet: [Unicode.Scalar] =
            Array("../\\-~ .conulprt$1<>|:*?%{}aé語👍".unicodeScalars)
            + ["\0", "\u{1B}", "\u{7F}", "\u{9B}", "\u{301}", "\u{334}", "\u{D4E}", "\u{200B}", "\u{200D}"]
            + [
                "\u{202E}", "\u{2066}", "\u{FEFF}", "\u{FFFD}", "\u{FFFF}", "\u{E000}", "\u{1F1E6}",
                "\u{2028}",
            ]
        for _ in 0..<Thorough.rounds(10_000, few: 1_000) {
            let count = [0, 2, 12, 250].randomElement(using: &random) ?? 0
            let scalars = (0..<Int.random(in: 0...count, using: &random)).map { _ in
                let any = Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &random)) ?? "a"
                return Int.random(in: 0..<8, using: &random) == 0
                    ? any : alphabet.randomElement(using: &random) ?? any
            }
            let start = ["", "", "nul", "..", "con.", "\u{200B}aux "].randomElement(using: &random) ?? ""
            let end = ["", "", ".part", ".part.", ". "].randomElement(using: &random) ?? ""
            let title = start + String(String.UnicodeScalarView(scalars)) + end
            let name = FileName.component(title, fallback: "7")
            #expect(isSafe(name), "\(scalars.map(\.value))")
            #expect(FileName.component(name, fallback: "7").utf8.elementsEqual(name.utf8))
        }
    }

    /// What must hold of every name, said without the code that makes it hold.
    private func isSafe(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        guard (1...240).contains(bytes.count), let first = bytes.first, let last = bytes.last else {
            return false
        }
        let forbidden = Array("/\\<>:\"|?*".utf8)
        var stem = Array(bytes.prefix { $0 != UInt8(ascii: ".") })
        while stem.last == 0x20 { stem.removeLast() }
        let devices: Set = ["con", "prn", "aux", "nul", "lpt1", "com1", "conin$", "clock$"]
        return bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F && !forbidden.contains($0) }
            && !".-~ ".utf8.contains(first) && !". ".utf8.contains(last)
            && !devices.contains(String(decoding: stem, as: UTF8.self).lowercased())
            && !bytes.suffix(5).elementsEqual(".part".utf8)
            && name.unicodeScalars.allSatisfy {
                !(0x80...0x9F).contains($0.value) && !$0.properties.isBidiControl
            }
            && name.precomposedStringWithCanonicalMapping.utf8.elementsEqual(bytes)
    }
}

/// Identifiers as parts of names, and names that are one file on some system.
@Suite struct FileNameIdentifierTests {
    @Test(arguments: ["4910421", "ascent", "Ascent_2", "a-b", "1", "File_x.jpg"])
    func `a usual identifier stays`(identifier: String) {
        #expect(FileName.identifier(identifier) == identifier)
    }

    @Test func `identifiers that clean alike stay different`() {
        let long = String(repeating: "a", count: 64)
        let identifiers = [
            "5", "-5", ".5", "5.", " 5", "5\0", "/5", "\\5", "a/b", "a_b", "a:b", "", "..", ".", "photo",
            "nul",
            "_nul", long, long + "b", long + "c", "é", "e\u{301}", "x.part", "x_part", "\u{202E}5",
        ]
        let names = identifiers.map { FileName.identifier($0) }
        #expect(Set(names.map { Array($0.utf8) }).count == identifiers.count)
        #expect(names.allSatisfy { $0.utf8.count <= 64 && FileName.component($0, fallback: "") == $0 })
    }

    @Test(arguments: [
        ("4910421", true), ("ascent", true), ("a-b_c", true), ("Ascent", false), ("-5", false), ("é", false),
        ("a.b", false), ("", false), ("nul", false), (String(repeating: "1", count: 65), false),
    ])
    func `an identifier is plain where no other looks like it`(identifier: String, isPlain: Bool) {
        #expect(FileName.isPlain(identifier: identifier) == isPlain)
    }

    // MARK: - Collisions

    @Test(arguments: [
        ("Sunset", "SUNSET", true), ("é", "e\u{301}", true), ("É", "é", true), ("Straße", "STRASSE", true),
        ("ΣΑΣ", "σας", true), ("ﬁn", "FIN", true), ("\u{212A}elvin", "kelvin", true), ("ı", "I", true),
        ("α\u{345}\u{301}", "α\u{301}\u{345}", true),
        ("a/B", "A/b", true), ("a", "b", false), ("e", "é", false), ("a b", "a_b", false),
        ("a/b", "a_b", false),
    ])
    func `names that are one file on some system share a key`(one: String, other: String, isSame: Bool) {
        #expect((FileName.collisionKey(one) == FileName.collisionKey(other)) == isSame)
    }
}
