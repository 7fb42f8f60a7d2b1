import Foundation
import GalleryCore

/// Photos on standard input, as `--format jsonl` or `json` prints them, as they come.
struct StandardInput: Sendable {
    private var buffer = Data()
    private var line = 0
    /// Whether there was a photo on a line, so that no array can follow.
    private var isByLine = false
    private var isOver = false

    /// The photos that come next; none at the end.
    mutating func next() async throws -> [IndexedPhoto] {
        var photos: [IndexedPhoto] = []
        while photos.isEmpty, !isOver {
            let bytes = await Self.read()
            buffer += bytes
            isOver = bytes.isEmpty
            // An array is nothing before its end.
            if !isByLine, Self.isArray(buffer) {
                if isOver { photos = try Self.array(buffer) }
            } else {
                photos = try lines()
            }
        }
        return photos
    }

    /// The photos of the whole lines so far.
    private mutating func lines() throws -> [IndexedPhoto] {
        let end =
            isOver ? buffer.endIndex : (buffer.lastIndex(of: UInt8(ascii: "\n")) ?? buffer.startIndex - 1) + 1
        let whole = buffer[..<end]
        buffer = Data(buffer[end...])
        let decoder = JSONDecoder()
        var photos: [IndexedPhoto] = []
        for text in whole.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            line += 1
            if text.allSatisfy({ " \t\r".utf8.contains($0) }) { continue }
            guard let photo = try? decoder.decode(IndexedPhoto.self, from: text) else {
                throw NoPhotos(place: "Line \(line) of standard input")
            }
            photos.append(photo)
            isByLine = true
        }
        // What follows the last line's end is a line that has not come yet.
        if whole.last == UInt8(ascii: "\n") { line -= 1 }
        return photos
    }

    private static func isArray(_ data: Data) -> Bool {
        data.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "[")
    }

    private static func array(_ data: Data) throws -> [IndexedPhoto] {
        guard let photos = try? JSONDecoder().decode([IndexedPhoto].self, from: data) else {
            throw NoPhotos(place: "The array on standard input holds something that")
        }
        return photos
    }

    /// What comes next, off the cooperative threads: a pipe may take its time. Nothing at the end.
    private static func read() async -> Data {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "gallery.standard-input").async {
                var buffer = [UInt8](repeating: 0, count: 1 << 16)
                var count = -1
                repeat {
                    count = Foundation.read(STDIN_FILENO, &buffer, buffer.count)
                } while count < 0 && errno == EINTR
                continuation.resume(returning: Data(buffer.prefix(max(0, count))))
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
