import Basics
import Foundation
import Testing

/// A JSON text of which one member changes, and nothing else.
@Suite struct JSONEditTests {
    @Test(arguments: [
        ("{}\n", "jobs", "{\n  \"jobs\": 8\n}\n"),
        (" { } ", "jobs", " {\n  \"jobs\": 8\n} "),
        (#"{"jobs":1}"#, "jobs", #"{"jobs":8}"#),
        (#"{"jobs" : [1, {"a": "}"}] , "b":2}"#, "jobs", #"{"jobs" : 8 , "b":2}"#),
        (#"{"a":1}"#, "jobs", #"{"a":1,"jobs":8}"#),
        (#"{"a": 1}"#, "jobs", #"{"a": 1, "jobs": 8}"#),
        (#"{"a":1,"b":2}"#, "jobs", #"{"a":1,"b":2,"jobs":8}"#),
        (
            "{\r\n\t\"b\": 1,\r\n\t\"a\": 2\r\n}", "jobs",
            "{\r\n\t\"b\": 1,\r\n\t\"a\": 2,\r\n\t\"jobs\": 8\r\n}"
        ),
        ("{\n    \"a\"  :  1,\n}", "jobs", "{\n    \"a\"  :  1,\n    \"jobs\"  :  8,\n}"),
        (#"{"j\u006fbs": 1}"#, "jobs", #"{"j\u006fbs": 8}"#),
        (#"{"a": 1}"#, "keys.x", #"{"a": 1, "keys": {"x": 8}}"#),
        (#"{"keys": {}}"#, "keys.x", #"{"keys": {"x": 8}}"#),
        (#"{"keys": {"y": "1"}, "a": 1}"#, "keys.x", #"{"keys": {"y": "1", "x": 8}, "a": 1}"#),
        (#"{"s": {"c": {"l": 1}}}"#, "s.d.l", #"{"s": {"c": {"l": 1}, "d": {"l": 8}}}"#),
        (#"{"é😀": "\"{"}"#, "a\"\u{1B}", #"{"é😀": "\"{", "a\"\u001b": 8}"#),
    ])
    func `a member is set, and all else stays byte for byte`(text: String, name: String, result: String)
        throws
    {
        let path = name.split(separator: ".").map(String.init)
        let edited = try JSONText(Data(text.utf8)).setting(path, to: .int(8))
        #expect(String(decoding: edited, as: UTF8.self) == result)
        #expect(JSONText(edited).fault == nil)
    }

    @Test(
        arguments: [
            (#"{"a": 1, "b": 2, "c": 3}"#, "a", #"{"b": 2, "c": 3}"#),
            (#"{"a": 1, "b": 2, "c": 3}"#, "b", #"{"a": 1, "c": 3}"#),
            (#"{"a": 1, "b": 2, "c": 3}"#, "c", #"{"a": 1, "b": 2}"#),
            ("{\n  \"a\": 1,\n  \"b\": 2,\n}\n", "b", "{\n  \"a\": 1,\n}\n"),
            ("{ \"a\": 1 }\n", "a", "{}\n"),
            (#"{"keys": {"x": 1}, "a": 1}"#, "keys.x", #"{"a": 1}"#),
            (#"{"keys": {"x": 1}}"#, "keys.x", "{}"),
            (#"{"keys": {"x": 1, "y": 2}}"#, "keys.x", #"{"keys": {"y": 2}}"#),
            (#"{"a": 1}"#, "b", nil), (#"{"a": 1}"#, "b.c", nil),
        ] as [(String, String, String?)])
    func `a member is removed, with what is empty then`(text: String, name: String, result: String?) throws {
        let path = name.split(separator: ".").map(String.init)
        let edited = try JSONText(Data(text.utf8)).removing(path)
        #expect(edited.map { String(decoding: $0, as: UTF8.self) } == result)
    }

    @Test(arguments: [
        (#"{"a": 1, "b": 2, "a": 3}"#, "b", JSONText.EditFault.repeated(["a"])),
        (#"{"k": {"a": 1, "a": 3}}"#, "k.b", .repeated(["k", "a"])),
        (#"{"a": 1}"#, "a.b", .noObject(["a"])), ("[]", "a", .noObject([])), ("7", "a", .noObject([])),
    ])
    func `what is not what it seems is left alone`(text: String, name: String, fault: JSONText.EditFault) {
        let path = name.split(separator: ".").map(String.init)
        let text = JSONText(Data(text.utf8))
        #expect(throws: fault) { try text.setting(path, to: .null) }
        #expect(throws: fault) { try text.removing(path) }
    }
}
