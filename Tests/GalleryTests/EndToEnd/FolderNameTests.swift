import Foundation
import GalleryTestSupport
import Testing

/// The built program and folders as users and shells write them.
@Suite(.fewAtOnce, .timeLimit(.minutes(2))) struct FolderNameTests {
    @Test func `a tilde is the home that the environment names`() async throws {
        try await withBuiltProduct { gallery in
            let file = gallery.place("~/x/1001_Eileen Collins.jpg").path
            for option in [["-d", "~/x"], ["--directory=~/x"], ["-d", "~/x/"]] {
                let outcome = try await gallery.runWell(["fetch", "1"] + option)
                #expect(outcome.lines == [file], "\(outcome.all)")
            }
            #expect(gallery.exists("~/x/1001_Eileen Collins.jpg"))
            #expect(try await gallery.run(["verify", "~/x"]).errors == "1 whole\n")
            let list = try await gallery.run(["--folder", "~/x", "--format", "url"])
            #expect(list.lines.count == 1, "\(list.all)")
            let home = try await gallery.run(["fetch", "2", "-d", "~", "-s", "sample"])
            #expect(home.lines.first?.hasPrefix(gallery.home.path + "/1002_") == true, "\(home.all)")
        }
    }

    @Test func `a tilde before anything else is a character of a name`() async throws {
        try await withBuiltProduct { gallery in
            for name in ["~nobody", "~root/x", "~~", "~ x"] {
                let outcome = try await gallery.run(["fetch", "1", "-d", name, "-s", "sample"])
                #expect(outcome.lines == ["./\(name)/1001_Eileen Collins.jpg"], "\(outcome.all)")
                #expect(FileManager.default.fileExists(atPath: gallery.folder.path + "/" + outcome.lines[0]))
            }
            #expect(try await gallery.run(["verify", "~root/x"]).errors == "1 whole\n")
            #expect(try await gallery.run(["--folder", "~nobody", "--format", "url"]).lines.count == 1)
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
            #expect(try shell.names().count == 1)
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
