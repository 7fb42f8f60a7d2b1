import Foundation
import GalleryTestSupport
import TerminalPictures
import Testing

@testable import gallery

/// Programs beside browsing.
@Suite(.fewAtOnce, .timeLimit(.minutes(1)))
struct PageOpenerTests {
    @Test(arguments: [
        ("gimp", ["gimp"]), ("  gimp   -n ", ["gimp", "-n"]),
        ("sh -c 'cp \"$1\" /tmp'", ["sh", "-c", "cp \"$1\" /tmp"]),
        (#"a "b c"d '' e"#, ["a", "b cd", "", "e"]), ("", nil), ("   ", nil), ("a 'b", nil), ("a \"b'", nil),
    ])
    func `a command is split at spaces, as quotes allow`(line: String, words: [String]?) {
        #expect(UserCommand.words(of: line) == words)
    }

    @Test(arguments: [
        (["gimp", "-n"], ["-n", "/a b.jpg"]), (["cp", "$1", "/x"], ["/a b.jpg", "/x"]),
        (["sh", "-c", "cp \"$1\" /x"], ["-c", "cp \"$1\" /x", "gallery", "/a b.jpg"]),
    ])
    func `the file is one argument`(words: [String], arguments: [String]) {
        #expect(UserCommand(words: words).arguments(for: "/a b.jpg") == arguments)
    }

    @Test func `a shell that the user names gets the file as $1`() async throws {
        try await withTemporaryDirectory { folder in
            let out = folder.appending(path: "out")
            let command = UserCommand(words: ["sh", "-c", "printf %s \"$1\" > '\(out.path)'"])
            let file = URL(filePath: "/photos/a 'b' $(id).jpg")
            let notice = await command.run(file, ["PATH": "/usr/bin:/bin"])
            #expect(notice.text == "'sh' is done.")
            #expect((try? String(contentsOf: out, encoding: .utf8)) == file.path)
            #expect(await UserCommand(words: ["no-such-program"]).run(file, ["PATH": "/bin"]).isError)
            #expect(
                await UserCommand(words: ["false"]).run(file, ["PATH": "/usr/bin:/bin"]).text.contains(
                    "status 1"))
            let killed = UserCommand(words: ["sh", "-c", "kill -9 $$"])
            #expect(await killed.run(file, ["PATH": "/usr/bin:/bin"]).text == "'sh' was ended by signal 9.")
        }
    }

    @Test func `a file goes to the trash with a note of where it was`() throws {
        try withTemporaryFolder { folder in
            let trash = Trash(environment: ["XDG_DATA_HOME": folder.path])
            for number in 1...2 {
                let file = folder.appending(path: "a b%.jpg")
                try Data("\(number)".utf8).write(to: file)
                try trash.moveToHomeTrash(file)
                #expect(!FileManager.default.fileExists(atPath: file.path))
            }
            let found = folder.appending(path: "Trash")
            let names = try FileManager.default.contentsOfDirectory(
                atPath: found.appending(path: "files").path)
            #expect(names.sorted() == ["2.a b%.jpg", "a b%.jpg"])
            let note = try String(
                contentsOf: found.appending(path: "info/a b%.jpg.trashinfo"), encoding: .utf8)
            #expect(note.hasPrefix("[Trash Info]\nPath=\(folder.path)/a%20b%25.jpg\nDeletionDate="))
            #expect(throws: (any Error).self) { try trash.moveToHomeTrash(folder.appending(path: "none")) }
            let notes = try FileManager.default.contentsOfDirectory(
                atPath: found.appending(path: "info").path)
            #expect(notes.sorted() == ["2.a b%.jpg.trashinfo", "a b%.jpg.trashinfo"])
        }
    }

    private func withTemporaryFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "trash-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    @Test(arguments: [
        ("https://photos.example/7", 40, "https://photos.example/7"),
        ("https://photos.example/7", 11, "https…ple/7"),
        ("abcdef", 3, "a…f"), ("世界世界", 5, "世…界"), ("abc", 0, ""),
    ])
    func `a long address is shortened in the middle`(text: String, columns: Int, shortened: String) {
        #expect(DisplayWidth.usual.shortened(text, to: columns) == shortened)
    }
}
