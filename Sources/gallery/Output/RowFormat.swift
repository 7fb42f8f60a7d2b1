import Foundation
import GalleryCore

/// Photos as lines of one format, as they come: a list may be longer than memory.
protocol RowFormat: Sendable {
    /// The lines of the next photos, and before the first of them what stands at the top.
    mutating func lines(for photos: [IndexedPhoto], _ details: [PhotoID: PhotoDetail]) -> [String]

    /// What stands at the bottom, or in the place of a list without photos.
    mutating func end() -> [String]
}

extension RowFormat { mutating func end() -> [String] { [] } }

extension [JSONValue] {
    /// One array with an element a line, so that it can be read, compared and searched by line.
    var lines: [String] { ["["] + dropLast().map { $0.text + "," } + suffix(1).map(\.text) + ["]"] }
}

/// One array, an object a line.
struct JSONRows: RowFormat {
    /// The last object so far: whether a comma follows it is not known yet.
    private var last: String?

    mutating func lines(for photos: [IndexedPhoto], _: [PhotoID: PhotoDetail]) -> [String] {
        var lines: [String] = []
        for photo in photos {
            lines.append(last.map { $0 + "," } ?? "[")
            last = photo.json.text
        }
        return lines
    }

    mutating func end() -> [String] { last.map { [$0, "]"] } ?? ["[]"] }
}

struct JSONLineRows: RowFormat {
    func lines(for photos: [IndexedPhoto], _: [PhotoID: PhotoDetail]) -> [String] { photos.map(\.json.text) }
}

/// The address of each full-size file on a line of its own, for every page of a work if its details are known.
struct URLRows: RowFormat {
    func lines(for photos: [IndexedPhoto], _ details: [PhotoID: PhotoDetail]) -> [String] {
        photos.flatMap { entry in
            let files = (details[entry.photo.id] ?? PhotoDetail(photo: entry.photo)).renditions(.full)
            return files.map { PlainText.line($0.url.absoluteString) }
        }
    }
}

/// Comma-separated values by RFC 4180, with a header.
struct CSVRows: RowFormat {
    private static let header = [
        "index", "service", "id", "title", "author", "page", "width", "height", "thumbnail", "full", "likes",
        "views", "rating", "published", "taken", "tags", "license", "adult", "files", "licenseURL", "credit",
        "stars", "alt", "generated",
    ].joined(separator: ",")

    private var hasHeader = false

    mutating func lines(for photos: [IndexedPhoto], _: [PhotoID: PhotoDetail]) -> [String] {
        let lines = photos.map { Self.cells($0).map(Self.quoted).joined(separator: ",") }
        return hasHeader || photos.isEmpty ? lines : header() + lines
    }

    mutating func end() -> [String] { hasHeader ? [] : header() }

    private mutating func header() -> [String] {
        hasHeader = true
        return [Self.header]
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
            photo.publishedText ?? "", photo.takenText ?? "",
            photo.tags.joined(separator: ";"), photo.license ?? "", photo.isAdult ? "true" : "false",
            number(photo.pageCount), photo.licenseURL?.absoluteString ?? "", photo.credit ?? "",
            number(photo.stars), photo.alt ?? "", photo.isGenerated.map { "\($0)" } ?? "",
        ]
        return (identity + facts).map(PlainText.line)
    }

    private static func quoted(_ cell: String) -> String {
        guard cell.contains(where: { $0 == "," || $0 == "\"" }) else { return cell }
        return "\"" + cell.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
            + "\""
    }
}
