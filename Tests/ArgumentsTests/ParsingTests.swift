import Testing

@testable import Arguments

@Suite struct ParsingTests {
    private struct Rate: ParsableCommand {
        @Argument var words: [String]
        @Argument var stars: Int
    }

    @Test(arguments: [
        ("7 5", ["7"], 5), ("1 2 3", ["1", "2"], 3),
    ])
    func `a list of arguments leaves the last word to the one after it`(
        line: String, words: [String], stars: Int
    ) {
        let rate = try? Rate.parseAsRoot(line.words) as? Rate
        #expect(rate?.stars == stars && rate?.words == words)
        #expect(throws: (any Error).self) { try Rate.parseAsRoot(["5"]) }
    }

    @Test(arguments: [
        // Ways to attach a value.
        ("web -o x --columns 3", #"[] x Gallery 3 auto"#),
        ("web -o=x --columns=3", #"[] x Gallery 3 auto"#),
        ("web --columns= 3 -o x", #"[] x Gallery 3 auto"#),
        ("web --title=a=b -o x", #"[] x a=b 0 auto"#),
        ("fetch -qpj 3 1", #"["1"] full . {id}_{title} 3 false false true 0 true"#),
        // What looks like an option and is none.
        ("show -- -1 --help", #"["-1", "--help"] table - -"#),
        ("web -o - --title ''", #"[] -  0 auto"#),
        // Options before, between and behind the words.
        ("show --format csv 1 --ranking daily 2-3", #"["1", "2-3"] csv - daily"#),
        // Repetition: the last value counts, lists grow, the first value ends the defaults.
        ("search --tag a x --tag b", #"x 20 ["a", "b"]"#),
        ("collage -o x.svg 5 6", #"["5", "6"] x.svg 3 1200 8"#),
        // Which command it is.
        ("lab on --secret 3", "3"),
        // A value that may begin with a dash.
        ("lab on --any -x", "1 -x"), ("lab on --any=-x", "1 -x"), ("lab on --any --secret", "1 --secret"),
        ("lab flags --hush -s --color --no-cache-ur-ls", "false true true"),
        ("lab options --twice 4 --many 7 --theme dark", #"[7] [] 0 ["full"] - dark 8 7"#),
    ])
    func `reads the words into the properties`(line: String, properties: String) async {
        #expect(await Answer(to: line.words) == Answer(text: properties, status: 0))
    }

    @Test(arguments: [
        ("popular --per-pag 3", "Unknown option '--per-pag'. Did you mean '--per-page'?"),
        ("popular -xy", "Unknown option '-xy'"),
        ("popular -qs", "Unknown option '-qs'\n   or: Missing value for '-s <service>' in '-qs'"),
        ("popular a b", "2 unexpected arguments: 'a', 'b'"),
        ("popular ---x", "Invalid option: ---x"),
        (
            "popular --date soon",
            "The value 'soon' is invalid for '--date <YYYY-MM-DD>': A day is written YYYY-MM-DD."
        ),
    ])
    func `says what is wrong with a line`(line: String, sentence: String) throws {
        let error = #expect(throws: (any Error).self) {
            var command = try Gallery.parseAsRoot(line.words)
            try command.run()
        }
        #expect(Outcome(of: try #require(error), root: Gallery.self).text.hasPrefix("Error: \(sentence)\n"))
        #expect(Gallery.exitCode(for: try #require(error)) == .validationFailure)
    }

    @Test func `a request for help ends with success`() throws {
        let error = #expect(throws: (any Error).self) { try Gallery.parseAsRoot(["fetch", "--help"]) }
        #expect(Gallery.exitCode(for: try #require(error)) == .success)
    }

    @Test func `ten thousand selections are read in one go`() throws {
        let words = (1...10_000).map(String.init)
        #expect((try Gallery.parseAsRoot(["show"] + words) as? Show)?.selections == words)
    }
}
