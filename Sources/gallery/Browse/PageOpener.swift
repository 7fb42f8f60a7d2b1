import Basics
import Foundation
import TerminalPictures

/// Opens a photo's page in the web browser, or its file in the system's viewer.
struct PageOpener {
    let environment: [String: String]

    private static let name = Desktop.opener.names[0]

    /// Opens a file that this program has written; what went wrong, or `nil`.
    func problem(opening file: URL) async -> String? {
        let shown = PlainText.line(file.path(percentEncoded: false))
        return switch await opens(file.standardizedFileURL.absoluteURL.path) {
        case true?: nil
        case false?: "'\(Self.name)' could not open '\(shown)'."
        case nil: "'\(Self.name)' is not installed. Open '\(shown)' yourself."
        }
    }

    /// Opens a web address alone, and not through a shell: `file:` or a program's own scheme could start anything.
    func open(_ page: URL) async -> BrowseModel.Notice {
        guard ["http", "https"].contains(page.scheme?.lowercased()), page.host?.isEmpty == false else {
            return .init(text: "The photo's page is not a web address.", isError: true)
        }
        return await notice(page.absoluteString, "Page")
    }

    /// Opens a file of this machine in the viewer that is set for its type.
    func open(file: URL) async -> BrowseModel.Notice { await notice(file.path, "File") }

    private func notice(_ address: String, _ kind: String) async -> BrowseModel.Notice {
        let shown = PlainText.excerpt(address, limit: 120)
        return switch await opens(address) {
        case true?: .init(text: "Opened \(shown)")
        case false?: .init(text: "'\(Self.name)' failed. \(kind): \(shown)", isError: true)
        case nil: .init(text: "'\(Self.name)' is not installed. \(kind): \(shown)", isError: true)
        }
    }

    private func opens(_ address: String) async -> Bool? {
        guard let program = await Desktop.opener.path(in: environment) else { return nil }
        // Some openers run as long as the browser does.
        let ending = await ProcessRun(program, [address], environment).launched()
        return ending == .status(0) || ending == .stillRunning
    }
}
