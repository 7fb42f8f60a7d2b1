import Foundation
import GalleryCore
import PictureFiles
import TerminalPictures

struct DetailText {
    /// Columns of the terminal; `nil` for as wide as it takes.
    let width: Int?
    let style: Style
    var widths = DisplayWidth.usual
    /// Whether it tells which file or block each field is from.
    var tellsOrigins = false

    private static let labelWidth = 13

    func lines(_ entry: IndexedPhoto, _ detail: PhotoDetail) -> [String] {
        let photo = entry.photo
        let heading = (entry.index.map { "\($0)  " } ?? "") + PlainText.line(photo.shownTitle)
        var lines = [style.bold(heading)]
        if let description = photo.description {
            lines += PlainText.lines(description).flatMap { wrapped($0, indent: 0) }
        }
        for (label, value) in Self.facts(photo, detail) {
            guard let value = value.map(PlainText.line), !value.isEmpty else { continue }
            lines += wrapped(widths.padded(label, to: Self.labelWidth) + value, indent: Self.labelWidth)
        }
        return tellsOrigins ? lines + Self.origins(detail) : lines
    }

    /// The sources that have a field, that which counts first.
    private static func origins(_ detail: PhotoDetail) -> [String] {
        let sources = MetadataField.allCases.compactMap { field -> String? in
            let others = field == .taken ? detail.origins.filter { $0.has(.made) && !$0.has(.taken) } : []
            let names = (detail.origins.filter { $0.has(field) } + others).map { PlainText.line($0.source) }
            guard field != .made, !names.isEmpty else { return nil }
            let label = "  \(field)".padding(toLength: labelWidth + 1, withPad: " ", startingAt: 0)
            return label + names.joined(separator: ", then ")
        }
        return sources.isEmpty ? [] : ["Sources"] + sources
    }

    private static func facts(_ photo: Photo, _ detail: PhotoDetail) -> KeyValuePairs<String, String?> {
        [
            "Author": photo.author.map { author in
                author.name + (author.username.map { $0 == author.name ? "" : " (\($0))" } ?? "")
            },
            "Taken": photo.takenText, "Published": photo.publishedText,
            "Camera": detail.camera, "Lens": detail.lens, "Focal length": detail.focalLength,
            "Shutter": detail.shutterSpeed, "Aperture": detail.aperture, "ISO": detail.iso,
            "Place": place(detail), "Tags": photo.tags.joined(separator: ", "), "License": photo.license,
            "Stars": photo.stars.map { "\($0) of 5" }, "Category": photo.category,
            "Shows": photo.alt, "Generated": photo.isGenerated.map { $0 ? "yes" : "no" },
            "Adult": photo.isAdult ? "yes" : nil,
            "Likes": photo.likes.map(String.init), "Views": photo.views.map(String.init),
            "Comments": detail.comments.map(String.init), "Rating": photo.rating.map { "\($0) of 100" },
            "Pixels": photo.size.map { "\($0.width)×\($0.height)" }, "Colors": detail.colorProfile,
            "Incomplete": detail.incomplete, "Pages": photo.pageCount > 1 ? String(photo.pageCount) : nil,
            // What a program needs rather than a person comes last.
            "Sizes": sizes(of: photo), "Service": photo.id.service, "Id": photo.id.value,
            "Page": photo.page?.absoluteString, "Full size": photo.full.map(file),
            "Thumbnail": photo.thumbnail.map(file),
        ]
    }

    private static func file(_ rendition: Rendition) -> String {
        let size = rendition.size.map { " (\($0.width)×\($0.height))" } ?? ""
        return PlainText.line(rendition.url.absoluteString) + size
    }

    /// The files to choose from by `--size`, such as `500×333, 1280×853`.
    private static func sizes(of photo: Photo) -> String {
        let sizes = photo.renditions.filter { !$0.isCropped }.compactMap(\.size)
        return sizes.count < 2 ? "" : sizes.map { "\($0.width)×\($0.height)" }.joined(separator: ", ")
    }

    private static func place(_ detail: PhotoDetail) -> String? {
        guard let latitude = detail.latitude, let longitude = detail.longitude else { return nil }
        return "\(latitude), \(longitude)"
    }

    /// `text` broken at spaces to fit the terminal, further lines indented.
    func wrapped(_ text: String, indent: Int) -> [String] {
        guard let width, width > indent + 20 else { return [text] }
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            if !line.isEmpty, widths.of(line) + 1 + widths.of(String(word)) > width,
                line != text.prefix(indent)
            {
                lines.append(line)
                line = String(repeating: " ", count: indent) + word
            } else {
                line += (line.isEmpty && lines.isEmpty ? "" : " ") + word
            }
        }
        return lines + [line]
    }
}
