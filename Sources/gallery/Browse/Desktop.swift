import Basics
import Foundation
import TerminalPictures

enum Desktop {
    #if os(macOS)
        static let opener = HelperProgram(names: ["open"], product: "open", place: "/usr/bin/open")

        static func trash(_ file: URL) -> Trash.Place? {
            var place: NSURL?
            try? FileManager.default.trashItem(at: file, resultingItemURL: &place)
            return (place as URL?).map { Trash.Place(file: $0, note: nil) }
        }

        /// Whether the text is on the clipboard. Terminal knows no sequence for it, and iTerm2 takes one only if set
        /// so.
        static func copy(_ text: String, _ environment: [String: String]) async -> Bool {
            // Otherwise the clipboard is another machine's.
            guard environment["SSH_CONNECTION"] == nil else { return false }
            let words = ["-c", #"printf %s "$1" | pbcopy"#, "sh", text]
            return await ProcessRun("/bin/sh", words, environment).launched() == .status(0)
        }
    #else
        static let opener = HelperProgram(
            names: ["xdg-open", "wslview"], product: "xdg-utils",
            beginnings: ["xdg-open 1", "wslu v", "wslview "])
        static func trash(_ file: URL) -> Trash.Place? { nil }
        static func copy(_ text: String, _ environment: [String: String]) async -> Bool { false }
    #endif
}

extension UserCommand {
    func run(_ file: URL, _ environment: [String: String]) async -> BrowseModel.Notice {
        let name = PlainText.excerpt(words[0])
        guard let program = program(in: environment) else {
            return .init(text: "'\(name)' is not installed.", isError: true)
        }
        let ending = await ProcessRun(program, arguments(for: file.path), environment).launched()
        if let problem = problem(ending) { return .init(text: problem, isError: true) }
        return .init(text: "'\(name)' is \(ending == .stillRunning ? "running" : "done").")
    }
}
