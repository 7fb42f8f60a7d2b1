import Foundation
import GalleryTestSupport
import Testing

/// What the compiler does not see to. The folders of each target are floors: a file uses types of its own floor and of
/// those below it.
@Suite(.fewAtOnce) struct HouseTests {
    @Test(arguments: [
        (
            "Sources/GalleryCore",
            [
                "Models", "Networking", "Caching", "Services", "Naming", "Downloading", "Loading", "Planning",
                "Browsing",
            ]
        ),
        ("Sources/Curation", ["Selecting", "Remembering", "Checking"]),
        ("Sources/TerminalPictures", ["Processes", "Terminal", "Pictures"]),
        // The root is what the rest of the program stands on: the context and the settings.
        (
            "Sources/gallery",
            ["Processes", "Terminal", "", "Output", "Pictures", "Options", "Browse", "Commands"]
        ),
    ])
    func `no file uses a type of a floor above its own`(target: String, floors: [String]) throws {
        let house = House(try Self.sources(in: target))
        #expect(house.folders.subtracting(floors).isEmpty, "folders without a floor")
        #expect(house.upward(floors) == [])
    }

    @Test(arguments: [
        ("struct X { let y: Y }", "struct Y {}", ["A/x.swift → B/y.swift (Y)"]),
        ("func f() { _ = Y.self }", "public final class Y {}", ["A/x.swift → B/y.swift (Y)"]),
        ("extension Y {}", "@MainActor package enum Y {}", ["A/x.swift → B/y.swift (Y)"]),
        // Names in comments and texts, private types, and types inside others do not count.
        ("// Y\n/* Y */ let a = \"Y\"\nlet b = #\"Y\"#\nlet c = \"\"\"\n  Y\n  \"\"\"", "struct Y {}", []),
        ("struct X { let y: Y }", "private struct Y {}", []),
        ("struct X { let y: Y }", "struct Z {\n    struct Y {}\n}", []),
        ("struct X {}", "struct Y { let x: X }", []),
    ])
    func `an arrow that runs up is found`(lower: String, upper: String, arrows: [String]) {
        let house = House(["A/x.swift": lower, "B/y.swift": upper])
        #expect(house.upward(["A", "B"]) == arrows)
        #expect(house.folders == ["A", "B"])
    }

    @Test func `what differs by system is in one layer, and Foundation brings the C library`() throws {
        let layer: Set = [
            "Basics/System.swift", "GalleryCore/Networking/NetworkWorker.swift",
            "TerminalPictures/Processes/ProcessSpawn.swift", "gallery/Processes/WorkerProcess.swift",
            "gallery/Browse/Desktop.swift",
        ]
        let asking = try Self.sources(in: "Sources").filter {
            $1.contains(/(?m)^ *#(if|elseif) (!?os|!?canImport)\(/)
        }
        #expect(Set(asking.keys) == layer)
        let importing = try ["Sources", "Tests"].flatMap {
            try Self.sources(in: $0).filter { $1.contains(/(?m)^ *import (Glibc|Musl|Darwin)$/) }.keys
        }
        #expect(importing == [])
    }

    /// Where a pattern is looked for anywhere in a text, and may run on from any place of it, a text can be made that
    /// takes the square of its length, or worse. One that has to match from the first character takes no more than
    /// its length as long as nothing in it can be matched in two ways.
    @Test func `no pattern that may run on is looked for in a text`() throws {
        let search =
            /\.(?:firstMatch|matches|firstRange|ranges|replacing|contains|split|trimmingPrefix)\((?:of: |separator: )?\s*#?\/(?<pattern>[^\n]*)/
        var found: [String] = []
        for (file, text) in try Self.sources(in: "Sources") {
            for match in text.matches(of: search) {
                // Within brackets, these are characters.
                let bare = match.pattern.replacing(/\\.|\[[^\]]*\]/, with: "_").prefix { $0 != "/" }
                if bare.contains(/[+*]|\{[0-9]+,\}/) { found.append("\(file): \(match.pattern)") }
            }
        }
        #expect(found == [])
    }

    /// All at once, they keep one another from running until limits of the product's own pass.
    @Test func `suites that start programs or servers, or wait with a limit, take turns`() throws {
        let signs = [
            ".timeLimit(", "withLocalServer(", "withNginx(", "withProgram(", "withBuiltProduct(",
            "withGallery(",
        ]
        let hasty = try Self.sources(in: "Tests").filter { _, text in
            text.contains("@Test") && signs.contains(where: text.contains) && !text.contains(".fewAtOnce")
                && !text.contains("@Suite(.alone")
        }
        #expect(hasty.keys.sorted() == [])
    }

    /// The Swift files below `target`, by their path in it.
    private static func sources(in target: String) throws -> [String: String] {
        let package = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let root = package.appending(path: target)
        let paths = try #require(FileManager.default.enumerator(atPath: root.path)).compactMap {
            $0 as? String
        }
        var sources: [String: String] = [:]
        for path in paths where path.hasSuffix(".swift") {
            sources[path] = try String(contentsOf: root.appending(path: path), encoding: .utf8)
        }
        #expect(sources.count > 20, "\(root.path) holds the target")
        return sources
    }
}

