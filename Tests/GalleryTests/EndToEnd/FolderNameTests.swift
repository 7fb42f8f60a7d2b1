import Foundation
import GalleryTestSupport
import Testing

/// The built program and folders as users and shells write them.
@Suite(.fewAtOnce, .timeLimit(.minutes(2))) struct FolderNameTests {
    @Test(arguments: [["-d", "~/x"], ["--directory=~/x"], ["-d", "~/x/"]])
    func `a tilde is the home that the environment names`(option: [String]) async throws {
        try await withBuiltProduct { gallery in
            let outcome = try await gallery.run(["fetch", "1"] + option)
            let file = gallery.home.appending(path: "x/1001_Eileen Collins.jpg").path
            #expect(outcome.status == 0 && outcome.lines == [file], "\(outcome.all)")
            #expect(FileManager.default.fileExists(atPath: file))
            #expect(try await gallery.run(["verify", "~/x"]).errors == "1 whole\n")
            let list = try await gallery.run(["--folder", "~/x", "--format", "url"])
            #expect(list.lines.count == 1, "\(list.all)")
            let home = try await gallery.run(["fetch", "2", "-d", "~", "-s", "sample"])
            #expect(home.lines.first?.hasPrefix(gallery.home.path + "/1002_") == true, "\(home.all)")
        }
    }

    @Test(arguments: ["~nobody", "~root/x", "~~", "~ x"])
    func `a tilde before anything else is a character of a name`(name: String) async throws {
        try await withBuiltProduct { gallery in
            let outcome = try await gallery.run(["fetch", "1", "-d", name])
            #expect(outcome.lines == ["./\(name)/1001_Eileen Collins.jpg"], "\(outcome.all)")
            let path = gallery.folder.path + "/\(name)/1001_Eileen Collins.jpg"
            #expect(FileManager.default.fileExists(atPath: path))
            #expect(try await gallery.run(["verify", name]).errors == "1 whole\n")
            #expect(try await gallery.run(["--folder", name, "--format", "url"]).lines.count == 1)
        }
    }

    @Test(arguments: [["fetch", "1", "-d"], ["verify"], ["popular", "--folder"], ["search"]])
    func `a word that is not UTF-8 is refused rather than mended`(line: [String]) async throws {
        let program = try ProductLocation.executable("gallery").path
        try await withProgram(at: URL(filePath: "/bin/sh")) { shell in
            let outcome = try await shell.run(
                ["-c", #"mkdir "$(printf 'a\377')"; exec "$0" "$@" "$(printf 'a\377')""#, program] + line)
            #expect(outcome.status == 64 && outcome.output.isEmpty, "\(outcome.all)")
            #expect(outcome.errors.hasPrefix("Error: 'a\u{FFFD}' on the command line is not valid UTF-8.\n"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: shell.folder.path).count == 1)
        }
    }

    @Test(arguments: [["fetch", "1", "-d", ""], ["verify", ""], ["popular", "--folder", ""]])
    func `no name at all is a usage error`(line: [String]) async throws {
        try await withBuiltProduct { gallery in
            let outcome = try await gallery.run(line)
            #expect(outcome.status == 64 && outcome.errors.contains("must not be empty"), "\(outcome.all)")
        }
    }
}
