import Arguments
import Foundation

extension Gallery {
    struct Doctor: ContextCommand {
        static let configuration = CommandConfiguration(
            "doctor", "Check the terminal, programs, folders, and settings.")

        @Flag(help: "Also send each service on the web one request.")
        var network = false

        @Option(help: ArgumentHelp("With --network: give up after this long.", valueName: "seconds"))
        var timeout = 30

        @Option(help: "Output format for the findings.")
        var format = ServicesFormat.text

        func validate() throws { try require("--timeout", timeout, in: 1...Int.max) }

        static var configurationUse: ConfigurationUse { .mending }

        func run(in context: Context) async throws {
            var findings = await Examination(context).findings()
            if network { findings += try await ServiceChecks([], within: timeout, context).findings }
            let lines =
                switch format {
                case .text: findings.lines
                case .json: findings.map(\.json).lines
                }
            try context.terminal.results(lines)
            if findings.contains(where: { $0.status == .broken }) {
                throw ExitCode(ExitStatus.someFailed.rawValue)
            }
        }
    }
}
