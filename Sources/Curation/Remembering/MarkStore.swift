import Foundation
import GalleryCore

/// Photos marked on this machine, of any service, with all that is known of them: a file of JSON lines, newest last,
/// that several processes may change at once. Unreadable lines are left as they are.
package struct MarkStore: Sendable {
    package struct Marks: Sendable {
        /// The photos, newest first, each once.
        package let photos: [Photo]
        /// The numbers of lines that cannot be read, from 1.
        package let damaged: [Int]
        /// The file, for messages.
        package let path: String

        /// One sentence about the damaged lines; `nil` if there are none.
        package var warning: String? {
            guard let first = damaged.first else { return nil }
            let (which, verb) =
                damaged.count == 1
                ? ("Line \(first)", "it is") : ("\(damaged.count) lines (the first is \(first))", "they are")
            return "\(which) of '\(PlainText.line(path))' cannot be read; \(verb) ignored."
        }
    }

    private let lines: StateLines

    /// The marks in `file`, which need not exist.
    package init(file: URL) { lines = StateLines(file: file) }

    package func marks() async throws(PrivateFileError) -> Marks {
        try await Disk.run { [lines] () throws(PrivateFileError) in
            var photos: [Photo] = []
            var seen: Set<PhotoID> = []
            var damaged: [Int] = []
            for (number, line) in try lines.read().enumerated() {
                guard let photo = Self.photo(in: line) else {
                    damaged.append(number + 1)
                    continue
                }
                if seen.insert(photo.id).inserted { photos.append(photo) }
            }
            return Marks(photos: photos.reversed(), damaged: damaged, path: lines.file.path)
        }
    }

    /// Marks `photos`, and returns how many were not marked before; the others keep their position.
    @discardableResult
    package func mark(_ photos: [Photo]) async throws(PrivateFileError) -> Int {
        try await change { lines in
            var known = Set(lines.compactMap(Self.id))
            let new = photos.filter { known.insert($0.lastingID).inserted }
            lines += new.map(Self.line)
            return new.count
        }
    }

    /// Marks other photos in the places of those with these identifiers.
    package func replace(_ photos: [PhotoID: Photo]) async throws(PrivateFileError) {
        _ = try await change { lines in
            for (position, line) in lines.enumerated() {
                guard let photo = Self.id(of: line).flatMap({ photos[$0] }) else { continue }
                lines[position] = Self.line(photo)
            }
            return 0
        }
    }

    /// Removes the marks of `photos`, and returns how many had one.
    @discardableResult
    package func unmark(_ photos: [PhotoID]) async throws(PrivateFileError) -> Int {
        try await change { lines in
            let marked = Set(lines.compactMap(Self.id)).intersection(photos)
            lines.removeAll { Self.id(of: $0).map(marked.contains) ?? false }
            return marked.count
        }
    }

    private func change(
        _ body: @escaping @Sendable (inout [Data]) -> Int
    ) async throws(PrivateFileError) -> Int {
        try await Disk.run { [lines] () throws(PrivateFileError) in try lines.change(body) }
    }

    /// Of a folder's pictures, names repeat from folder to folder, so they are known by their paths.
    private static func photo(in line: Data) -> Photo? { IndexedPhoto(json: line)?.photo.lasting }

    private static func line(_ photo: Photo) -> Data {
        Data(IndexedPhoto(index: nil, photo: photo.lasting).json.text.utf8)
    }

    private static func id(of line: Data) -> PhotoID? { photo(in: line)?.id }
}
