import Foundation
import GalleryCore
import TerminalPictures

/// Moves files to the trash of the desktop (freedesktop.org, Trash specification 1.0).
struct Trash {
    let environment: [String: String]

    /// A photo's file, and where it is once it is in the trash.
    struct Item: Hashable, Sendable {
        let photo: IndexedPhoto
        let file: URL
        /// `nil` if another program put it there, or it is not there yet.
        var place: Place?

        /// The same file, wherever it is now.
        static func == (one: Item, other: Item) -> Bool { one.file == other.file }
        func hash(into hasher: inout Hasher) { hasher.combine(file) }
    }

    struct Place: Hashable, Sendable {
        let file: URL
        let note: URL?
    }

    struct Outcome: Hashable, Sendable {
        var items: [Item] = []
        var notice: BrowseModel.Notice
    }

    func move(_ items: [Item]) async -> Outcome {
        await each(items, failure: "cannot be moved to the trash") { item in
            Item(photo: item.photo, file: item.file, place: try await moved(item.file))
        } done: {
            "Moved \($0) to the trash. U takes \($1) back."
        }
    }

    /// Takes files back to where they were; nothing that is there by now is replaced.
    func takeBack(_ items: [Item]) async -> Outcome {
        await each(items, failure: "cannot be taken back from the trash") { item in
            guard let place = item.place else { throw SystemCall.Failure(code: ENOENT) }
            try await onThread { Result { try Self.restore(place, to: item.file) } }.get()
            return Item(photo: item.photo, file: item.file)
        } done: { files, _ in
            "Took \(files) back from the trash."
        }
    }

    /// Does one after the other, and says what came of all of them: of which files, and `it` or `them`.
    private func each(
        _ items: [Item], failure: String, _ body: (Item) async throws -> Item,
        done: (_ files: String, _ them: String) -> String
    ) async -> Outcome {
        var (moved, stuck): ([Item], [Item]) = ([], [])
        for item in items {
            do { moved.append(try await body(item)) } catch { stuck.append(item) }
        }
        let good = moved.isEmpty ? nil : done(Self.names(moved), moved.count == 1 ? "it" : "them")
        let bad = stuck.isEmpty ? nil : "\(Self.names(stuck)) \(failure)."
        let text = [good, bad].compactMap(\.self).joined(separator: " ")
        return Outcome(items: moved, notice: .init(text: text, isError: bad != nil))
    }

    static func names(_ items: [Item]) -> String {
        items.count == 1 ? "'\(name(items[0].file))'" : "\(items.count) files"
    }

    private static func name(_ file: URL) -> String { PlainText.excerpt(file.lastPathComponent) }

    private func moved(_ file: URL) async throws -> Place? {
        if let place = Desktop.trash(file) { return place }
        // Within a file system it is where every program looks for it, and can be taken back.
        if let place = try? moveToHomeTrash(file) { return place }
        guard let gio = ProcessRun.find("gio", in: environment) else { throw SystemCall.Failure(code: EXDEV) }
        var run = ProcessRun(gio, ["trash", "--", file.path], environment)
        // It ends what it has begun, even if we quit.
        run.isLeftRunning = true
        guard try await run.outcome().succeeded else { throw SystemCall.Failure(code: EXDEV) }
        return nil
    }

    /// Gives a file its former name, unless anything has it by now.
    private static func restore(_ place: Place, to file: URL) throws {
        try rename(place.file, to: file)
        if let note = place.note { unlink(note.path) }
    }

    private static func rename(_ file: URL, to name: URL) throws(SystemCall.Failure) {
        try Replacement.nothing.put(
            file.lastPathComponent,
            of: SystemCall.openFolder(file.deletingLastPathComponent().path(percentEncoded: false)),
            as: name.lastPathComponent,
            in: SystemCall.openFolder(name.deletingLastPathComponent().path(percentEncoded: false)))
    }

    /// A file's name in the trash, shortened where it would be too long with what is added to it there.
    private static func name(of file: URL, _ number: Int) -> String {
        let (start, ending) = (number == 1 ? "" : "\(number).", file.pathExtension)
        let end = ending.isEmpty || ending.utf8.count > 20 ? "" : "." + ending
        let room = 255 - ".trashinfo".utf8.count - start.utf8.count - end.utf8.count
        return start + FileName.shortened(String(file.lastPathComponent.dropLast(end.count)), to: room) + end
    }

    /// Moves a file by renaming it, which fails between file systems.
    @discardableResult
    func moveToHomeTrash(_ file: URL, now: Date = Date()) throws -> Place {
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
        // The information file reserves the name; a file without one may have it all the same.
        for number in 1...1000 {
            let name = Self.name(of: file, number)
            let (place, note) = (files.appending(path: name), info.appending(path: name + ".trashinfo"))
            do { try Data(text.utf8).write(to: note, options: .withoutOverwriting) } catch { continue }
            do throws(SystemCall.Failure) {
                try Self.rename(file, to: place)
                return Place(file: place, note: note)
            } catch {
                try? FileManager.default.removeItem(at: note)
                guard [EEXIST, ELOOP, EISDIR].contains(error.code) else { throw error }
            }
        }
        throw SystemCall.Failure(code: EEXIST)
    }
}
