import Foundation
import GalleryCore

/// Opens a photo's page in the web browser.
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

    /// Opens the page, and returns the result for the status line.
    ///
    /// The address does not pass through a shell, and only web addresses are opened: `file:` or an
    /// application's own scheme could start anything.
    func open(_ page: URL) async -> BrowseModel.Notice {
        let address = page.absoluteString
        guard ["http", "https"].contains(page.scheme?.lowercased()), page.host?.isEmpty == false else {
            return .init(text: "The photo's page is not a web address.", isError: true)
        }
        let shown = PlainText.excerpt(address, limit: 120)
        guard let program = ProcessRun.find(Self.program, in: environment) else {
            return .init(text: "'\(Self.program)' is not installed. The page: \(shown)", isError: true)
        }
        var run = ProcessRun(program, [address], environment)
        // Some openers run as long as the browser does; a failing one ends at once.
        run.isLeftRunning = true
        run.timeLimit = .seconds(3)
        switch try? await run.outcome().ending {
        case .status(0)?, .stillRunning?: return .init(text: "Opened \(shown)")
        default: return .init(text: "'\(Self.program)' failed. The page: \(shown)", isError: true)
        }
    }
}
