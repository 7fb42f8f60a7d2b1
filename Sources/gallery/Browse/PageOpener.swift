import Foundation
import GalleryCore

/// Opens a photo's page in the user's browser.
struct PageOpener {
    private let environment: [String: String]

    #if os(macOS)
        private static let program = "open"
    #else
        private static let program = "xdg-open"
    #endif

    init(_ environment: [String: String]) {
        self.environment = environment
    }

    /// Opens a file that this program has written; what went wrong, or `nil`.
    func problem(opening file: URL) async -> String? {
        let shown = PlainText.line(file.path(percentEncoded: false))
        guard let program = ProcessRun.find(Self.program, in: environment) else {
            return "'\(Self.program)' is not installed. Open '\(shown)' yourself."
        }
        return await runs(program, file.standardizedFileURL.absoluteURL.path)
            ? nil : "'\(Self.program)' could not open '\(shown)'."
    }

    private func runs(_ program: String, _ argument: String) async -> Bool {
        var run = ProcessRun(program, [argument], environment)
        // Some openers run as long as the browser does; a failing one ends at once.
        run.isLeftRunning = true
        run.timeLimit = .seconds(3)
        switch try? await run.outcome().ending {
        case .status(0)?, .stillRunning?: return true
        default: return false
        }
    }

    /// What came of it, for the last line of the screen.
    ///
    /// The address goes to the program as it is, not through a shell; and only where it is a web
    /// address: `file:` or a program's own scheme could start anything.
    func open(_ page: URL) async -> BrowseModel.Notice {
        let address = page.absoluteString
        guard ["http", "https"].contains(page.scheme?.lowercased()), page.host?.isEmpty == false else {
            return .init(text: "The photo's page is no web address.", isError: true)
        }
        let shown = PlainText.excerpt(address, limit: 120)
        guard let program = ProcessRun.find(Self.program, in: environment) else {
            return .init(text: "'\(Self.program)' is not installed. The page: \(shown)", isError: true)
        }
        var run = ProcessRun(program, [address], environment)
        // Some stay for as long as the browser does. Whoever fails does so at once.
        run.isLeftRunning = true
        run.timeLimit = .seconds(3)
        switch try? await run.outcome().ending {
        case .status(0)?, .stillRunning?: return .init(text: "Opened \(shown)")
        default: return .init(text: "'\(Self.program)' failed. The page: \(shown)", isError: true)
        }
    }
}
