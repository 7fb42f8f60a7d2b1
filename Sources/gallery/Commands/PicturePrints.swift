import Foundation
import GalleryCore
import TerminalPictures

/// Prints pictures above their details: `show --picture`.
struct PicturePrints {
    let context: Context
    /// How they are shown wherever the lines go; `nil` for as the terminal can.
    let choice: PictureChoice?
    let service: ServiceOptions
    let loaders: ServiceLoaders

    /// Prints each photo's picture if possible, then the details, which `text` prints by offset; returns what failed.
    func print(
        _ photos: [IndexedPhoto], text: (_ offset: Int) throws -> Void
    ) async throws -> [ResolvedPhotos.Failure] {
        let isPreview = preview != nil && isatty(STDOUT_FILENO) != 1
        let detection = await PictureDetection(
            choice ?? (isPreview ? .symbols : .auto), context.environment,
            isPassedOn: choice != nil || isPreview)
        if !detection.painter.support.readsUTF8 { context.terminal.writeASCII() }
        defer { detection.end() }
        let obstacle = detection.painter.obstacle
        for line in obstacle ?? [] { context.terminal.message(line) }
        let folder = FileManager.default.temporaryDirectory.appending(path: "gallery-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        Interrupt.onInterrupt {
            detection.end()
            try? FileManager.default.removeItem(at: folder)
        }
        defer { Interrupt.removeHandler() }
        var failures: [ResolvedPhotos.Failure] = []
        for (offset, photo) in photos.enumerated() {
            if offset > 0 { try context.terminal.result("") }
            if obstacle == nil {
                do {
                    try await show(fetch(photo, as: String(offset), into: folder), detection)
                } catch let error as any ActionableError {
                    failures.append(.init(photo, error))
                }
            }
            try text(offset)
        }
        await detection.settle()
        return failures
    }

    /// The size of fzf's preview, whose output is no terminal.
    private var preview: (columns: Int, rows: Int)? {
        let sides = ["FZF_PREVIEW_COLUMNS", "FZF_PREVIEW_LINES"].compactMap {
            context.environment[$0].flatMap { Int($0) }.flatMap { (1...10_000).contains($0) ? $0 : nil }
        }
        return sides.count == 2 ? (sides[0], sides[1]) : nil
    }

    private func fetch(_ photo: IndexedPhoto, as name: String, into folder: URL) async throws -> URL {
        guard let rendition = photo.photo.full ?? photo.photo.thumbnail else {
            throw CommandFault(.missing, "\(photo.photo.id.service) has no file of this photo.")
        }
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let item = DownloadItem(
            number: 0, photo: photo.photo.id, source: try loaders.imageRequest(rendition, of: photo.photo),
            name: name, isNameUnique: true)
        let (tally, start) = (SharedValue(FetchTally(planned: 1)), ContinuousClock.now)
        let display = ProgressDisplay(
            Canvas(context.terminal, reflows: context.abilities.reflows),
            isShown: context.abilities.showsProgress && !service.quiet
        ) { size in
            tally.withLock { tally in tally.lines(now: start.duration(to: .now), size) { _ in photo.label } }
        }
        defer { display.stop() }
        let downloader = Downloader(
            transport: loaders.images, configuration: service.downloads(jobs: 1), paces: context.shared.paces)
        return try await downloader.file(item, into: TargetFolder(folder)) { event in
            tally.withLock { $0.take(event, now: start.duration(to: .now)) }
        }.url
    }

    private func show(_ file: URL, _ detection: PictureDetection) async throws {
        let terminal = context.terminal
        try terminal.flush()
        let size = preview ?? TerminalAbilities.size(of: STDOUT_FILENO)
        let rows = size?.rows ?? 24
        // Two thirds of the window, so that the picture and most of its details are visible together.
        var box = PictureBox(columns: max(1, (size?.columns ?? 80) - 1), rows: max(1, rows * 2 / 3))
        let painter = detection.painter
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let needsOrigin = painter.needsOrigin && isTerminal
        if needsOrigin {
            try terminal.makeRoom(box.rows)
            box.origin = await detection.cursor()
        }
        switch try await painter.paint(file, in: box) {
        case .painted(let picture) where !isTerminal:
            for line in picture.lines ?? [] { try terminal.sequence((line + [0x0A])[...]) }
            if picture.lines == nil { try await picture.write { try terminal.sequence($0) } }
            if picture.lines == nil { try terminal.sequence([0x0A]) }
        case .painted(let picture):
            if !needsOrigin { try terminal.makeRoom(picture.rows) }
            try await picture.write { try terminal.sequence($0) }
            try terminal.sequence(Array("\r\u{1B}[\(picture.rows)B".utf8)[...])
        case .words(let lines):
            for line in lines { terminal.message(line) }
        }
    }
}
