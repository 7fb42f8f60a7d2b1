import Basics
import Foundation
import Testing

/// Where a JSON text written by hand goes wrong.
@Suite struct JSONTextTests {
    @Test(
        arguments: [
            ("{}", nil), ("[1, 2.5e3, -1, true, null, \"a\\u0041\"]", nil), ("{\"a\": {\"b\": []}}\n", nil),
            ("{\"a\": 1,}", nil), ("7", nil),
            ("", "line 1, column 1: it ends too early"), ("{", "line 1, column 2: it ends too early"),
            ("{\"a\"", "line 1, column 5: a ':' is missing"),
            ("{\"a\" 1}", "line 1, column 6: a ':' is missing"),
            ("{\n 'a': 1}", "line 2, column 2: a key in double quotes is missing"),
            ("{\"é\": tru}", "line 1, column 7: a value is missing, or a text without its double quotes"),
            ("{\"a\": }", "line 1, column 7: a value is missing, or a text without its double quotes"),
            ("{\"a\": \"x\ny\"}", "line 1, column 9: a text goes beyond its line"),
            ("{\"a\": \"x", "line 1, column 9: it ends too early"),
            ("{\"a\": \"\\", "line 1, column 9: it ends too early"),
            ("{\"a\": \"\\q\"}", "line 1, column 7: a text has an escape that there is not"),
            ("[1 2]", "line 1, column 4: a ',' or a ']' is missing"),
            ("{} x", "line 1, column 4: something follows the end"),
            ("// note\n{}", "line 1, column 1: a value is missing, or a text without its double quotes"),
        ] as [(String, String?)])
    func `a fault has its line, its column, and its cause`(text: String, fault: String?) {
        let found = JSONText(Data(text.utf8)).fault
        #expect(found.map { "\($0.place): \($0.problem)" } == fault)
    }

    @Test func `a key is found by its path`() {
        let text = JSONText(Data("{\"a\": 1,\n  \"b\": {\"a\": [{\"c\": 2}]}}".utf8))
        #expect(text.place(of: ["a"])?.description == "line 1, column 2")
        #expect(text.place(of: ["b", "a"])?.description == "line 2, column 9")
        #expect(text.place(of: ["b", "a", "[]", "c"])?.description == "line 2, column 16")
        #expect(text.place(of: ["c"]) == nil)
    }

    @Test func `a million brackets are too deep`() {
        let deep = JSONText(Data(repeating: UInt8(ascii: "["), count: 1_000_000))
        #expect(deep.fault?.problem == "it is nested too deeply")
    }
}
