import Foundation
import GalleryCore

/// Photos as lines of one format.
protocol RowFormat: Sendable {
    func lines(for photos: [IndexedPhoto]) -> [String]
}

/// One array.
struct JSONRows: RowFormat {
    func lines(for photos: [IndexedPhoto]) -> [String] {
        guard !photos.isEmpty else { return ["[]"] }
        // An object a line, so that the array can be read, compared and searched by line.
        let lines = photos.map(\.json.text)
        return ["["] + lines.dropLast().map { $0 + "," } + lines.suffix(1) + ["]"]
    }
}

/// One object a line.
struct JSONLineRows: RowFormat {
    func lines(for photos: [IndexedPhoto]) -> [String] { photos.map(\.json.text) }
}

/// The full-size file's address a line; photos without one have no line.
struct URLRows: RowFormat {
    func lines(for photos: [IndexedPhoto]) -> [String] {
        photos.compactMap { $0.photo.full.map { PlainText.line($0.url.absoluteString) } }
    }
}

/// Comma-separated values by RFC 4180, with a header.
struct CSVRows: RowFormat {
    private static let header = [
        "index", "service", "id", "title", "author", "page", "width", "height", "thumbnail", "full", "likes",
        "views", "rating", "published", "taken", "tags", "license", "adult",
    ]

    func lines(for photos: [IndexedPhoto]) -> [String] {
        [Self.header.joined(separator: ",")]
            + photos.map { row in
                Self.cells(row).map(Self.quoted).joined(separator: ",")
            }
    }

    private static func cells(_ row: IndexedPhoto) -> [String] {
        let photo = row.photo
        func number(_ value: Int?) -> String { value.map(String.init) ?? "" }
        let identity = [
            number(row.index), photo.id.service, photo.id.value, photo.title, photo.author?.name ?? "",
            photo.page?.absoluteString ?? "", number(photo.size?.width), number(photo.size?.height),
            photo.thumbnail?.url.absoluteString ?? "", photo.full?.url.absoluteString ?? "",
        ]
        let facts = [
            number(photo.likes), number(photo.views), photo.rating.map { "\($0)" } ?? "",
            photo.published?.formatted(.iso8601) ?? "", photo.taken?.formatted(.iso8601) ?? "",
            photo.tags.joined(separator: " "), photo.license ?? "", photo.isAdult ? "true" : "false",
        ]
        return (identity + facts).map(PlainText.line)
    }

    private static func quoted(_ cell: String) -> String {
        guard cell.contains(where: { $0 == "," || $0 == "\"" }) else { return cell }
        return "\"" + cell.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
            + "\""
    }
}
