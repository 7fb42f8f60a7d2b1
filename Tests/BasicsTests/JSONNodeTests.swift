import Basics
import Foundation
import GalleryTestSupport
import Testing

/// What is read of JSON as services send it.
@Suite struct JSONNodeTests {
    private func root(_ text: String) throws -> JSONNode {
        try #require(JSONDocument(Data(text.utf8), isMending: true).root)
    }

    @Test(arguments: [
        (#""a\ud83d b \ude00""#, "a\u{FFFD} b \u{FFFD}"), (#""\ud83d\ude00""#, "\u{1F600}"),
        (#""\uD83D\uD83D\uDE00""#, "\u{FFFD}\u{1F600}"), (#""\ud83d\u0041""#, "\u{FFFD}A"),
        ("\"a\tb\nc\u{1}\"", "a\tb\nc\u{1}"), (#""it\'s \x \u12g4 \\u""#, #"it's x u12g4 \u"#),
        (#""\"\\\/\b\f\n\r\té""#, "\"\\/\u{8}\u{C}\n\r\té"), (#""""#, ""),
        ("\"\u{7F}\u{80}\"", "\u{7F}\u{80}"),
    ])
    func `a text is what people read it as`(sent: String, text: String) throws {
        #expect(try root(sent).string == text)
    }

    @Test(arguments: [
        (#"{"items":[],"items":[1]}"#, ["items"]), (#"{"a":{"t":"\x","t":1},"b":1,"a":"c"}"#, ["b", "a"]),
        (#"{ "a" : 1 , "b" : 2 , "a" : [ "a" ] }"#, ["b", "a"]),
        (#"{"\u0430":1,"\u0431":2,"":3,"":4}"#, ["а", "б", ""]), ("{}", []), ("[{}]", []), ("7", []),
    ])
    func `of several members with one key the last counts`(text: String, keys: [String]) throws {
        let root = try root(text)
        #expect(root.members.map { $0.key?.string } == keys)
        for member in root.members {
            #expect(root.member(member.key?.string ?? "")?.place == member.place)
        }
    }

    @Test(arguments: [
        ("12", 12 as Int?, 12.0 as Double?), ("-0", 0, 0), ("12.0", 12, 12), ("1e2", 100, 100),
        ("1.5", nil, 1.5),
        ("9007199254740993", 9_007_199_254_740_993, 9_007_199_254_740_992), ("1e999", nil, .infinity),
        ("123456789012345678901", nil, 1.2345678901234568e20), ("true", nil, nil), (#""1""#, nil, nil),
    ])
    func `a number is whole where it says so`(text: String, whole: Int?, number: Double?) throws {
        #expect(try root(text).whole == whole)
        #expect(try root(text).number == number)
    }

    @Test(arguments: [
        "", "{", "\"", "}]", #"{"a" "a":}"#, "[,{,}", "<html>", #"{"a":1,"a"#, #"{["b","c"]}"#, "0x1F", "nan",
        "-inf",
        "+1", "[1] 2", "nul",
    ])
    func `what is no JSON has no root`(text: String) {
        #expect(JSONDocument(Data(text.utf8), isMending: true).root == nil)
    }

    @Test func `text that is not UTF-8 is Latin-1, and UTF-16 says that it is`() {
        #expect(JSONDocument(Data([0x22, 0xE9, 0x22])).root?.string == "é")
        #expect(JSONDocument("[\"é\"]".data(using: .utf16) ?? Data()).root?.elements?.first?.string == "é")
    }

    @Test func `a hundred thousand faults, and any cut, are passed at once`() throws {
        let count = Thorough.size(100_000, small: 3_000)
        let rows = (0..<count).map { #"{"id":\#($0),"u":"no","t":"\ud83d\#u{1}","u":"\#($0)"}"# }
        let read = try root(#"{"items":[\#(rows.joined(separator: ","))]}"#)["items"]?.elements
        #expect(read?.count == count)
        #expect(
            read?.allSatisfy { row in
                row["u"]?.string == row["id"]?.whole.map(String.init) && row["t"]?.string == "\u{FFFD}\u{1}"
            } == true)
        let one = (0..<count).map { #""k":\#($0)"# }.joined(separator: ",")
        #expect(try root("{\(one)}").members.map(\.whole) == [count - 1])
        let several = (0..<count).map { #""k\#($0)":[{}]"# }.joined(separator: ",")
        #expect(try root("{\(several)}").members.count == count)
        let short = Data(#"{"a":"\ud83d\u{1}","b":{"a":"\x","a":1},"a":[]}"#.utf8)
        for end in 0..<short.count { #expect(JSONDocument(short.prefix(end), isMending: true).root == nil) }
    }
}
