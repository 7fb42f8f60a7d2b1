import Curation
import Foundation
import GalleryCore

struct SourceTrialText {
    let lines: [String]

    /// Reads the definition at `file`, and runs it on the recording, or on its host where there is none.
    init(_ file: String, _ recording: String?, _ context: Context) async throws {
        func data(_ path: String, upTo limit: Int) throws -> Data {
            let path = path.expandingHome(context.folders.home)
            do throws(WholeFile.Failure) {
                return try WholeFile.data(at: path, upTo: limit)
            } catch {
                throw CommandFault(.missing, "'\(PlainText.line(path))' \(error.problem).")
            }
        }
        let definition = try SourceDefinition(data(file, upTo: WholeFile.settings), file: file)
        let trials: [SourceTrial]
        if let recording {
            let head = HTTPHead(status: 200, url: URL(filePath: recording))
            trials = [
                try SourceTrial(
                    definition, reply: HTTPReply(head: head, body: data(recording, upTo: WholeFile.reply)))
            ]
        } else {
            // A file that anybody wrote gets no key of a service that is known.
            let key = definition.keyVariable.flatMap { variable in
                ServiceCatalog.keyVariables.values.contains(variable)
                    ? nil : context.environment[variable].flatMap { Secret($0) }
            }
            let web = URLSessionTransport(
                workers: context.workers(), connections: 1,
                log: { [terminal = context.terminal] in terminal.message(PlainText.line($0)) })
            trials = try await SourceTrial.all(
                of: definition, key: key, APIClient(transport: web, shared: context.shared))
        }
        lines = trials.flatMap(Self.lines)
    }

    private static func lines(of trial: SourceTrial) -> [String] {
        let defined = trial.fields.filter { $0.note != SourceTrial.undefined }
        let others = trial.fields.filter { $0.note == SourceTrial.undefined }.map(\.name)
        let width = defined.map(\.name.count).max() ?? 0
        return trial.lines.map(PlainText.line)
            + defined.map { field in
                let name = field.name.padding(toLength: width, withPad: " ", startingAt: 0)
                let value = field.value.map { PlainText.excerpt($0, limit: 100) + "  ← " } ?? "-  "
                return "\(name)  \(value)\(PlainText.line(field.note))"
            } + (others.isEmpty ? [] : ["Not in the definition: \(others.joined(separator: ", "))."])
    }
}
