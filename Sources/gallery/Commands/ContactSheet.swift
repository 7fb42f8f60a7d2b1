import Foundation
import GalleryCore
import TerminalPictures

/// Thumbnails with their indexes and titles, row by row, which stay in the terminal's scrollback: `--format grid`.
struct ContactSheet {
    private let context: Context
    private let files: ThumbnailFiles
    private let detection: PictureDetection
    private let shape: GridShape
    private var captions: GridRows
    /// Thumbnails that could not be loaded, or not be shown.
    private(set) var failures = 0

    /// Rows whose thumbnails are loaded before they can be printed.
    private static let ahead = 3

    /// Asks the terminal how it shows pictures; `nil` where it shows none, of which a line says why.
    init?(
        _ context: Context, _ service: ServiceOptions, _ loaders: ServiceLoaders, _ markers: ListMarkers
    ) async {
        let detection = await PictureDetection(.auto, context.environment)
        if !detection.painter.support.readsUTF8 { context.terminal.writeASCII() }
        if let obstacle = detection.painter.obstacle {
            detection.end()
            if !service.quiet { obstacle.forEach(context.terminal.message) }
            return nil
        }
        Interrupt.onInterrupt { detection.end() }
        let pictures = context.pictures(through: loaders.images, service)
        await pictures.prepare()
        (self.context, self.detection) = (context, detection)
        files = ThumbnailFiles(context, loaders, pictures)
        let window = TerminalAbilities.size(of: STDOUT_FILENO)
        shape = GridShape(
            in: .init(columns: window?.columns ?? 80, rows: window?.rows ?? 24), columns: nil, paints: true)
        captions = GridRows(columns: shape.columns, width: shape.width, markers)
    }

    mutating func show(_ photos: [IndexedPhoto]) async throws { try await show(captions.full(with: photos)) }

    /// Prints the last row, and gives the terminal back.
    mutating func end() async throws {
        try await show(captions.rest())
        await detection.settle()
        detection.end()
        Interrupt.removeHandler()
    }

    private mutating func show(_ rows: [[IndexedPhoto]]) async throws {
        var loads: [Task<[PhotoID: URL], Never>] = []
        defer { for load in loads { load.cancel() } }
        for (number, row) in rows.enumerated() {
            while loads.count < min(rows.count, number + Self.ahead) {
                let next = rows[loads.count].map(\.photo)
                loads.append(Task { [self] in await thumbnails(of: next) })
            }
            try await show(row, await loads[number].value)
        }
    }

    private func thumbnails(of photos: [Photo]) async -> [PhotoID: URL] {
        let resolution = detection.painter.resolution
        let edge = max(shape.width * resolution.width, shape.height * resolution.height)
        // Those of a folder are made together, others come one by one.
        let own = photos.filter { $0.ownFile != nil }
        let parts = (own.isEmpty ? [] : [own]) + photos.filter { $0.ownFile == nil }.map { [$0] }
        let found = await parts.concurrentMap { [files] in await files.files(of: $0, edge).mapValues(\.file) }
        return found.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
    }

    private mutating func show(_ row: [IndexedPhoto], _ files: [PhotoID: URL]) async throws {
        // Two columns of gap, a line for the caption.
        var box = PictureBox(columns: max(1, shape.width - 2), rows: max(1, shape.height - 1))
        let terminal = context.terminal
        let needsOrigin = detection.painter.needsOrigin
        if needsOrigin {
            try terminal.makeRoom(box.rows)
            box.origin = await detection.cursor()
        }
        let pictures = await painted(row.map { files[$0.photo.id] }, in: box)
        failures += row.count - pictures.count
        let rows = needsOrigin ? box.rows : pictures.values.map(\.rows).max() ?? 0
        if !needsOrigin, rows > 0 { try terminal.makeRoom(rows) }
        for (column, picture) in pictures.sorted(by: { $0.key < $1.key }) {
            let down = needsOrigin ? 0 : rows - picture.rows
            try terminal.move(down: down, right: column * shape.width)
            try await picture.write { try terminal.sequence($0) }
            try terminal.move(down: -down)
        }
        if rows > 0 { try terminal.move(down: rows) }
        try terminal.results([captions.captions(row), ""])
    }

    private func painted(_ files: [URL?], in box: PictureBox) async -> [Int: PaintedPicture] {
        await withTaskGroup(of: (Int, PaintedPicture?).self) { [shape, painter = detection.painter] group in
            for (column, file) in files.enumerated() {
                guard let file else { continue }
                var box = box
                box.origin?.column += column * shape.width
                group.addTask { [box] in
                    guard case .painted(let picture)? = try? await painter.paint(file, in: box) else {
                        return (column, nil)
                    }
                    return (column, picture)
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }
}

extension PicturePainter {
    /// Whether a picture is painted for a cell of the screen that has to be known, and shown in no other: through tmux.
    var needsOrigin: Bool { support.isInTmux && support.used == .iterm }
}

extension Terminal {
    /// Scrolls if needed to make room below the cursor, where a picture is painted.
    func makeRoom(_ rows: Int) throws {
        let lines = String(repeating: "\n", count: rows)
        try sequence(Array("\(lines)\u{1B}[\(rows)A".utf8)[...])
    }

    /// Moves the cursor from the first column by so many cells, or back to it.
    fileprivate func move(down: Int = 0, right: Int = 0) throws {
        var text = "\r"
        if down != 0 { text += "\u{1B}[\(abs(down))\(down > 0 ? "B" : "A")" }
        if right > 0 { text += "\u{1B}[\(right)C" }
        try sequence(Array(text.utf8)[...])
    }
}
