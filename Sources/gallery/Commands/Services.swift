import Arguments
import Foundation
import GalleryCore

extension Gallery {
    /// Says what there is to choose from, and what is set.
    struct Services: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the services, their feeds, and the keys they need.")

        func run() async throws { try run(in: .live()) }

        func run(in context: Context) throws {
            let usual = UsualService(context)
            for entry in ServiceCatalog.entries {
                let mark = entry.name == usual.name ? "  (\(word(for: usual)))" : ""
                try context.terminal.result("\(entry.name)\(mark)")
                try context.terminal.result("    \(entry.summary)")
                try context.terminal.result("    Feeds: \(entry.feeds.joined(separator: ", "))")
                if let variable = entry.keyVariable, let use = entry.keyUse {
                    try context.terminal.result(
                        "    Takes \(use). \(state(of: variable, entry.name, context))")
                }
            }
            try printFormats(context)
            try context.terminal.flush()
        }

        private func printFormats(_ context: Context) throws {
            try context.terminal.result("formats")
            for format in PictureType.allCases.map(\.format) {
                let names = format.extensions.map { "." + $0 }.joined(separator: " ")
                try context.terminal.result("    \(format.name) (\(names))")
                try context.terminal.result(
                    "        Size: \(format.size). Orientation: \(format.orientation). "
                        + "Whole by: \(format.end). Metadata: \(format.metadata).")
            }
        }

        private func word(for usual: UsualService) -> String {
            switch usual {
            case .environment: "the default, set by GALLERY_SERVICE"
            case .configuration: "the default, set in the configuration file"
            case .standard: "the default"
            }
        }

        /// Whether a key is set and where; never what it is.
        private func state(of variable: String, _ service: String, _ context: Context) -> String {
            if context.environment[variable]?.isEmpty == false { return "\(variable) is set." }
            if context.configuration.keys[service] != nil { return "It is set in the configuration file." }
            return "\(variable) is not set."
        }
    }
}
