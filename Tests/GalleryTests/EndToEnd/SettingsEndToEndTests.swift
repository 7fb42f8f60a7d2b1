import Foundation
import GalleryTestSupport
import ProductTestSupport
import Testing

/// `gallery config`: what it shows, and what it leaves of the file.
@Suite(.fewAtOnce, .inProcess, .timeLimit(.minutes(2))) struct SettingsEndToEndTests {
    private func file(_ gallery: BuiltProduct) -> URL {
        gallery.home.appending(path: ".config/gallery/config.json")
    }

    private func write(_ json: String, _ gallery: BuiltProduct, mode: Int = 0o644) throws {
        try FileManager.default.createDirectory(
            at: file(gallery).deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(json.utf8).write(to: file(gallery))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file(gallery).path)
    }

    private func text(_ gallery: BuiltProduct) throws -> String {
        try String(contentsOf: file(gallery), encoding: .utf8)
    }

    private func mode(_ gallery: BuiltProduct) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: file(gallery).path)[.posixPermissions] as? Int
    }

    @Test func `a value that is set is listed, got, used, and unset`() async throws {
        try await withBuiltProduct { gallery in
            #expect(try await gallery.run(["config", "path"]).output == file(gallery).path + "\n")
            #expect(try await gallery.run(["config", "get", "jobs"]).output == "6\n")
            let set = try await gallery.run(["config", "set", "directory", "p"])
            #expect(set.status == 0 && set.output + set.errors == "", "\(set.all)")
            #expect(try text(gallery) == "{\n  \"directory\": \"p\"\n}\n")
            #expect(try mode(gallery) == 0o600)
            #expect(try await gallery.run(["config", "get", "directory"]).output == "p\n")
            #expect(try await gallery.run(["fetch", "1"]).output == "p/1001_Eileen Collins.jpg\n")
            let list = try await gallery.run(["config", "list"])
            #expect(list.lines.contains { $0.wholeMatch(of: /directory +p +file +The folder .*/) != nil })
            #expect(list.lines.contains { $0.wholeMatch(of: /jobs +6 +default +Files .*/) != nil })
            for name in ["directory", "directory"] {
                let unset = try await gallery.run(["config", "unset", name])
                #expect(unset.status == 0 && unset.output + unset.errors == "", "\(unset.all)")
            }
            #expect(try text(gallery) == "{}\n")
        }
    }

    @Test func `lists take several words or an array, and have a line for each element`() async throws {
        try await withBuiltProduct { gallery in
            _ = try await gallery.run(["config", "set", "excludeTags", "storm", "oil spill"])
            #expect(try await gallery.run(["config", "get", "excludeTags"]).output == "storm\noil spill\n")
            _ = try await gallery.run(["config", "set", "excludeTags", #"["a,b"]"#])
            #expect(try await gallery.run(["config", "get", "excludeTags"]).output == "a,b\n")
            _ = try await gallery.run(["config", "set", "excludeTags", "[]"])
            #expect(try text(gallery) == "{\n  \"excludeTags\": []\n}\n")
            let wrong = try await gallery.run(["config", "set", "excludeTags", "[1]"])
            #expect(wrong.status == 64 && wrong.errors.contains("is not a JSON array of strings"))
        }
    }

    @Test(arguments: [
        (["set", "sevice", "x"], "There is no setting 'sevice'.", "Did you mean 'service'?"),
        (
            ["get", "baseurls.500px"], "There is no setting 'baseurls.500px'.",
            "Did you mean 'baseURLs.500px'?"
        ),
        (["unset", "keys.flicker"], "There is no setting 'keys.flicker'.", "Did you mean 'keys.flickr'?"),
        (
            ["set", "services.club.liek", "500px"], "There is no setting 'services.club.liek'.",
            "'services.club.like'"
        ),
        (["set", "service", "flicker"], "'service' is 'flicker', not one of ", "Did you mean 'flickr'?"),
        (["set", "jobs", "99"], "'jobs' is not a number from 1 to 64.", ""),
        (["set", "jobs", "8.0"], "'jobs' is not a number from 1 to 64.", ""),
        (["set", "jobs"], "'jobs' needs a value.", "gallery config unset jobs"),
        (["set", "jobs", "1", "2"], "'jobs' takes one value.", "Quote"),
        (["set", "jobs=8"], "'jobs=…' is not a setting.", "space"),
        (["set", "jobs.x", "8"], "There is no setting 'jobs.x'.", "Did you mean 'jobs'?"),
        (["set", "keys", "8"], "'keys' has several values.", "'keys.500px'"),
        (
            ["set", "name", "{titel}"],
            "'name' is not a valid template. The name template has no field '{titel}'.", ""
        ),
        (["set", "contact", "me"], "'contact' is neither a mail address nor a web address.", ""),
        (["set", "baseURLs.500px", "ftp://x"], "is not an 'http://' or 'https://' address.", ""),
        (
            ["set", "services.club.baseURL", "http://x"], "'services.club.like' has to be set first.",
            "config set"
        ),
        (
            ["set", "services.sample.like", "500px"],
            "'services.sample' is not a new name of letters, digits, '.', '_' and '-'.", ""
        ),
    ])
    func `what cannot be set is status 64, and changes nothing`(
        words: [String], problem: String, help: String
    ) async throws {
        try await withBuiltProduct { gallery in
            try write("{\"jobs\": 3}", gallery)
            let outcome = try await gallery.run(["config"] + words)
            #expect(outcome.status == 64, "\(outcome.all)")
            #expect(outcome.errors.contains(problem + (help.isEmpty ? "\n" : "")), "\(outcome.errors)")
            #expect(help.isEmpty || outcome.errors.contains(help), "\(outcome.errors)")
            #expect(try text(gallery) == "{\"jobs\": 3}")
        }
    }

    @Test(arguments: [
        "-9223372036854775808", "9223372036854775807", "18446744073709551616", "9007199254740993", "-0", "0",
        "-1", "65", "1e308", "1e999", "0.5", "NaN",
    ])
    func `a number that nobody means is status 78, and named`(number: String) async throws {
        try await withBuiltProduct { gallery in
            for json in [
                "{\"jobs\": \(number)}", "{\"directory\": \(number)}", "{\"services\": {\"a\": \(number)}}",
            ] {
                try write(json, gallery)
                let outcome = try await gallery.run(["popular"])
                #expect(outcome.status == 78 && outcome.output == "", "\(json): \(outcome.all)")
                #expect(outcome.errors.contains("config.json"), "\(json): \(outcome.errors)")
            }
        }
    }

    @Test func `the rest of the file stays as it is, even what is wrong with it`() async throws {
        try await withBuiltProduct { gallery in
            let text = "{\n\t\"jobs\" : 99,\n\t\"sevice\": {\"a\":[1,2]},\n\t\"contact\": \"a@b.c\"\n}"
            try write(text, gallery)
            let set = try await gallery.run(["config", "set", "contact", "d@e.f"])
            #expect(set.status == 0 && set.errors.contains("Warning: "), "\(set.all)")
            #expect(try self.text(gallery) == text.replacing("a@b.c", with: "d@e.f"))
            #expect(try mode(gallery) == 0o644)
            let mended = [["unset", "sevice"], ["set", "jobs", "9"]]
            for words in mended {
                let run = try await gallery.run(["config"] + words)
                #expect(run.status == 0, "\(run.all)")
            }
            let half = try await gallery.run(["config", "unset", "contact", "nosuch"])
            #expect(half.status == 64, "\(half.all)")
            #expect(try self.text(gallery) == "{\n\t\"jobs\" : 9,\n\t\"contact\": \"d@e.f\"\n}")
            #expect(try await gallery.run(["config", "list"]).errors == "")
        }
    }

    @Test(arguments: [
        "{\"jobs\": 3", "// mine\n{}", "", "[]", "{\"jobs\": 1, \"jobs\": 2}", "{\"keys\": 7}",
    ])
    func `a file that is no such object is status 78, and is left alone`(text: String) async throws {
        try await withBuiltProduct { gallery in
            try write(text, gallery)
            for words in [["set", "jobs", "4"], ["unset", "keys.flickr"]] where text != "{\"keys\": 7}" {
                let outcome = try await gallery.run(["config"] + words)
                // Without the member there is nothing to do.
                #expect(outcome.status == 78, "\(outcome.all)")
                #expect(outcome.errors.contains("config.json' cannot be used: "), "\(outcome.errors)")
            }
            if text == "{\"keys\": 7}" {
                let outcome = try await gallery.run(
                    ["config", "set", "keys.flickr"], input: Data("hush1\n".utf8))
                #expect(outcome.status == 78, "\(outcome.all)")
            }
            #expect(try self.text(gallery) == text)
        }
    }

    // MARK: - Keys

    @Test func `a key is piped in, kept where only the user reads it, and never said`() async throws {
        try await withBuiltProduct { gallery in
            try write("{\"jobs\": 3}", gallery, mode: 0o664)
            let set = try await gallery.run(["config", "set", "keys.flickr"], input: Data("hushhush\n".utf8))
            #expect(set.status == 0 && set.output + set.errors == "", "\(set.all)")
            #expect(try text(gallery) == #"{"jobs": 3, "keys": {"flickr": "hushhush"}}"#)
            #expect(try mode(gallery) == 0o600)
            for words in [["list"], ["list", "--format", "json"], ["get", "keys.flickr"], ["get", "keys"]] {
                let shown = try await gallery.run(["config"] + words)
                #expect(shown.status == 0 && shown.output.contains("set"), "\(shown.all)")
                #expect(!shown.all.contains("hush"), "\(shown.all)")
            }
            let other = try await gallery.run(
                ["config", "list"], environment: ["GALLERY_FLICKR_KEY": "elsewhere"])
            #expect(
                other.lines.contains { $0.wholeMatch(of: /keys\.flickr +set +GALLERY_FLICKR_KEY .*/) != nil })
            #expect(!other.all.contains("elsewhere"))
            let again = try await gallery.run(
                ["config", "set", "keys.flickr"], environment: ["GALLERY_FLICKR_KEY": "elsewhere"],
                input: Data("another".utf8))
            #expect(again.errors == "GALLERY_FLICKR_KEY is set, and overrides it.\n")
        }
    }

    @Test(arguments: [
        ["config", "set", "keys.flickr", "topsecret"], ["config", "set", "keys.flickr", "--topsecret"],
        ["config", "set", "keys.flickr", "-topsecret"], ["config", "set", "keys.flickr=topsecret"],
        ["config", "keys.flickr", "topsecret"], ["config", "set", "services.club.key", "topsecret"],
        ["config", "set", "services.my.club.key=topsecret"],
    ])
    func `a key on the command line is refused and not repeated`(words: [String]) async throws {
        try await withBuiltProduct { gallery in
            let outcome = try await gallery.run(words, input: Data("other".utf8))
            #expect(outcome.status == 64, "\(outcome.all)")
            #expect(outcome.errors.contains("If that was a real key, change it"), "\(outcome.errors)")
            #expect(!outcome.all.contains("topsecret"))
            #expect(!FileManager.default.fileExists(atPath: file(gallery).path))
        }
    }

    @Test(arguments: [
        "", " \n", "two words", "two\nlines", "es\u{1B}c", String(repeating: "k", count: 10_000),
    ])
    func `what is no key is not set`(text: String) async throws {
        try await withBuiltProduct { gallery in
            let outcome = try await gallery.run(["config", "set", "keys.flickr"], input: Data(text.utf8))
            #expect(outcome.status == 64, "\(outcome.all)")
            #expect(!FileManager.default.fileExists(atPath: file(gallery).path))
        }
    }

    @Test func `a key that is typed is not shown, and is mended as one types`() async throws {
        try await withBuiltProduct { gallery in
            let run = try gallery.start(["config", "set", "keys.flickr"], terminal: TerminalSize())
            #expect(try await run.waitForOutput("(what you type is not shown): "))
            run.type("wrong\u{15}hushé\u{7F}x\u{7F}hush\r")
            let outcome = try await run.outcome()
            #expect(outcome.status == 0, "\(outcome.all)")
            #expect(outcome.output == "keys.flickr (what you type is not shown): \r\n")
            #expect(try text(gallery).contains(#""flickr": "hushhush""#))
        }
    }

    @Test func `Ctrl-C and Ctrl-Z give the terminal back with its echo`() async throws {
        try await withProgram(at: URL(filePath: "/bin/sh")) { shell in
            let script = """
                set -m
                "$GALLERY" config set keys.flickr; echo "ended $?"; stty -a | grep -o '[-]*echo ' | tr -d '\\n'
                echo; "$GALLERY" config set keys.flickr; echo stopped; stty -a | grep -o '[-]*echo ' | tr -d '\\n'
                echo; fg; echo "over $?"
                """
            let run = try shell.start(
                ["-c", script], environment: ["GALLERY": try ProductLocation.executable("gallery").path],
                terminal: TerminalSize())
            let prompt = "(what you type is not shown): "
            #expect(try await run.waitForOutput(prompt))
            run.type("hush\u{3}")
            #expect(
                try await run.waitForOutput("ended 130\r\necho \r\nkeys.flickr \(prompt)"), "\(run.output)")
            run.type("hush\u{1A}")
            #expect(try await run.waitForOutput("stopped\r\necho \r\n"), "\(run.output)")
            let line = "config set keys.flickr\r\n"
            #expect(try await run.waitForOutput("\(line)keys.flickr \(prompt)"), "\(run.output)")
            run.type("hushhush\r")
            let outcome = try await run.outcome()
            #expect(outcome.output.contains("over 0"), "\(outcome.output)")
            let file = shell.home.appending(path: ".config/gallery/config.json")
            #expect(try String(contentsOf: file, encoding: .utf8).contains(#""flickr": "hushhush""#))
            // What was typed before Ctrl-C and Ctrl-Z is nowhere.
            #expect(!outcome.output.contains("hush"))
        }
    }

    #if os(Linux)
        @Test(arguments: [SIGTERM, SIGHUP, SIGQUIT])
        func `a signal while a key is typed gives the echo back and ends the program`(
            signal: Int32
        ) async throws {
            try await withBuiltProduct { gallery in
                let run = try gallery.start(["config", "set", "keys.flickr"], terminal: TerminalSize())
                #expect(try await run.waitForOutput("(what you type is not shown): "))
                let link = "/proc/\(run.process)/fd/0"
                let name = try FileManager.default.destinationOfSymbolicLink(atPath: link)
                let terminal = open(name, O_RDWR | O_NOCTTY)
                defer { close(terminal) }
                func hasEcho() -> Bool {
                    var state = termios()
                    return tcgetattr(terminal, &state) == 0 && state.c_lflag & tcflag_t(ECHO) != 0
                }
                #expect(!hasEcho())
                kill(run.process, signal)
                let outcome = try await run.outcome()
                #expect(outcome.status == 130 && hasEcho(), "\(outcome.all)")
            }
        }
    #endif

    // MARK: - Files

    @Test func `a link stays, and the file that it leads to is changed`() async throws {
        try await withBuiltProduct { gallery in
            let kept = gallery.home.appending(path: "dotfiles/gallery.json")
            for folder in [kept, file(gallery)] {
                try FileManager.default.createDirectory(
                    at: folder.deletingLastPathComponent(), withIntermediateDirectories: true)
            }
            try Data("{\"jobs\":1}".utf8).write(to: kept)
            try FileManager.default.createSymbolicLink(
                atPath: file(gallery).path, withDestinationPath: "../../dotfiles/gallery.json")
            #expect(try await gallery.run(["config", "set", "jobs", "2"]).status == 0)
            #expect(try String(contentsOf: kept, encoding: .utf8) == "{\"jobs\":2}")
            let type = try FileManager.default.attributesOfItem(atPath: file(gallery).path)[.type]
            #expect(type as? FileAttributeType == .typeSymbolicLink)
            try FileManager.default.removeItem(at: kept)
            #expect(try await gallery.run(["config", "set", "jobs", "3"]).status == 0)
            #expect(try String(contentsOf: kept, encoding: .utf8) == "{\n  \"jobs\": 3\n}\n")
        }
    }

    @Test(.needsOrdinaryUser)
    func `a file or folder that cannot be written is status 74 and stays`() async throws {
        try await withBuiltProduct { gallery in
            try write("{}", gallery, mode: 0o400)
            #expect(try await gallery.run(["config", "set", "jobs", "2"]).status == 74)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: file(gallery).path)
            let folder = file(gallery).deletingLastPathComponent().path
            try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder)
            #expect(try await gallery.run(["config", "set", "jobs", "2"]).status == 74)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
            #expect(try text(gallery) == "{}")
        }
    }

    @Test func `many that set at once lose nothing`() async throws {
        try await withBuiltProduct { gallery in
            try write("{}", gallery)
            let bases = ["500px", "flickr", "pixiv", "commons", "picsum", "nasa"]
            let runs = try bases.map { name in
                try gallery.start(["config", "set", "baseURLs.\(name)", "http://\(name).example"])
            }
            for run in runs { #expect(try await run.outcome().status == 0) }
            for name in bases {
                #expect(try text(gallery).contains("\"\(name)\": \"http://\(name).example\""))
            }
        }
    }

    @Test func `an edit takes the file's place once it can be used, and is kept until then`() async throws {
        try await withBuiltProduct { gallery in
            try write("{\"jobs\": 3}", gallery)
            func edit(_ script: String) async throws -> ProductOutcome {
                let editor = gallery.folder.appending(path: "my editor")
                try await PictureBench.program("my editor", "#!/bin/sh\n\(script)\n", in: gallery.folder)
                return try await gallery.run(
                    ["config", "edit"], environment: ["EDITOR": "'\(editor.path)' --wait", "VISUAL": ""])
            }
            let draft = file(gallery).path + ".edit"
            #expect(try await edit("test \"$1\" = --wait").errors == "Nothing is changed.\n")
            let failed = try await edit("exit 3")
            #expect(failed.status == 1 && failed.errors.contains("ended with status 3"), "\(failed.all)")
            #expect(!FileManager.default.fileExists(atPath: draft))
            let wrong = try await edit("echo '{\"jobs\": 99}' > \"$2\"")
            #expect(wrong.status == 78 && wrong.errors.contains("'jobs' is not a number"), "\(wrong.all)")
            #expect(wrong.errors.contains("Your edit is kept in '\(draft)'"))
            #expect(try text(gallery) == "{\"jobs\": 3}")
            let right = try await edit("sed -i.bak s/99/9/ \"$2\"; rm \"$2.bak\"")
            #expect(right.status == 0 && right.errors.contains("Going on with the edit"), "\(right.all)")
            #expect(try text(gallery) == "{\"jobs\": 9}\n")
            #expect(!FileManager.default.fileExists(atPath: draft))
            let meanwhile = try await edit(
                "echo '{}' > '\(file(gallery).path)'; echo '{\"jobs\": 1}' > \"$2\"")
            #expect(meanwhile.status == 74 && meanwhile.errors.contains("has changed meanwhile"))
            #expect(try text(gallery) == "{}\n")
            let none = try await gallery.run(
                ["config", "edit"], environment: ["VISUAL": "no-such-editor -x"])
            #expect(none.status == 66 && none.errors.contains("'no-such-editor -x' is not installed"))
        }
    }

    @Test func `an editor has the terminal`() async throws {
        try await withBuiltProduct { gallery in
            let script =
                "test -t 0 && test -t 1 && read word </dev/tty && echo \"{\\\"jobs\\\": $word}\" > $1"
            let run = try gallery.start(
                ["config", "edit"], environment: ["VISUAL": "/bin/sh -c '\(script)' sh"],
                terminal: TerminalSize())
            run.type("7\n")
            #expect(try await run.outcome().status == 0, "\(run.output)")
            #expect(try text(gallery) == "{\"jobs\": 7}\n")
        }
    }
}
