import Foundation
import GalleryCore

/// Photos on standard input, as `--format jsonl` or `json` prints them.
enum StandardInput {
    /// Reads to the end, off the cooperative threads: a pipe may take its time.
    static func photos() async throws -> [IndexedPhoto] {
        try photos(in: await readToEnd())
    }

    /// The photos of lines, or of one array.
    static func photos(in data: Data) throws -> [IndexedPhoto] {
        let decoder = JSONDecoder()
        if data.first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "[") {
            guard let photos = try? decoder.decode([IndexedPhoto].self, from: data) else {
                throw NoPhotos(place: "The array on standard input holds something that")
            }
            return photos
        }
        return try data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
            .filter { !$1.allSatisfy { " \t\r".utf8.contains($0) } }
            .map { number, line in
                guard let photo = try? decoder.decode(IndexedPhoto.self, from: line) else {
                    throw NoPhotos(place: "Line \(number + 1) of standard input")
                }
                return photo
            }
    }

    private static func readToEnd() async -> Data {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "gallery.standard-input").async {
                var data = Data()
                var buffer = [UInt8](repeating: 0, count: 1 << 16)
                while true {
                    let count = read(STDIN_FILENO, &buffer, buffer.count)
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { break }
                    data.append(contentsOf: buffer[..<count])
                }
                continuation.resume(returning: data)
            }
        }
    }
}

/// What came on standard input is no photo.
private struct NoPhotos: StatusError {
    let place: String
    var description: String { "\(place) is no photo." }
    var hint: String? { "Pipe in what '--format jsonl' prints." }
    var status: ExitStatus { .unreadable }
}
