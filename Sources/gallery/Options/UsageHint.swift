import Arguments

/// What was probably meant by arguments that the parser did not expect. Pure.
enum UsageHint {
    /// A sentence for a command line that failed with the parser's `message`; `nil` if nothing is likely.
    static func text(for arguments: [String], message: String, commands: [String]) -> String? {
        guard message.contains("nexpected argument"), let first = arguments.first, !first.hasPrefix("-")
        else {
            return nil
        }
        guard !commands.contains(first) else { return nil }
        let nearest = commands.map { (name: $0, distance: distance(first, $0)) }
            .min { $0.distance < $1.distance }
        guard let nearest, nearest.distance <= (first.count < 5 ? 1 : 2) else { return nil }
        return "Did you mean 'gallery \(nearest.name)'?"
    }

    /// How many letters must be added, removed, replaced, or swapped with the next to turn one word into the other.
    static func distance(_ one: String, _ other: String) -> Int {
        let (one, other) = (Array(one), Array(other))
        var before: [Int] = []
        var last = Array(0...other.count)
        for (row, letter) in one.enumerated() {
            var next = [row + 1]
            for (column, wanted) in other.enumerated() {
                var best = min(
                    next[column] + 1, last[column + 1] + 1, last[column] + (letter == wanted ? 0 : 1))
                if row > 0, column > 0, letter == other[column - 1], one[row - 1] == wanted {
                    best = min(best, before[column - 1] + 1)
                }
                next.append(best)
            }
            (before, last) = (last, next)
        }
        return last[other.count]
    }
}

extension Gallery {
    /// The names of all commands, aliases among them.
    static var commandNames: [String] {
        configuration.subcommands.flatMap { command in
            [command.configuration.commandName ?? String(describing: command).lowercased()]
                + command.configuration.aliases
        } + ["help"]
    }
}