/// Which file declares which type, and which files use it.
private struct House {
    /// The top-level folders, and `""` where a file is in none.
    let folders: Set<String>
    private var used: [String: Set<String>] = [:]
    private var declaring: [String: Set<String>] = [:]

    /// A house of files, by their path.
    init(_ files: [String: String]) {
        folders = Set(files.keys.map(Self.folder))
        for (path, text) in files {
            let code = Self.code(Array(text.utf8))
            used[path] = Set(Self.words(code[...]).filter { $0.first?.isUppercase == true })
            for line in code.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: " ") {
                if let name = Self.declared(Self.words(line)) { declaring[name, default: []].insert(path) }
            }
        }
    }

    /// Arrows from a folder to one that stands later in `floors`, as `file → file (Type)`.
    func upward(_ floors: [String]) -> [String] {
        let heights = Dictionary(uniqueKeysWithValues: floors.enumerated().map { ($1, $0) })
        var arrows: [String] = []
        for (user, names) in used {
            for name in names {
                guard let homes = declaring[name], homes.count == 1, let home = homes.first,
                    let from = heights[Self.folder(user)], let to = heights[Self.folder(home)], from < to
                else { continue }
                arrows.append("\(user) → \(home) (\(name))")
            }
        }
        return arrows.sorted()
    }

    private static func folder(_ path: String) -> String {
        path.firstIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }

    /// The type that a line declares for other files to use.
    private static func declared(_ words: [String]) -> String? {
        guard
            let kind = words.firstIndex(where: {
                ["struct", "class", "enum", "actor", "protocol", "typealias"].contains($0)
            }), words.indices.contains(kind + 1)
        else { return nil }
        let before = words[..<kind]
        let isHidden = before.contains { ["private", "fileprivate", "let", "var", "func"].contains($0) }
        return isHidden ? nil : words[kind + 1]
    }

    private static func words(_ code: ArraySlice<UInt8>) -> [String] {
        code.split { byte in
            !(byte == UInt8(ascii: "_") || byte >= 0x80 || (0x30...0x39).contains(byte)
                || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte))
        }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The text without comments and string literals.
    private static func code(_ text: [UInt8]) -> [UInt8] {
        var code: [UInt8] = []
        var rest = text[...]
        func skip(past end: String) {
            let end = Array(end.utf8)
            while !rest.isEmpty, !rest.starts(with: end) { rest = rest.dropFirst() }
            rest = rest.dropFirst(end.count)
        }
        while let byte = rest.first {
            if rest.starts(with: "//".utf8) {
                while let byte = rest.first, byte != UInt8(ascii: "\n") { rest = rest.dropFirst() }
            } else if rest.starts(with: "/*".utf8) {
                skip(past: "*/")
            } else if rest.starts(with: "\"\"\"".utf8) {
                rest = rest.dropFirst(3)
                skip(past: "\"\"\"")
            } else if rest.starts(with: "#\"".utf8) {
                rest = rest.dropFirst(2)
                skip(past: "\"#")
            } else if byte == UInt8(ascii: "\"") {
                rest = rest.dropFirst()
                while let byte = rest.first, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\n") {
                    rest = rest.dropFirst(byte == UInt8(ascii: "\\") ? 2 : 1)
                }
                rest = rest.dropFirst()
            } else {
                code.append(byte)
                rest = rest.dropFirst()
            }
        }
        return code
    }
}
