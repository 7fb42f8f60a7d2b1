import Foundation
import GalleryCore

/// Photos on standard input, as `--format jsonl` or `json` prints them, as they come.
struct StandardInput: Sendable {
    /// What the lines that have come are.
    struct Lines: Sendable {
        var photos: [IndexedPhoto] = []
        /// The lines that are no photo; those behind them are taken all the same.
        var failures: [ResolvedPhotos.Failure] = []
    }

    /// What it is, which its first character says.
    private enum Form {
        case lines
        /// One array, which is nothing before its end.
        case array(Data)
    }

    private var form: Form?
    private var lines = InputLines()
    private var isOver = false

    /// What comes next; `nil` at the end.
    ///
    /// - Throws: where it cannot be read, or is an array, and not of photos.
    mutating func next() async throws -> Lines? {
        while !isOver {
            let bytes = try await Self.read()
            isOver = bytes.isEmpty
            let taken = try take(bytes)
            if !taken.photos.isEmpty || !taken.failures.isEmpty { return taken }
        }
        return nil
    }

    /// Takes in what comes; no bytes are the end.
    private mutating func take(_ bytes: Data) throws -> Lines {
        let bytes = form == nil ? bytes.trimmingPrefix(Self.byteOrderMark) : bytes
        if form == nil, let first = bytes.first(where: { !Self.isBlank($0) }) {
            form = first == UInt8(ascii: "[") ? .array(Data()) : .lines
        }
        guard case .array(var array)? = form else {
            let rest = bytes.isEmpty ? lines.end() : nil
            return photos(in: lines.take(bytes) + [rest].compactMap(\.self))
        }
        // Taken out, so that what has come is not copied.
        form = .lines
        array += bytes
        if bytes.isEmpty { return Lines(photos: try Self.array(array)) }
        form = .array(array)
        return Lines()
    }

    private func photos(in lines: [InputLines.Line]) -> Lines {
        var result = Lines()
        let decoder = JSONDecoder()
        for line in lines {
            if let text = line.text, text.allSatisfy(Self.isBlank) { continue }
            if let text = line.text, let photo = try? decoder.decode(IndexedPhoto.self, from: text) {
                result.photos.append(photo)
            } else {
                result.failures.append(
                    .init(
                        index: nil, name: "line \(line.number)",
                        error: NoPhotos(
                            place: "Line \(line.number) of standard input", isTooLong: line.text == nil)))
            }
        }
        return result
    }

    private static func isBlank(_ byte: UInt8) -> Bool { " \t\r\n".utf8.contains(byte) }

    private static func array(_ data: Data) throws -> [IndexedPhoto] {
        guard let photos = try? JSONDecoder().decode([IndexedPhoto].self, from: data) else {
            throw NoPhotos(place: "An element of the array on standard input")
        }
        return photos
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// What comes next, off the cooperative threads: a pipe may take its time. Nothing at the end.
    private static func read() async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "gallery.standard-input").async {
                var buffer = [UInt8](repeating: 0, count: 1 << 16)
                var count = -1
                repeat {
                    count = Foundation.read(STDIN_FILENO, &buffer, buffer.count)
                } while count < 0 && errno == EINTR
                if count < 0 {
                    continuation.resume(throwing: UnreadableInput(code: errno))
                } else {
                    continuation.resume(returning: Data(buffer.prefix(count)))
                }
            }
        }
    }
}

/// Standard input is a folder, or closed.
private struct UnreadableInput: StatusError {
    /// The system's number for it.
    let code: Int32

    var description: String { "Standard input could not be read: \(String(cString: strerror(code)))." }
    var hint: String? { "Pipe in the output of '--format jsonl'." }
    var status: ExitStatus { .inputOutput }
}

/// What came on standard input is no photo.
private struct NoPhotos: StatusError {
    let place: String
    var isTooLong = false

    var description: String {
        isTooLong ? "\(place) is longer than \(InputLines.longest >> 20) MiB." : "\(place) is not a photo."
    }
    var hint: String? { "Pipe in the output of '--format jsonl'." }
    var status: ExitStatus { .unreadable }
}
