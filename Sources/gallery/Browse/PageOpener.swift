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
            return .init(text: "The photo's page is not a web address.", isError: true)
        }
        return await open(address, "Page")
    }

    /// Opens a file of this machine in the viewer that is set for its type.
    func open(file: URL) async -> BrowseModel.Notice { await open(file.path, "File") }

    private func open(_ address: String, _ kind: String) async -> BrowseModel.Notice {
        let shown = PlainText.excerpt(address, limit: 120)
        guard let program = ProcessRun.find(Self.program, in: environment) else {
            return .init(text: "'\(Self.program)' is not installed. \(kind): \(shown)", isError: true)
        }
        var run = ProcessRun(program, [address], environment)
        // Some openers run as long as the browser does; a failing one ends at once.
        run.isLeftRunning = true
        run.timeLimit = .seconds(3)
        switch try? await run.outcome().ending {
        case .status(0)?, .stillRunning?: return .init(text: "Opened \(shown)")
        default: return .init(text: "'\(Self.program)' failed. \(kind): \(shown)", isError: true)
        }
    }
}

/// Moves files to the trash of the desktop.
///
/// Source: freedesktop.org, Trash specification 1.0.
struct Trash {
    private let environment: [String: String]

    init(_ environment: [String: String]) {
        self.environment = environment
    }

    /// Moves a file, and returns the result for the status line.
    func move(_ file: URL) async -> BrowseModel.Notice {
        let name = PlainText.excerpt(file.lastPathComponent)
        if let gio = ProcessRun.find("gio", in: environment) {
            let outcome = try? await ProcessRun(gio, ["trash", "--", file.path], environment).outcome()
            if outcome?.succeeded == true { return .init(text: "Moved '\(name)' to the trash.") }
        }
        do {
            try moveToHomeTrash(file)
            return .init(text: "Moved '\(name)' to the trash.")
        } catch {
            return .init(text: "'\(name)' cannot be moved to the trash.", isError: true)
        }
    }

    /// Moves a file by renaming it, which fails between file systems.
    func moveToHomeTrash(_ file: URL, now: Date = Date()) throws {
        let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = environment["HOME"] ?? NSHomeDirectory()
        let trash = URL(filePath: data ?? home + "/.local/share").appending(path: "Trash")
        let (files, info) = (trash.appending(path: "files"), trash.appending(path: "info"))
        for folder in [files, info] {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        let path = PercentEncoding.encoded(file.path, keeping: "!$&'()*+,;=:@/")
        var format = Date.ISO8601FormatStyle(timeZone: .current)
        format = format.year().month().day().time(includingFractionalSeconds: false)
        let text = "[Trash Info]\nPath=\(path)\nDeletionDate=\(now.formatted(format))\n"
        // The information file reserves the name.
        for number in 1...1000 {
            let name = number == 1 ? file.lastPathComponent : "\(number).\(file.lastPathComponent)"
            let note = info.appending(path: name + ".trashinfo")
            do { try Data(text.utf8).write(to: note, options: .withoutOverwriting) } catch { continue }
            guard rename(file.path, files.appending(path: name).path) == 0 else {
                try? FileManager.default.removeItem(at: note)
                throw ProcessError(code: errno)
            }
            return
        }
        throw ProcessError(code: EEXIST)
    }
}

/// The command of `--exec`, run with a photo's file.
///
/// There is no shell unless the user names one: the command is split into words at spaces, as quotes allow.
struct UserCommand: Hashable, Sendable {
    let words: [String]

    init(_ words: [String]) {
        self.words = words
    }

    /// The words of a command line with single and double quotes; `nil` if a quote is not closed, or if there
    /// are no words.
    static func words(of line: String) -> [String]? {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in line {
            switch (character, quote) {
            case (let end, let open?) where end == open: quote = nil
            case (_, _?): word?.append(character)
            case ("'", nil), ("\"", nil):
                quote = character
                word = word ?? ""
            case (" ", nil):
                if let word { words.append(word) }
                word = nil
            default: word = (word ?? "") + String(character)
            }
        }
        if let word { words.append(word) }
        return quote == nil && !words.isEmpty ? words : nil
    }

    /// The arguments for a file: in place of `$1`, else as the last one. For a shell's script it is `$1`.
    func arguments(for file: String) -> [String] {
        let arguments = Array(words.dropFirst())
        if arguments.contains("$1") { return arguments.map { $0 == "$1" ? file : $0 } }
        return arguments + (arguments.first == "-c" ? ["gallery", file] : [file])
    }

    /// Runs it, and returns the result for the status line.
    func run(_ file: URL, _ environment: [String: String]) async -> BrowseModel.Notice {
        let name = PlainText.excerpt(words[0])
        let program = words[0].hasPrefix("/") ? words[0] : ProcessRun.find(words[0], in: environment)
        guard let program else { return .init(text: "'\(name)' is not installed.", isError: true) }
        var run = ProcessRun(program, arguments(for: file.path), environment)
        run.isLeftRunning = true
        run.timeLimit = .seconds(3)
        switch try? await run.outcome().ending {
        case .status(0)?: return .init(text: "'\(name)' is done.")
        case .stillRunning?: return .init(text: "'\(name)' is running.")
        case .status(let status)?:
            return .init(text: "'\(name)' ended with status \(status).", isError: true)
        default: return .init(text: "'\(name)' could not be run.", isError: true)
        }
    }
}
