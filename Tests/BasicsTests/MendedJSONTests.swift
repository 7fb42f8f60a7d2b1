import Basics
import Foundation
import GalleryTestSupport
import Testing

@Suite struct MendedJSONTests {
    private func mended(_ text: String) -> String {
        String(decoding: MendedJSON(Data(text.utf8)).data, as: UTF8.self)
    }

    @Test(arguments: [
        (#"{"t":"a\ud83d b \ude00"}"#, #"{"t":"a\ufffd b \ufffd"}"#),
        (
            #"["\ud83d\ude00","\uD83D\uD83D\uDE00","\ud83d","\ud83d\u0041"]"#,
            #"["\ud83d\ude00","\ufffd\uD83D\uDE00","\ufffd","\ufffd\u0041"]"#
        ),
        ("{\"t\":\"a\tb\nc\u{1}\"}", #"{"t":"a\u0009b\u000ac\u0001"}"#),
        (#"["it\'s \x \u12g4 \\u"]"#, #"["it's x u12g4 \\u"]"#),
        (#"{"items":[],"items":[1]}"#, #"{"items":[1]}"#),
        (#"{"a":{"a":1,"b":2,"a":3},"b":[{"a":1},{"a":2}]}"#, #"{"a":{"b":2,"a":3},"b":[{"a":1},{"a":2}]}"#),
        (#"{"a":{"t":"\x","t":1},"b":1,"a":"\ud83d"}"#, #"{"b":1,"a":"\ufffd"}"#),
        (#"{ "a" : 1 , "a" : 2 , "a" : [ "a" , "a" ] }"#, #"{ "a" : [ "a" , "a" ] }"#),
        (#"{"\u0430":1,"\u0431":2,"":3,"":4}"#, #"{"\u0430":1,"\u0431":2,"":4}"#),
    ])
    func `what a decoder cannot read is made what people read`(sent: String, text: String) throws {
        #expect(mended(sent) == text)
        #expect(mended(text) == text)
        _ = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
    }

    @Test(arguments: [
        #"{"a":"\"\\\/\b\f\n\r\té","b":[1,{"a":2}],"c":{"a":3}}"#, "", "[]", "{", "\"", "}]", #"{"a" "a":}"#,
        "[,{,}", "{\n\t\"a\": 1\n}", "<html>", "7", "{\"a\":\"\u{7F}\u{80}\"}", #"{"a":1,"a"#,
        #"{["b","c"]}"#, #"{"a":1,["b"#,
    ])
    func `what is right, or is no JSON at all, stays as it is`(text: String) {
        #expect(mended(text) == text)
    }

    @Test func `text that is not UTF-8 is Latin-1, and what has zeros is left alone`() {
        #expect(MendedJSON(Data([0x5B, 0x22, 0xE9, 0x22, 0x5D])).data == Data("[\"é\"]".utf8))
        let wide = "[\"\u{1}\"]".data(using: .utf16LittleEndian) ?? Data()
        #expect(MendedJSON(wide).data == wide)
    }

    @Test func `a hundred thousand faults, and any cut, are mended at once`() throws {
        let count = Thorough.size(100_000, small: 3_000)
        let rows = (0..<count).map { #"{"id":\#($0),"u":"no","t":"\ud83d\#u{1}","u":"\#($0)"}"# }
        let whole = Data(#"{"items":[\#(rows.joined(separator: ","))]}"#.utf8)
        let rowsRead = try JSONDecoder().decode([String: [Row]].self, from: MendedJSON(whole).data)["items"]
        #expect(
            rowsRead?.count == count
                && rowsRead?.allSatisfy { $0.u == "\($0.id)" && $0.t == "\u{FFFD}\u{1}" } == true)
        let one = (0..<count).map { #""k":\#($0)"# }.joined(separator: ",")
        #expect(mended("{\(one)}") == #"{"k":\#(count - 1)}"#)
        let several = (0..<count).map { #""k\#($0)":[{}]"# }.joined(separator: ",")
        #expect(mended("{\(several)}") == "{\(several)}")
        #expect(mended(String(repeating: "[{", count: count)) == String(repeating: "[{", count: count))
        let short = Data(#"{"a":"\ud83d\u{1}","b":{"a":"\x","a":1},"a":[]}"#.utf8)
        for end in 0...short.count { _ = MendedJSON(short.prefix(end)) }
    }

    private struct Row: Decodable {
        let id: Int
        let t: String
        let u: String
    }
}
