import Foundation
import PictureFiles

/// What a run that was killed, or lost power, leaves in a folder: parts from which nothing goes on, notes on parts that
/// are gone, and drafts. Only what is this program's own, and nobody holds.
struct Leftovers {
    private let folder: DestinationFolder
    private let manifest: Manifest

    init(in folder: DownloadFolder) { (self.folder, manifest) = (folder.folder, folder.manifest) }

    /// What the end of a name says that a file is; a draft is of the file with that path.
    enum Kind: Hashable {
        case part, note, draft(of: String)

        static let endings = [".part", ".part.json", FileDraft.suffix]

        init?(path: String) {
            if path.hasSuffix(".part") {
                self = .part
            } else if path.hasSuffix(".part.json") {
                self = .note
            } else if let name = FileDraft.name(of: path) {
                self = .draft(of: name)
            } else {
                return nil
            }
        }
    }

    /// Removes them. Blocks.
    func clear() {
        folder.forEachFile(endingIn: Kind.endings) { path, status in
            guard let kind = Kind(path: path), let file = folder.existingDestination(for: path) else {
                return
            }
            switch kind {
            case .part: clearPart(path, status)
            case .note: clearNote(path, file)
            case .draft(let name): if isOwn(name) { FileDraft.clear(file.leaf, in: file.folder) }
            }
        }
        let hidden = try? SystemCall.names(in: folder.root) { name, _ in
            FileDraft.name(of: name)?.hasPrefix(Manifest.name) == true
        }
        for name in hidden ?? [] { FileDraft.clear(name, in: folder.root) }
    }

    private func clearPart(_ path: String, _ status: stat) {
        guard let destination = folder.existingDestination(for: String(path.dropLast(5))),
            PartMark.isOn(status, of: destination.part), PartNote(of: destination) == nil,
            let part = try? PartFile.open(destination)
        else { return }
        // Whoever held it may have gone on with it.
        if let now = try? SystemCall.status(of: part.file), PartMark.isOn(now, of: part.destination.part),
            PartNote(of: part.destination) == nil
        {
            part.discard()
        }
    }

    private func clearNote(_ path: String, _ file: Destination) {
        guard let part = folder.existingDestination(for: String(path.dropLast(10))),
            PartNote(of: part) != nil, (try? SystemCall.status(of: part.part, in: part.folder) == nil) == true
        else { return }
        try? SystemCall.remove(file.leaf, from: file.folder)
    }

    private func isOwn(_ path: String) -> Bool {
        guard let dot = path.lastIndex(of: "."), [".json", XMPSidecar.ending].contains(String(path[dot...]))
        else { return false }
        let picture = String(path[..<dot])
        let names = [picture] + PictureType.allCases.map { picture + "." + $0.fileExtension }
        return names.contains { (try? manifest.entry(for: $0)) ?? nil != nil }
    }
}

/// Says of a part without a note that it is this program's: a time of modification whose fraction is made of the part's
/// name and length. A note would take as long as a small photo.
enum PartMark {
    static func put(on file: Descriptor, of name: String, length: Int64) {
        // A file system that has no such times has parts that stay until somebody removes them.
        try? SystemCall.setModified(of: file, microseconds: microseconds(name, length))
    }

    static func isOn(_ status: stat, of name: String) -> Bool {
        status.isRegular && status.modified.tv_nsec == microseconds(name, status.length) * 1000
    }

    private static func microseconds(_ name: String, _ length: Int64) -> Int {
        Int(Digest.hash(Array("\(length) \(name)".utf8)) % 1_000_000)
    }
}
