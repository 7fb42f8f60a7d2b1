@testable import Arguments
@testable import gallery

/// What the program says to a command line that it refuses before it does anything, without starting it.
struct Refusal {
    let status: Int32
    /// The error, without usage.
    let message: String

    /// `nil` for a line that the parser and the command's `validate` take.
    init?(of line: [String]) {
        do {
            _ = try Gallery.parseAsRoot(line)
            return nil
        } catch {
            status = Gallery.exitCode(for: error).rawValue
            let text =
                Outcome(of: error, root: Gallery.self).text.split(separator: #/\n(Help:|Usage:) /#).first
                ?? ""
            message = String(text.trimmingPrefix("Error: "))
        }
    }
}
