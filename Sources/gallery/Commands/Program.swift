import Arguments
import Foundation
import GalleryCore

protocol ContextCommand: AsyncParsableCommand {
    static var configurationUse: ConfigurationUse { get }
    func run(in context: Context) async throws
}

extension ContextCommand {
    static var configurationUse: ConfigurationUse { .required }

    func run() async throws { try await run(in: Context(.ofProcess, Self.configurationUse)) }
}

/// One run of the program: a line, done in given surroundings.
struct Program {
    private let words: [String]
    private let surroundings: Surroundings

    init(_ words: [String], _ surroundings: Surroundings) {
        (self.words, self.surroundings) = (Self.asked(words), surroundings)
    }

    /// The line, as `help` where it asks for that in another way: `--help fetch`, `fetch help`.
    private static func asked(_ words: [String]) -> [String] {
        let isFirst = words.count > 1 && ["-h", "--help"].contains(words[0]) && !words[1].hasPrefix("-")
        let isLast = words.count > 1 && words.last == "help" && Gallery.command(at: words.dropLast()) != nil
        guard isFirst || isLast && (try? Gallery.parseAsRoot(words)) == nil else { return words }
        return ["help"] + (isFirst ? words.dropFirst() : words.dropLast())
    }

    /// Does what the line says, reports what went wrong, and returns the exit status.
    func run() async -> Int32 {
        do {
            try await perform()
            return ExitStatus.done.rawValue
        } catch let failure as any ActionableError {
            return report(failure)
        } catch is ClosedPipe {
            return ExitStatus.done.rawValue
        } catch {
            return end(error)
        }
    }

    private func perform() async throws {
        if let fault = CommandFault(repeatedService: words) { throw fault }
        var command = try Gallery.parseAsRoot(words)
        guard let command = command as? any ContextCommand else { return try command.run() }
        let context = try Context(surroundings, type(of: command).configurationUse)
        defer { context.leftOut.tell(context.terminal) }
        try await command.run(in: context)
        if context.leftOut.hasFailedService { throw ExitCode(ExitStatus.someFailed.rawValue) }
    }

    private func report(_ failure: any ActionableError) -> Int32 {
        surroundings.terminal.report(failure)
        return ExitStatus(of: failure).rawValue
    }

    /// Ends as the parser does, unless more can be said of the line. A command that ran has said what there is to say,
    /// and throws its status alone.
    private func end(_ error: any Error) -> Int32 {
        let status = Gallery.exitCode(for: error)
        let text = HelpPage.arranged(Gallery.fullMessage(for: error))
        if !(error is ExitCode), status == .validationFailure,
            let mistake = CommandFault(mistakeOf: words, refusedWith: text)
        {
            return report(mistake)
        }
        do {
            if status != .success { try surroundings.terminal.flush() }
            if !text.isEmpty, status == .success { try surroundings.terminal.results([text]) }
        } catch let failure as any ActionableError {
            return report(failure)
        } catch {
            return status.rawValue
        }
        if !text.isEmpty, status != .success { surroundings.terminal.message(text) }
        return status.rawValue
    }
}
