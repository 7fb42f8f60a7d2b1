import Foundation
import TerminalPictures

struct FolderCondition: Hashable {
    var exists: Bool
    /// Whether it, or the one that it will be made in, can be written.
    var isWritable: Bool
    /// Whether others may put files there.
    var isOpenToOthers = false
    /// In bytes; `nil` where the system does not tell.
    var free: Int64?

    /// Below that much, downloads fail soon.
    private static let little: Int64 = 100_000_000
}

extension FolderCondition {
    init(_ folder: URL) {
        let manager = FileManager.default
        var place = folder.absoluteURL.standardizedFileURL
        exists = manager.fileExists(atPath: place.path)
        while !manager.fileExists(atPath: place.path), place.path != "/" { place.deleteLastPathComponent() }
        var isFolder: ObjCBool = false
        isWritable =
            manager.fileExists(atPath: place.path, isDirectory: &isFolder) && isFolder.boolValue
            && access(place.path, W_OK | X_OK) == 0
        let mode = (try? manager.attributesOfItem(atPath: place.path)[.posixPermissions] as? Int) ?? 0
        // With the sticky bit, as in /tmp, files are safe from others.
        isOpenToOthers = exists && mode & 0o002 != 0 && mode & 0o1000 == 0
        free =
            (try? manager.attributesOfFileSystem(forPath: place.path)[.systemFreeSize] as? NSNumber)?
            .int64Value
    }

    func finding(_ name: String, shown path: String) -> Finding {
        guard isWritable else {
            let problem = exists ? "cannot be written" : "is not there and cannot be made"
            return Finding(
                .folders, name, .broken, "\(path) \(problem)",
                help: exists ? "chmod u+rwx \(path.shellPath)" : "mkdir -p \(path.shellPath)")
        }
        let room = free.map { "\(ByteText.amount($0)) free" }
        if isOpenToOthers {
            return Finding(
                .folders, name, .note, "\(path): others may write there", help: "chmod o-w \(path.shellPath)")
        }
        if let free, free < Self.little {
            return Finding(.folders, name, .note, "\(path): only \(room ?? "") on its disk")
        }
        return Finding(
            .folders, name,
            [path + (exists ? "" : " (not there yet)"), room].compactMap(\.self).joined(separator: ", "))
    }
}

/// What the terminal shows, and why not more.
struct TerminalFindings {
    let findings: [Finding]

    init(
        _ support: PictureSupport, _ environment: [String: String], size: String, hasChafa: Bool,
        manager: PackageManager?
    ) {
        let term = support.term.isEmpty ? "TERM is not set" : support.term
        var found = [
            support.term.isEmpty || support.term == "dumb"
                ? Finding(
                    .terminal, "TERM", .note, "\(term)\(size): no colors, no progress, no pictures",
                    help: "Set TERM to what your terminal is, such as xterm-256color.")
                : Finding(.terminal, "TERM", term + size)
        ]
        let name = support.tmux?.outerVersion ?? support.answers?.version
        switch support.multiplexer {
        case .none: break
        case .tmux: found.append(Finding(.terminal, "inside", "tmux"))
        case .opaque(let isScreen): found.append(Finding(.terminal, "inside", isScreen ? "screen" : "zellij"))
        }
        if let name, !name.isEmpty { found.append(Finding(.terminal, "program", name)) }
        if !support.readsUTF8 {
            let help =
                support.multiplexer == .none
                ? nil : "Start the multiplexer with UTF-8, as 'screen -U' or 'tmux -u'."
            found.append(
                Finding(.terminal, "encoding", .note, "not UTF-8: 'browse' keeps to ASCII", help: help))
        }
        let isPlain = environment["NO_COLOR"]?.isEmpty == false
        if isPlain {
            found.append(
                Finding(.terminal, "colors", .note, "none, because NO_COLOR is set", help: "unset NO_COLOR"))
        }
        found.append(Self.pictures(support, isPlain: isPlain, hasChafa: hasChafa, manager: manager))
        findings = found
    }

    private static func pictures(
        _ support: PictureSupport, isPlain: Bool, hasChafa: Bool, manager: PackageManager?
    ) -> Finding {
        let chafa = manager?.line(for: "chafa") ?? "Install chafa."
        switch support.method {
        case .none(because: let reason):
            return Finding(
                .terminal, "pictures", .note, reason ?? "none",
                help: isPlain ? "gallery browse --picture symbols" : nil)
        case .shown(let method):
            guard hasChafa || !method.needsChafa else {
                return Finding(
                    .terminal, "pictures", .note,
                    "none: '\(method.name)' needs chafa; details are shown instead", help: chafa)
            }
            let isHeldBack =
                support.isInTmux && !support.passesThrough
                && (support.program.placesByText || support.program.speaksITerm)
            if isHeldBack {
                return Finding(
                    .terminal, "pictures", .note, "\(method.name): tmux does not let better ones through",
                    help: "tmux set -g allow-passthrough on")
            }
            if !hasChafa {
                return Finding(
                    .terminal, "pictures", .note, "\(method.name): only files that the terminal reads itself",
                    help: chafa)
            }
            let why = method == .symbols ? ": colored characters; the terminal told of nothing better" : ""
            return Finding(.terminal, "pictures", method.name + why)
        }
    }
}
