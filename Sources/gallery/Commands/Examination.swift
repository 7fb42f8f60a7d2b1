import Foundation
import GalleryCore
import TerminalPictures

/// What `gallery doctor` looks at: it changes nothing, and asks no host.
struct Examination {
    private let context: Context
    /// `nil` where the file or a definition cannot be used.
    private let configuration: Configuration?
    private let fault: (any ActionableError)?
    private let warning: String?

    private var environment: [String: String] { context.environment }
    private var folders: Folders { context.folders }

    init(_ context: Context) {
        self.context = context
        let folders = context.folders
        var warning: String?
        do {
            configuration = try Configuration(contentsOf: folders.configurationFile, home: folders.home) {
                warning = $0
            }
            fault = nil
        } catch {
            configuration = nil
            fault = error as? any ActionableError
        }
        self.warning = warning
    }

    func findings() async -> [Finding] {
        async let programs = programs()
        let terminal = await terminal()
        return await own + settings + keys + places + cache() + terminal + programs + locale + proxies
    }

    // MARK: - The program and its settings

    private var own: [Finding] {
        let version = Release.description.replacing("\n", with: ", ")
        let system = ProcessInfo.processInfo.operatingSystemVersionString
        let photos: Finding
        do throws(MissingResource) {
            photos = Finding(.gallery, "bundled photos", shown(try Resources.url(of: ServiceCatalog.bundled)))
        } catch {
            photos = Finding(.gallery, "bundled photos", .broken, error.description, help: error.hint)
        }
        return [Finding(.gallery, "version", version), Finding(.gallery, "system", system), photos]
    }

    private var settings: [Finding] {
        let file = folders.configurationFile
        let path = shown(file)
        if let fault {
            return [
                Finding(
                    .configuration, "file", .broken,
                    fault.description.replacing(folders.home.path, with: "~"), help: "gallery config edit")
            ]
        }
        guard FileManager.default.fileExists(atPath: file.path) else {
            return [Finding(.configuration, "file", "\(path) is not there: the defaults hold")]
        }
        if warning != nil {
            let help = "chmod 600 \(path.shellPath)"
            return [Finding(.configuration, "file", .note, "\(path): others can read its keys", help: help)]
        }
        return [Finding(.configuration, "file", path)]
    }

    private var keys: [Finding] {
        guard let values = try? SettingValues(context) else { return [] }
        return values.rows.filter(\.name.isSecret).map { row in
            let place: String =
                switch row.origin {
                case .environment(let variable)?: "set in \(variable)"
                case .file?: "set in the configuration file"
                case .standard?, nil: "not set"
                }
            return Finding(.keys, row.name.path[1], place)
        }
    }

    // MARK: - Folders

    private var places: [Finding] {
        let downloads = URL(filePath: (configuration ?? Configuration()).directory)
        return [
            ("configuration", folders.configurationFile.deletingLastPathComponent()),
            ("cache", folders.cache), ("state", folders.state), ("downloads", downloads),
            ("temporary", FileManager.default.temporaryDirectory),
        ].map { name, folder in FolderCondition(folder).finding(name, shown: shown(folder.absoluteURL)) }
    }

    private func cache() async -> [Finding] {
        guard let info = try? await DiskCache(folder: folders.cache).info() else { return [] }
        let others = Gallery.Cache.others(in: info.folder)
        let limit =
            "\(info.entries) replies, \(ByteText.amount(info.bytes)) of \(ByteText.amount(info.limit))"
        let rest = others.files > 0 ? "; \(others.files) other files, \(ByteText.amount(others.bytes))" : ""
        return [Finding(.cache, "size", limit + rest)]
    }

    /// A path without the user's name, which home folders have.
    private func shown(_ url: URL) -> String {
        let (path, home) = (url.standardizedFileURL.path, folders.home.standardizedFileURL.path)
        return path == home || path.hasPrefix(home + "/") ? "~" + path.dropFirst(home.count) : path
    }

    // MARK: - Terminal and programs

    private func terminal() async -> [Finding] {
        let streams = [STDOUT_FILENO, STDERR_FILENO, STDIN_FILENO]
        guard let stream = streams.first(where: { isatty($0) == 1 }) else {
            return [Finding(.terminal, "terminal", .note, "none: all output goes elsewhere")]
        }
        let detection = await PictureDetection(.auto, environment, terminal: stream)
        await detection.settle()
        detection.end()
        let size = TerminalAbilities.size(of: stream).map { ", \($0.columns)×\($0.rows)" } ?? ""
        return TerminalFindings(
            detection.painter.support, environment, size: size, hasChafa: detection.painter.hasChafa,
            manager: PackageManager(in: environment)
        ).findings
    }

    private func programs() async -> [Finding] {
        let manager = PackageManager(in: environment)
        let tmux = HelperPrograms(programs: [Tmux.program], use: "pictures in tmux", package: "tmux")
        let wanted = HelperPrograms.all + (environment["TMUX"]?.isEmpty == false ? [tmux] : [])
        let findings = await wanted.concurrentMap { [environment] programs in
            programs.findings(await programs.candidates(environment), manager)
        }
        return findings.flatMap(\.self)
    }

    // MARK: - The environment

    private var locale: [Finding] {
        let named = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { name in
            environment[name].flatMap { $0.isEmpty ? nil : "\(name)=\($0)" }
        }.first
        let isUTF8 = named?.lowercased().contains(/utf-?8/) ?? false
        return [
            Finding(
                .locale, "encoding", isUTF8 ? .ok : .note,
                isUTF8 ? named ?? "" : "\(named ?? "no locale"): text is printed in UTF-8 all the same",
                help: isUTF8 ? nil : "export LC_ALL=C.UTF-8")
        ]
    }

    private var proxies: [Finding] {
        Proxy.variables.compactMap { name in
            guard let text = environment[name], !text.isEmpty else { return nil }
            if name.lowercased() == "no_proxy" { return Finding(.proxies, name, text) }
            guard name != "HTTP_PROXY" else {
                return Finding(.proxies, name, .note, "ignored, as in curl", help: "Set http_proxy instead.")
            }
            return Finding(.proxies, name, Proxy.shown(text))
        }
    }
}

extension String {
    /// This path as a shell takes it, where a leading `~` is the home.
    var shellPath: String {
        if self == "~" { return self }
        return hasPrefix("~/") ? "~/" + String(dropFirst(2)).shellWord : shellWord
    }
}
