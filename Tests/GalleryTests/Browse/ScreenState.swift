import Foundation

@testable import GalleryCore
@testable import TerminalPictures
@testable import gallery

/// States of the screen for tests, as the cursor would tell them.
enum ScreenState {
    static func model(columns: Int = 60, rows: Int = 12, index: Int = 7, count: Int = 40) -> BrowseModel {
        var model = BrowseModel(size: .init(columns: columns, rows: rows))
        model.feed = "popular · sample"
        model.cursor.run = (1...count).map(entry)
        model.cursor.total = count
        model.cursor.isRunFromStart = true
        model.cursor.isRunToEnd = true
        model.cursor.current = entry(index)
        model.cursor.picture = .ready(file(index))
        model.cursor.isFull = true
        return model
    }

    static func entry(_ index: Int) -> IndexedPhoto {
        IndexedPhoto(
            index: index,
            photo: Photo(
                id: PhotoID(service: "sample", value: "\(1000 + index)"), title: "Photo \(index)",
                author: Author(id: "1", name: "Grace Hopper", username: "grace"),
                page: URL(string: "https://photos.example/\(index)"),
                size: PixelSize(width: 640, height: 427),
                tags: ["sea", "light"], license: "CC0 1.0"))
    }

    static func entry(of service: String, _ file: URL) -> IndexedPhoto {
        IndexedPhoto(
            index: 7,
            photo: Photo(
                id: PhotoID(service: service, value: "7.jpg"), title: "7",
                full: Rendition(url: file, size: nil)))
    }

    /// The screen's lines without spaces at their ends.
    static func lines(_ model: BrowseModel) -> [String] {
        model.frame.text
    }

    static func file(_ index: Int) -> DownloadedFile {
        DownloadedFile(url: URL(filePath: "/cache/\(index).jpg"), bytes: 1_048_576, status: .fetched)
    }
}

extension Trash.Outcome {
    /// A photo's file was moved to the trash.
    static func gone(_ entry: IndexedPhoto) -> Self {
        .init(
            items: [.init(photo: entry, file: URL(filePath: "/\(entry.index ?? 0).jpg"))],
            notice: .init(text: "Gone."))
    }
}

extension Frame {
    /// The text of the lines without spaces at their ends.
    var text: [String] {
        lines.map { cells in
            String(cells.map(\.text).joined().reversed().drop { $0 == " " }.reversed())
        }
    }
}

extension BrowseModel {
    /// The lines that are not empty, each after its number, and a line for each picture: for large windows.
    /// `━{44}` stands for so many of one character.
    var sketch: String {
        shown.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .compactMap { $1.isEmpty ? nil : "\($0 + 1)|\(Self.abridged($1))" }.joined(separator: "\n")
    }

    private static func abridged(_ line: Substring) -> String {
        var text = ""
        var rest = line
        while let first = rest.first {
            let run = rest.prefix { $0 == first }
            text += run.count > 8 ? "\(first){\(run.count)}" : run
            rest = rest.dropFirst(run.count)
        }
        return text
    }

    /// The screen as one sees it, and a line for each picture.
    var shown: String {
        let frame = frame
        let pictures = frame.pictures.map { picture in
            let origin = picture.box.origin.map { "\($0.row),\($0.column)" } ?? "?"
            let part =
                switch picture.part {
                case .whole: ""
                case .frame(let number): " frame \(number)"
                case .view(let viewport): " \(viewport.factor)× at \(viewport.x),\(viewport.y)"
                }
            let box = "\(picture.box.columns)×\(picture.box.rows) at \(origin)"
            return "<\(picture.file.lastPathComponent) \(box)\(part)>"
        }
        return (frame.text + pictures).joined(separator: "\n")
    }
}
