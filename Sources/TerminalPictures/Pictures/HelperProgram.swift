import Foundation
import Synchronization

/// A program that this one runs where it is installed, known by what it says of itself, not by its name:
/// `convert` is ImageMagick's, GraphicsMagick's, and that of many a script.
package struct HelperProgram: Hashable, Sendable {
    /// What it is called, the best first.
    package let names: [String]
    /// What people call it.
    package let product: String
    /// What makes it say its version.
    package var question = ["--version"]
    /// How what it says begins: one of these.
    package var beginnings: [String] = []
    /// Where it is a part of the system, which nothing else can replace: it is not asked, nor sought elsewhere.
    package var place: String?

    package init(
        names: [String], product: String, question: [String] = ["--version"], beginnings: [String] = [],
        place: String? = nil
    ) {
        (self.names, self.product, self.question) = (names, product, question)
        (self.beginnings, self.place) = (beginnings, place)
    }

    /// Its path; `nil` where it is not installed. Whatever else has its name on `PATH` is passed over. Each file is
    /// asked once a run, and again when replaced.
    package func path(in environment: [String: String]) async -> String? {
        for path in candidates(in: environment) {
            if path == place { return path }
            if await introduction(of: path, environment).isOf(self) { return path }
        }
        return nil
    }

    /// The programs on `PATH` that have its name, whatever they are.
    package func candidates(in environment: [String: String]) -> some Sequence<String> {
        (place.map { [$0] } ?? names.flatMap { ProcessRun.paths(of: $0, in: environment) }).lazy
            .filter(ProcessRun.isProgram)
    }

    /// A file as it was asked, and how: another one may take its place.
    private struct Question: Hashable {
        let path: String
        let file: FileIdentity
        let words: [String]
    }

    /// What programs have said of themselves in this run.
    private static let said = Mutex<[Question: Task<HelperIntroduction, Never>]>([:])

    package func introduction(of path: String, _ environment: [String: String]) async -> HelperIntroduction {
        var status = stat()
        guard stat(path, &status) == 0 else { return HelperIntroduction(nil) }
        let key = Question(path: path, file: FileIdentity(status), words: question)
        let task = Self.said.withLock { said in
            if let task = said[key] { return task }
            let task = Task {
                var run = ProcessRun(path, question, environment.forHelpers)
                (run.timeLimit, run.outputLimit) = (.seconds(2), 1 << 16)
                // Not canceled with whoever asked first: others wait for it, too.
                return HelperIntroduction(try? await run.outcome())
            }
            said[key] = task
            return task
        }
        return await task.value
    }
}

package struct HelperIntroduction: Hashable, Sendable {
    /// Whether it ended by itself, with status 0.
    package let isWhole: Bool
    /// Whether it could be run at all.
    package let runs: Bool
    /// The first line; empty where it says nothing.
    package let line: String

    init(_ outcome: ProcessRun.Outcome?) {
        isWhole = outcome?.succeeded ?? false
        runs =
            switch outcome?.ending {
            // As shells have it, and the loader of a program that lacks a library.
            case .status(let status)?: ![126, 127].contains(status)
            default: false
            }
        let text = String(decoding: outcome?.output ?? [], as: UTF8.self)
        line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    }

    package func isOf(_ program: HelperProgram) -> Bool {
        isWhole && program.beginnings.contains(where: line.hasPrefix)
    }
}
