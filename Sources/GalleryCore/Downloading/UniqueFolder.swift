import Foundation
import Synchronization

/// A shelf that has files with the same bytes once: the first of the batch, or one that stood there before.
///
/// Asked in the order of the batch, so that it is the same file on every run, whichever came first.
final class UniqueFolder: Sendable {
    private let shelf: DownloadFolder
    private let files: Mutex<UniqueFiles>

    /// Takes in what the record of `shelf` knows.
    init(_ shelf: DownloadFolder) throws(DownloadError) {
        self.shelf = shelf
        var files = UniqueFiles()
        for place in try shelf.record.places() {
            guard let entry = try shelf.record.entry(at: place), let digest = entry.digest else { continue }
            files.note(standing: entry.file, .init(bytes: entry.bytes, digest: digest))
        }
        self.files = Mutex(files)
    }

    /// The file for which `item` was left out by an earlier run, where that still stands.
    func twinOfLastTime(_ item: DownloadItem, at place: Destination) throws(DownloadError) -> URL? {
        guard !item.isNamed, let left = try shelf.record.leftOut(item),
            let entry = try shelf.record.entry(for: left.sameAs),
            entry.bytes == left.bytes, entry.digest == left.digest,
            open(left.sameAs, length: left.bytes) != nil
        else { return nil }
        // What else is there of the photo was left by a run that was ended.
        if try shelf.own(item, at: place) != .nothing { return nil }
        if (try? SystemCall.status(of: place.part, in: place.folder)) != nil {
            try PartFile.open(place)?.discard()
        }
        return shelf.folder.url.appending(path: left.sameAs)
    }

    /// What becomes of a file that is there already.
    func take(_ file: DownloadedFile, for item: DownloadItem, at place: Destination) -> ItemEnd {
        let path = place.relative(file.url.lastPathComponent)
        guard let own = open(path, length: file.bytes),
            let digest = file.digest ?? (try? Digest.text(of: own, length: file.bytes))
        else { return .taken(file) }
        let print = UniqueFiles.Print(bytes: file.bytes, digest: digest)
        if let twin = twin(of: print, own, for: item, own: .whole) { return .leftOut(sameAs: url(twin)) }
        files.withLock { $0.take(path, print) }
        return .taken(file)
    }

    /// What becomes of a file that has come.
    func put(_ arrival: DownloadFolder.Arrival, overwrites: Bool) throws(DownloadError) -> ItemEnd {
        let (item, part, place) = (arrival.item, arrival.part, arrival.part.place)
        let print = arrival.digest.map { UniqueFiles.Print(bytes: arrival.length, digest: $0) }
        if let print, let twin = twin(of: print, part.file, for: item, own: try shelf.own(item, at: place)) {
            // In this order: where the record says so, nothing of the file is there.
            part.discard()
            // Forgotten, it costs the next run a transfer, no more.
            try? shelf.record.add(OmittedEntry(item, sameAs: twin, print).line)
            return .leftOut(sameAs: url(twin))
        }
        let file = try shelf.put(arrival, overwrites: overwrites)
        if let print { files.withLock { $0.take(place.relative(file.url.lastPathComponent), print) } }
        return .taken(file)
    }

    private func twin(
        of print: UniqueFiles.Print, _ file: Descriptor, for item: DownloadItem, own: UniqueFiles.Own
    ) -> String? {
        let files = files.withLock { $0 }
        return files.twin(of: print, isNamed: item.isNamed, own: own) { path in
            guard let other = open(path, length: print.bytes) else { return false }
            return (try? SystemCall.isSame(file, other, length: print.bytes)) == true
        }
    }

    /// A file of the folder, where it is one of this length.
    private func open(_ path: String, length: Int64) -> Descriptor? {
        guard let file = try? shelf.folder.open(path), let status = try? SystemCall.status(of: file),
            status.isRegular, status.length == length
        else { return nil }
        return file
    }

    private func url(_ path: String) -> URL { shelf.folder.url.appending(path: path) }
}

extension SystemCall {
    /// Whether the first `length` bytes of two files are the same; reads a stretch at a time.
    static func isSame(_ one: Descriptor, _ other: Descriptor, length: Int64) throws(Failure) -> Bool {
        var position: Int64 = 0
        while position < length {
            let count = Int(min(262_144, length - position))
            let bytes = try read(one, at: position, count: count)
            guard bytes.count == count, try read(other, at: position, count: count) == bytes else {
                return false
            }
            position += Int64(count)
        }
        return true
    }
}
