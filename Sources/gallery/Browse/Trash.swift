import Foundation
import GalleryCore

/// Moves files to the trash of the desktop.
///
/// Source: freedesktop.org, Trash specification 1.0.
struct Trash {
    let environment: [String: String]

    /// Moves a file, and returns the result for the status line.
    func move(_ file: URL) async -> BrowseModel.Notice {
        let name = PlainText.excerpt(file.lastPathComponent)
        let moved = BrowseModel.Notice(text: "Moved '\(name)' to the trash.")
        let stuck = BrowseModel.Notice(text: "'\(name)' cannot be moved to the trash.", isError: true)
        if let isMoved = Desktop.trash(file) { return isMoved ? moved : stuck }
        if let gio = ProcessRun.find("gio", in: environment) {
            var run = ProcessRun(gio, ["trash", "--", file.path], environment)
            // It ends what it has begun, even if we quit.
            run.isLeftRunning = true
            guard let outcome = try? await run.outcome() else { return .init(text: "") }
            if outcome.succeeded { return moved }
        }
        return (try? moveToHomeTrash(file)) == nil ? stuck : moved
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
                throw SystemCall.Failure(code: errno)
            }
            return
        }
        throw SystemCall.Failure(code: EEXIST)
    }
}
