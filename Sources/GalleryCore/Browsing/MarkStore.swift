import Foundation

/// The photos marked on this machine, of any service, with all that is known of them.
///
/// A file of JSON lines, newest last. Lines that cannot be read are left as they are. Several processes may change it
/// at once.
package struct MarkStore: Sendable {
    /// The marked photos.
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
            let which =
                damaged.count == 1 ? "Line \(first)" : "\(damaged.count) lines (the first is \(first))"
            return
                "\(which) of '\(PlainText.line(path))' cannot be read; \(damaged.count == 1 ? "it is" : "they are") ignored."
        }
    }

    private let lines: StateLines

    /// The marks in `file`, which need not exist.
    package init(file: URL) {
        lines = StateLines(file: file)
    }

    /// The marked photos.
    package func marks() async throws(StateFileError) -> Marks {
        let lines = lines
        return try await Disk.run { () throws(StateFileError) in Self.marks(in: try lines.read(), lines.file)
        }
    }

    /// Marks `photos`; those already marked keep their position.
    ///
    /// - Returns: The number of photos not marked before.
    @discardableResult
    package func mark(_ photos: [Photo]) async throws(StateFileError) -> Int {
        let lines = lines
        return try await Disk.run { () throws(StateFileError) in
            var added = 0
            try lines.change { lines in
                var known = Set(lines.compactMap(Self.id))
                for photo in photos where known.insert(photo.id).inserted {
                    lines.append(Data(IndexedPhoto(index: nil, photo: photo).json.text.utf8))
                    added += 1
                }
            }
            return added
        }
    }

    /// Removes the marks of `photos`.
    ///
    /// - Returns: The number of photos that were marked.
    @discardableResult
    package func unmark(_ photos: [PhotoID]) async throws(StateFileError) -> Int {
        let lines = lines
        return try await Disk.run { () throws(StateFileError) in
            let unwanted = Set(photos)
            var removed: Set<PhotoID> = []
            try lines.change { lines in
                lines.removeAll { line in
                    guard let id = Self.id(of: line), unwanted.contains(id) else { return false }
                    removed.insert(id)
                    return true
                }
            }
            return removed.count
        }
    }

    private static func photo(in line: Data) -> Photo? {
        try? JSONDecoder().decode(IndexedPhoto.self, from: line).photo
    }

    private static func id(of line: Data) -> PhotoID? { photo(in: line)?.id }

    private static func marks(in lines: [Data], _ file: URL) -> Marks {
        var photos: [Photo] = []
        var seen: Set<PhotoID> = []
        var damaged: [Int] = []
        for (number, line) in lines.enumerated() {
            guard let photo = photo(in: line) else {
                damaged.append(number + 1)
                continue
            }
            if seen.insert(photo.id).inserted { photos.append(photo) }
        }
        return Marks(photos: photos.reversed(), damaged: damaged, path: file.path)
    }
}
