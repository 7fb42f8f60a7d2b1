import Arguments

/// What the other commands of the sample leave out: every other way to declare
/// a property that the module supports.
struct Lab: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Try things.",
        subcommands: [Flags.self, Options.self, Words.self, Required.self, Named.self, Longer.self])

    struct Flags: ParsableCommand {
        @Flag(inversion: .prefixedNo, help: "Whether pages are kept.") var cacheURLs = true
        @Flag(inversion: .prefixedNo) var color = false
        @Flag(name: [.customLong("hush"), .short]) var silent = false

        func run() throws { try say(cacheURLs, color, silent) }
    }

    struct Options: ParsableCommand {
        @Option(name: .shortAndLong, help: "Whole numbers.") var many: [Int] = [1, 2]
        @Option(help: ArgumentHelp(valueName: "word")) var each: [String] = []
        @Option(name: [.customLong("old-style", withSingleDash: true)], help: "One dash.") var oldStyle: Int?
        @Option(help: ArgumentHelp("Sizes.", valueName: "size")) var sizes: [PhotoSize] = [.full]
        @Option(help: "Yes or no.") var maybe: Bool?
        @Option(help: "The colours.") var theme: Theme?
        @Option(help: "Doubled.", transform: { try double($0) }) var twice: Int?
        @Option(name: .customLong("a_b")) var snake: UInt = 7

        func run() throws {
            try say(
                many, each, oldStyle ?? 0, sizes.map(\.rawValue), maybe ?? "-", theme ?? .auto, twice ?? 0,
                snake)
        }
    }

    struct Words: ParsableCommand {
        @Argument(help: "How many.") var count = 1
        @Argument(help: "Shape.") var orientation: Orientation = .square
        @Argument(transform: { try double($0) }) var doubled: [Int] = []

        func run() throws { try say(count, orientation, doubled) }
    }

    struct Required: ParsableCommand {
        static let configuration = CommandConfiguration(version: "9")
        @Option(name: [.short], help: "Needed.") var x: Int
        @Argument var theme: Theme
        @Argument(transform: { try double($0) }) var doubled: [Int]

        func run() throws { try say(x, theme, doubled) }
    }

    struct Named: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "other-name", abstract: "Has another name.", aliases: ["on", "o"])
        @Option var secret = 1
        @Option(parsing: .unconditional) var any: String?

        func run() throws { if let any { try say(secret, any) } else { try say(secret) } }
    }

    struct Longer: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: String(repeating: "An abstract that does not end where the line does. ", count: 4),
            discussion: "One.\n\nTwo, after an empty line.\n    Three, indented.")
        @Option(
            help:
                "An abstract so long that it needs several lines in the column on the right, 日本語の言葉も入って。"
        )
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
