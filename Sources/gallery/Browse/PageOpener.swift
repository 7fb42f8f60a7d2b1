import Foundation
import GalleryCore

/// Opens a photo's page in the web browser, or its file in the system's viewer.
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
        return switch await open(file.standardizedFileURL.absoluteURL.path) {
        case .success: nil
        case .failure(.missing): "'\(Self.program)' is not installed. Open '\(shown)' yourself."
        case .failure(.failed): "'\(Self.program)' could not open '\(shown)'."
        }
    }

    /// What came of it, for the last line of the screen.
    ///
    /// The address goes to the program as it is, not through a shell; and only where it is a web
    /// address: `file:` or a program's own scheme could start anything.
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
        return switch await open(address) {
        case .success: .init(text: "Opened \(shown)")
        case .failure(.missing):
            .init(text: "'\(Self.program)' is not installed. \(kind): \(shown)", isError: true)
        case .failure(.failed): .init(text: "'\(Self.program)' failed. \(kind): \(shown)", isError: true)
        }
    }

    private enum Fault: Error {
        case missing, failed
    }

    private func open(_ address: String) async -> Result<Void, Fault> {
        guard let program = ProcessRun.find(Self.program, in: environment) else { return .failure(.missing) }
        // Some openers run as long as the browser does.
        switch await ProcessRun(program, [address], environment).launched() {
        case .status(0)?, .stillRunning?: return .success(())
        default: return .failure(.failed)
        }
    }
}
