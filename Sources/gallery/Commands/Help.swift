import Arguments
import GalleryCore
import TerminalPictures

extension Gallery {
    struct Help: ContextCommand {
        static let configuration = CommandConfiguration("help", "Explain a command or a topic.")

        @Flag(help: "Print a manual page: gallery, fetch, browse, web, or sources.")
        var man = false

        @Argument(help: "A command, or a topic.", completion: .list(Self.names))
        var words: [String] = []

        private static var names: [String] {
            Gallery.commandNames.filter { $0 != "services" } + HelpTopic.all.map(\.name)
        }

        static var configurationUse: ConfigurationUse { .mending }

        func run(in context: Context) throws {
            let name = words.first ?? "gallery"
            let command = Gallery.command(at: words)
            let topic = words.count > 1 ? nil : HelpTopic.named(name)
            if man {
                guard let page = ManualPage(named: name) else {
                    throw Self.unknown(name, among: ManualPage.names)
                }
                return try context.terminal.results([page.text])
            }
            guard command != nil || topic != nil else {
                throw Self.unknown(words.joined(separator: " "), among: Self.names)
            }
            if let command {
                try context.terminal.results(
                    [HelpPage.arranged(Gallery.fullMessage(for: CleanExit.helpRequest(command)))]
                        + (topic == nil ? [] : [""]))
            }
            let columns =
                context.environment["COLUMNS"].flatMap { Int($0) } ?? context.abilities.columns ?? 80
            try context.terminal.results(topic?.page.lines(columns: columns) ?? [])
        }

        private static func unknown(_ name: String, among names: [String]) -> CommandFault {
            CommandFault(
                .usage, "There is no help on '\(PlainText.excerpt(name))'.",
                hint: Mistake.meant(by: name, among: names).map { "Did you mean 'gallery help \($0)'?" }
                    ?? "'gallery help' lists the commands and the topics.")
        }
    }
}
