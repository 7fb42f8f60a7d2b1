import Foundation
import GalleryCore

/// The file of the ratings given on this machine: JSON lines, of any service. Several processes may change it at once.
package struct RatingStore: Sendable {
    private struct Line: Codable {
        let service: String
        let id: String
        /// From 0 to 5.
        let stars: Int

        var photo: PhotoID { PhotoID(service: service, value: id) }
    }

    private let lines: StateLines

    /// The ratings in `file`, which need not exist.
    package init(file: URL) { lines = StateLines(file: file) }

    /// All ratings; lines that cannot be read are left out.
    package func ratings() async throws(PrivateFileError) -> Ratings {
        try await Disk.run { [lines] () throws(PrivateFileError) in
            let read = try lines.read().compactMap(Self.line).map { ($0.photo, $0.stars) }
            return Ratings(Dictionary(read) { _, later in later })
        }
    }

    /// Rates photos: 1 to 5, or 0 to take ratings away; `nil` forgets what was given, since their files say it now.
    package func rate(_ photos: [Photo], _ stars: Int?) async throws(PrivateFileError) {
        let ids = photos.map(\.ratingID)
        try await Disk.run { [lines] () throws(PrivateFileError) in
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            try lines.change { lines in
                let rated = Set(ids)
                lines.removeAll { Self.line($0).map { rated.contains($0.photo) } ?? false }
                guard let stars else { return }
                lines += rated.sorted { $0.description < $1.description }.compactMap {
                    try? encoder.encode(Line(service: $0.service, id: $0.value, stars: stars))
                }
            }
        }
    }

    private static func line(_ data: Data) -> Line? {
        guard let line = try? JSONDecoder().decode(Line.self, from: data),
            (0...Photo.starRange.upperBound).contains(line.stars)
        else { return nil }
        return line
    }
}
