import Testing

@testable import GalleryCore

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
