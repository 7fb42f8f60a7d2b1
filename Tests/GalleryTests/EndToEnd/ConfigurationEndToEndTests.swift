import Foundation
import GalleryTestSupport
import Testing

/// The built program and its settings: the line before the environment before the file.
@Suite(.fewAtOnce, .inProcess, .timeLimit(.minutes(2))) struct ConfigurationEndToEndTests {
    @Test func `the service is the line's, else the environment's, else the file's`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            func service(_ environment: [String: String]) async throws -> String? {
                let outcome = try await gallery.run(["services"], environment: environment)
                return outcome.lines.first { $0.contains("(the default") }.flatMap {
                    $0.split(separator: " ").first.map(String.init)
                }
            }
            #expect(try await service([:]) == "sample")
            try gallery.configure(#"{"service":"flickr"}"#)
            #expect(try await service([:]) == "flickr")
            #expect(try await service(["GALLERY_SERVICE": "500px"]) == "500px")
            #expect(try await service(["GALLERY_SERVICE": ""]) == "flickr")
            let named = try await gallery.run(
                ["popular", "-s", "sample", "--limit", "1", "--format", "jsonl"],
                environment: ["GALLERY_SERVICE": "500px"])
            #expect(named.output.contains(#""service":"sample""#), "\(named.all)")
        }
    }

    @Test func `folder and name are the line's, else the file's, where a tilde is the home`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            try gallery.configure(##"{"directory":"~/Pictures","name":"{author}/{id}"}"##)
            let usual = try await gallery.run(["fetch", "1"])
            #expect(
                usual.lines == [gallery.home.appending(path: "Pictures/NASA/1001.jpg").path], "\(usual.all)")
            #expect(FileManager.default.fileExists(atPath: usual.lines.first ?? ""))
            let told = try await gallery.run(["fetch", "1", "-d", "here", "--name", "{title}"])
            #expect(told.lines == ["here/Eileen Collins.jpg"])
            let verified = try await gallery.run(["verify"])
            #expect(verified.errors == "1 whole\n")
            // In the middle it is a character like any other.
            try gallery.configure(##"{"directory":"a~/b"}"##)
            #expect(try await gallery.run(["fetch", "2"]).lines.first?.hasPrefix("a~/b/1002_") == true)
        }
    }

    @Test func `the number of files at once is the line's, else the file's, else six`() async throws {
        for (file, line, most) in [
            (#"{"jobs":1}"#, [], 1), (#"{"jobs":1}"#, ["-j", "3"], 3), ("{}", [], 6),
        ] {
            let gate = Gate()
            let pixels = PixelServer(fault: { request in
                guard let id = Int(request.path.dropFirst(6)), request.path.hasPrefix("/full/") else {
                    return nil
                }
                return .file(PixelServer.picture(id)).delayed(until: gate)
            })
            try await withGallery(pixels) { gallery, server, source in
                try gallery.configure(file)
                let run = try gallery.start(["fetch", "1-12"] + line + source)
                try await server.waitForRequestsInFlight(most)
                gate.open()
                let outcome = try await run.outcome()
                #expect(outcome.lines.count == 12, "\(outcome.all)")
                #expect(server.peakRequestsInFlight == most)
            }
        }
    }

    @Test func `a key is the environment's, else the file's, and is said to nobody else`() async throws {
        try await withGallery(PixelServer()) { gallery, server, source in
            try gallery.configure(#"{"keys":{"500px":"file-secret"}}"#)
            for (environment, key) in [
                ([:], "file-secret"), (["GALLERY_500PX_KEY": "hush-hush"], "hush-hush"),
            ] {
                let outcome = try await gallery.run(
                    ["popular", "-v", "--refresh"] + source, environment: environment)
                #expect(server.requests.last?.query("consumer_key") == key)
                #expect(!outcome.all.contains(key), "\(outcome.all)")
            }
        }
    }

    @Test func `services says what is set and where, never what it is`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            try gallery.configure(
                #"{"service":"flickr","keys":{"flickr":"file-secret","pixiv":"other-secret"}}"#)
            let outcome = try await gallery.runWell(
                ["services"], environment: ["GALLERY_PIXIV_SESSION": "hush-hush"])
            #expect(outcome.output.contains("flickr  (the default, set in the configuration file)\n"))
            #expect(outcome.output.contains("It is set in the configuration file.\n"))
            #expect(outcome.output.contains("GALLERY_PIXIV_SESSION is set.\n"))
            #expect(outcome.output.contains("GALLERY_500PX_KEY is not set.\n"))
            for secret in ["file-secret", "other-secret", "hush-hush"] {
                #expect(!outcome.all.contains(secret))
            }
            let told = try await gallery.run(["services"], environment: ["GALLERY_SERVICE": "commons"])
            #expect(told.output.contains("commons  (the default, set by GALLERY_SERVICE)\n"))
        }
    }

    @Test(arguments: [
        (0o600, #"{"keys":{"flickr":"k"}}"#, false), (0o640, #"{"keys":{"flickr":"k"}}"#, true),
        (0o604, #"{"keys":{"flickr":"k"}}"#, true), (0o644, #"{"jobs":2}"#, false),
    ])
    func `a warning where others can read a key`(mode: Int, json: String, warns: Bool) async throws {
        try await withBuiltProduct("gallery") { gallery in
            try gallery.configure(json, mode: mode)
            let outcome = try await gallery.runWell(["services"])
            #expect(
                outcome.errors.contains("holds a key and others can read it") == warns, "\(outcome.errors)")
            #expect(outcome.errors.contains("chmod 600") == warns)
        }
    }

    @Test(arguments: [
        (#"{"sevice":"flickr"}"#, "it has an unknown setting 'sevice' (line 1, column 2)."),
        (
            "{\n  \"jobs\": 8\n  \"name\": \"{id}\"\n}",
            "it is not a JSON object: line 3, column 3, a ',' or a '}' is missing."
        ),
        (
            "{\"jobs\": 8,\n \"services\": {\"club\": {\"liek\": \"500px\"}}}",
            "'services.club.liek' is unknown; known are like, baseURL, key (line 2, column 24)."
        ),
        (#"{"service":"flicker"}"#, "'service' is 'flicker', not one of sample, "),
        (#"{"jobs":0}"#, "'jobs' is not a number from 1 to 64"), (#"{"jobs":"8"}"#, "'jobs' is not a number"),
        (#"{"jobs":1.5}"#, "'jobs' is not a number"), (#"{"directory":7}"#, "'directory' is not a string"),
        (#"{"directory":null}"#, "'directory' is not a string"),
        (##"{"name":"{titel}"}"##, "'name' is not a valid template."),
        (
            #"{"keys":{"flicker":"k"}}"#,
            "'keys.flicker' names no service that takes a key; those are 500px, flickr, pixiv"
        ),
        (#"{"keys":["k"]}"#, "'keys' is not an object of strings"), ("[]", "it is not a JSON object"),
        ("{", "it is not a JSON object: line 1, column 2, it ends too early."),
        ("", "it is not a JSON object"),
        (#"{"baseURLs": {"sample": "http://a.example"}}"#, "'baseURLs.sample' names no service with an API"),
        (#"{"baseURLs": {"500px": "ftp://a.example"}}"#, "'baseURLs.500px' is not an 'http://' or"),
        (
            #"{"services":{"club":{"baseURL":"https://a.example"}}}"#,
            "'services.club.like' is not one of 500px, flickr"
        ),
        (#"{"services":{"club":{"like":"folder"}}}"#, "'services.club.like' is not one of 500px, flickr"),
        (
            #"{"services":{"club":{"like":"500px","baseURL":"ftp://a"}}}"#,
            "'services.club.baseURL' is not an 'http://'"
        ),
        (#"{"services":{"flickr":{"like":"500px"}}}"#, "'services.flickr' is not a new name"),
        (#"{"services":{"a/b":{"like":"500px"}}}"#, "'services.a/b' is not a new name"),
        (#"{"services":{"club":7}}"#, "'services' is not an object of objects of strings"),
        (#"{"services":7}"#, "'services' is not an object of objects of strings"),
        (#"{"baseURLs": 3}"#, "'baseURLs' is not an object of strings"),
        (#"{"folder": 3}"#, "'folder' is not"),
    ])
    func `a file that cannot be used is status 78 and names what is wrong`(json: String, problem: String)
        async throws
    {
        try await withBuiltProduct("gallery") { gallery in
            try gallery.configure(json)
            let outcome = try await gallery.run(["popular"], expecting: 78)
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.contains(".config/gallery/config.json' cannot be used: "))
            #expect(outcome.errors.contains(problem), "\(outcome.errors)")
            for known in ["service", "directory", "name", "jobs", "keys"] {
                #expect(outcome.errors.contains("\"\(known)\": "), "\(outcome.errors)")
            }
        }
    }

    @Test(arguments: [["cache", "info"], ["cache", "clear"], ["services"], ["services", "--schema"]])
    func `what needs no settings works with a file that cannot be used`(command: [String]) async throws {
        try await withBuiltProduct("gallery") { gallery in
            try gallery.configure(#"{"jobs":}"#)
            let outcome = try await gallery.runWell(command)
            #expect(outcome.errors.hasPrefix("Warning: The configuration file '"), "\(outcome.errors)")
            #expect(outcome.errors.contains("line 1, column 9, a value is missing"), "\(outcome.errors)")
        }
    }
}
