import Arguments

/// What the other commands of the sample leave out: every other way to declare
/// a property that the module supports.
struct Lab: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Try things.", shouldDisplay: false,
        subcommands: [Flags.self, Options.self, Words.self, Required.self, Named.self, Longer.self])

    enum Layout: EnumerableFlag { case table, wideGrid, mosaic }

    enum Loudness: String, EnumerableFlag {
        case silent, loud

        static func name(for value: Self) -> NameSpecification {
            value == .silent ? [.customLong("hush"), .customShort("H")] : .shortAndLong
        }

        static func help(for value: Self) -> ArgumentHelp? {
            value == .silent ? "Not a word." : nil
        }
    }

    enum Colour: CaseIterable, EnumerableFlag { case red, green }

    struct Flags: ParsableCommand {
        @Flag(help: "How it looks.") var layout = Layout.table
        @Flag(help: "How it sounds.") var loudness: Loudness?
        @Flag(help: "What it shines in.") var colours: Colour = .green
        @Flag(inversion: .prefixedNo, help: "Whether pages are kept.") var cacheURLs = true
        @Flag(name: [.customLong("color"), .short], inversion: .prefixedNo) var color = false

        func run() throws {
            try say(layout, loudness.map { "\($0)" } ?? "-", colours, cacheURLs, color)
        }
    }

    struct Options: ParsableCommand {
        @Option(name: .shortAndLong, help: "Whole numbers.") var many: [Int] = [1, 2]
        @Option(help: ArgumentHelp(discussion: "Only discussed.")) var each: [String] = []
        @Option(name: .customLong("old-style", withSingleDash: true), help: "One dash.") var oldStyle: Int?
        @Option(help: ArgumentHelp("Sizes.", discussion: "", valueName: "size")) var sizes: [PhotoSize] = [
            .full
        ]
        @Option(help: "Yes or no.") var maybe: Bool?
        @Option(help: "The colours.") var theme: Theme?
        @Option(help: "Doubled.", transform: { try double($0) }) var twice = 0
        @Option(name: .customLong("a_b")) var snake: UInt = 7

        func run() throws {
            try say(
                many, each, oldStyle ?? 0, sizes.map(\.rawValue), maybe ?? "-", theme ?? .auto, twice, snake)
        }
    }

    struct Words: ParsableCommand {
        static let configuration = CommandConfiguration(usage: "gallery lab words COUNT ...\nor nothing")
        @Argument(help: "How many.") var count = 1
        @Argument(help: "Shape.") var orientation: Orientation = .square
        @Argument(transform: { try double($0) }) var doubled: [Int] = []

        func run() throws { try say(count, orientation, doubled) }
    }

    struct Required: ParsableCommand {
        static let configuration = CommandConfiguration(usage: "", version: "9")
        @Flag(help: "One of these.") var layout: Layout?
        @Option(name: .short, help: "Needed.") var x: Int
        @Option var list: [String]
        @Argument var theme: Theme

        func run() throws { try say(layout.map { "\($0)" } ?? "-", x, list, theme) }
    }

    struct Named: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "other-name", abstract: "Has another name.",
            helpNames: [.customLong("explain"), .customShort("?")],
            aliases: ["on", "o"])
        @Option(help: .private) var secret = 1
        @Option(help: .hidden) var shy = 2
        var untouched = "as born"

        func run() throws { try say(secret, shy, untouched) }
    }

    struct Longer: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: String(repeating: "An abstract that does not end where the line does. ", count: 4),
            discussion: "One.\n\nTwo, after an empty line.\n    Three, indented.")
        @Option(
            help: ArgumentHelp(
                "An abstract so long that it needs several lines in the column on the right, 日本語の言葉も入って。",
                discussion:
                    "A discussion so long that it needs several lines of its own below the option it discusses."
            ))
        var anOptionWithALongName = "a default that is rather long as well, and has words of its own"
        @Flag(
            help:
                "https://example.com/an/address/that/is/longer/than/the/column/and/cannot/be/broken/anywhere end"
        )
        var address = false

        func run() throws { throw CleanExit.helpRequest(Longer.self) }
    }
}

@Sendable private func double(_ word: String) throws -> Int {
    guard let number = Int(word) else { throw ValidationError("No number: \(word)") }
    return number * 2
}
