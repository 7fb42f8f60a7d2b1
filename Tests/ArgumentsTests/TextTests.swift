import Testing

@testable import Arguments

@Suite struct TextTests {
    @Test(arguments: [
        ("perPage", "per-page"), ("limit", "limit"), ("baseURL", "base-url"), ("URLSession", "url-session"),
        ("useHTTPProxy", "use-http-proxy"), ("a", "a"), ("A", "a"), ("snake_case", "snake_case"), ("", ""),
    ])
    func `property names become words with dashes`(name: String, word: String) {
        #expect(name.hyphenated == word)
    }

    @Test(arguments: [
        ("", "", 0), ("abc", "abc", 0), ("abc", "", 3), ("", "abc", 3), ("kitten", "sitting", 3),
        ("--per-pag", "--per-page", 1), ("--größe", "--grosse", 3), ("ab", "ba", 2),
    ])
    func `edit distance counts letters`(one: String, other: String, distance: Int) {
        #expect(one.editDistance(to: other) == distance)
        #expect(other.editDistance(to: one) == distance)
    }

    @Test(arguments: [
        ("one two three", 7, 0, "one\ntwo\nthree"),
        ("one two three", 8, 0, "one two\nthree"),
        ("one two three", 8, 3, "   one\n   two\n   three"),
        ("unbreakable word", 4, 0, "unbreakable\nword"),
        ("one\n\ntwo", 80, 2, "  one\n\n  two"),
        ("", 80, 2, ""),
        ("too narrow", 2, 4, ""),
    ])
    func `breaks lines at spaces`(text: String, columns: Int, indent: Int, wrapped: String) {
        #expect(text.wrapped(to: columns, indent: indent) == wrapped)
    }

    @Test(arguments: [("plain", "'plain'"), ("it's", #"'it'\''s'"#), ("", "''"), ("$(rm)", "'$(rm)'")])
    func `quotes a word for a shell`(word: String, quoted: String) {
        #expect(word.quoted == quoted)
    }
}
