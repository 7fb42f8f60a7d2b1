import Foundation
import GalleryCore
import PictureFiles

/// Checks the downloaded files of a folder against its manifest.
package struct FolderCheck: Sendable {
    package struct Finding: Hashable, Sendable {
        package enum State: Hashable, Sendable {
            /// It is byte for byte as it was downloaded.
            case whole
            /// It is a complete picture, and not the one that was downloaded: its owner has changed it.
            case changed
            /// It is the same, and nobody has written to it; the reason completes "The file is damaged: …".
            case damaged(String)
            /// It is no complete picture; the reason completes "The file is broken: …".
            case broken(String)
            case missing
            /// It is under another name by now, which the manifest has taken over.
            case moved(to: String)
            /// Incomplete as recorded, since its host has no more; the reason completes "The file is incomplete: …".
            case incomplete(String)
        }

        package let entry: ManifestEntry
        package let state: State
    }

    private let manifest: Manifest
    private let folder: DestinationFolder

    /// Throws ``DownloadError/cannotCreate(path:reason:code:)`` if the folder is not there, or cannot be opened.
    package init(of target: TargetFolder) throws(DownloadError) {
        guard let opened = try target.existing() else {
            let path = PlainText.line(target.url.path(percentEncoded: false))
            throw .cannotCreate(path: path, reason: SystemCall.Failure(code: ENOENT).reason, code: ENOENT)
        }
        folder = opened.folder
        manifest = opened.manifest
    }

    /// Whether the folder has a manifest. Blocks briefly.
    package var hasManifest: Bool {
        (try? SystemCall.status(of: Manifest.name, in: folder.root))?.isRegular ?? false
    }

    /// Calls `body` with the state of every file in the manifest, in the order they were added, one at a time.
    package func forEachFinding(_ body: (Finding) throws -> Void) async throws {
        let (manifest, folder) = (manifest, folder)
        var strays: Strays?
        var lines = try await Disk.run { () throws(DownloadError) in try manifest.lines() }
        while true {
            let next: Finding?
            (next, lines) = try await Disk.run { [lines] () throws(DownloadError) in
                var lines = lines
                return (try Self.next(in: &lines, manifest, folder), lines)
            }
            guard var finding = next else { break }
            if finding.state == .missing {
                let path: String?
                (path, strays) = await Disk.run { [strays, finding] in
                    var strays = strays ?? Strays(in: folder, manifest)
                    return (strays.takeOver(finding.entry, in: folder, manifest), strays)
                }
                if let path { finding = Finding(entry: finding.entry, state: .moved(to: path)) }
            }
            try body(finding)
        }
    }

    /// The state of the next file among `lines`; `nil` after the last.
    private static func next(
        in lines: inout ManifestLines, _ manifest: Manifest, _ folder: DestinationFolder
    ) throws(DownloadError) -> Finding? {
        while let line = try lines.next() {
            guard let entry = ManifestEntry(line: line.text),
                try manifest.last(ForgottenEntry.self, about: entry.file, from: line.offset) == nil
            else { continue }
            let state = state(of: entry, in: folder)
            if state == .missing, try successor(of: entry, in: manifest, after: line.offset) != nil {
                continue
            }
            return Finding(entry: entry, state: state)
        }
        return nil
    }

    /// The files below a folder that are none of the manifest's, of which some may be under another name.
    private struct Strays: Sendable {
        private var unread: [Int64: [String]]
        private var read: [UniqueFiles.Fingerprint: [String]] = [:]

        init(in folder: DestinationFolder, _ manifest: Manifest) {
            var listed: Set<String> = []
            var lines = try? manifest.lines()
            while let line = (try? lines?.next()) ?? nil {
                if let entry = ManifestEntry(line: line.text) {
                    listed.insert(entry.file)
                } else if let entry = ForgottenEntry(line: line.text) {
                    listed.remove(entry.forgotten)
                }
            }
            var unread: [Int64: [String]] = [:]
            folder.forEachFile { path, status in
                guard !listed.contains(path), !path.hasSuffix(".part") else { return }
                unread[status.length, default: []].append(path)
            }
            self.unread = unread
        }

        /// Lets the manifest follow the file of `entry` to another name, if there is one with its bytes.
        mutating func takeOver(
            _ entry: ManifestEntry, in folder: DestinationFolder, _ manifest: Manifest
        ) -> String? {
            guard let digest = entry.digest else { return nil }
            for path in unread.removeValue(forKey: entry.bytes) ?? [] {
                guard let file = (try? folder.open(path)) ?? nil,
                    let digest = try? Digest.text(of: file, length: entry.bytes)
                else { continue }
                read[.init(bytes: entry.bytes, digest: digest), default: []].append(path)
            }
            guard let path = read[.init(bytes: entry.bytes, digest: digest)]?.popLast() else { return nil }
            var moved = entry
            moved.file = path
            // Should this fail, the next check finds it again.
            try? manifest.add(moved)
            try? manifest.add(ForgottenEntry(forgotten: entry.file))
            return path
        }
    }

    /// Makes later checks pass over files that are missing, until they are downloaded again.
    package func forget(_ missing: [ManifestEntry]) async throws(DownloadError) {
        try await Disk.run { [manifest] () throws(DownloadError) in
            for entry in missing { try manifest.add(ForgottenEntry(forgotten: entry.file)) }
        }
    }

    /// The parts to which nobody has written for thirty days, of photos that are not fetched any more: with our notes,
    /// since other programs have files of such names too.
    package func oldParts(removing: Bool) async -> [String] {
        await Disk.run { [folder] in
            var parts: [String] = []
            folder.forEachFile(endingIn: [".part"]) { path, status in
                guard status.lastModified < Date() - 30 * 86_400,
                    let destination = folder.existingDestination(for: String(path.dropLast(5))),
                    PartNote(of: destination) != nil
                else { return }
                if removing { try? PartFile.open(destination)?.discard() }
                parts.append(path)
            }
            return parts
        }
    }

    /// Removes broken files since downloaded again as pictures of another type: nothing else would ever replace them.
    package func removeReplaced(_ entries: [ManifestEntry]) async throws(DownloadError) {
        let (manifest, folder, broken) = (manifest, folder, Set(entries))
        try await Disk.run { () throws(DownloadError) in
            var lines = try manifest.lines()
            while let line = try lines.next() {
                guard let entry = ManifestEntry(line: line.text), broken.contains(entry),
                    let later = try Self.successor(of: entry, in: manifest, after: line.offset)
                else { continue }
                switch Self.state(of: later, in: folder) {
                case .broken, .damaged, .missing, .moved: continue
                case .whole, .changed, .incomplete: break
                }
                let file = try folder.destination(for: entry.file)
                // If this fails, the next check finds it again.
                try? SystemCall.remove(file.leaf, from: file.folder)
            }
        }
    }

    /// The later entry of the same file as a picture of another type, which gave it another extension.
    private static func successor(
        of entry: ManifestEntry, in manifest: Manifest, after offset: Int64
    ) throws(DownloadError) -> ManifestEntry? {
        let extensions = PictureType.allCases.map(\.fileExtension)
        guard let own = extensions.first(where: { entry.file.hasSuffix("." + $0) }) else { return nil }
        for other in extensions where other != own {
            let name = entry.file.dropLast(own.count) + other
            guard let later = try manifest.entry(for: String(name), from: offset) else { continue }
            if (later.photo, later.page, later.size) == (entry.photo, entry.page, entry.size) { return later }
        }
        return nil
    }

    private static func state(of entry: ManifestEntry, in folder: DestinationFolder) -> Finding.State {
        do throws(SystemCall.Failure) {
            guard let file = try folder.open(entry.file) else { return .missing }
            let status = try SystemCall.status(of: file)
            guard status.isRegular else { return .broken("it is not a file") }
            let found = try? PictureFile.examine(
                descriptor: file.number, length: status.length, named: entry.file)
            var difference: String?
            if status.length != entry.bytes {
                difference = "it has \(status.length) of \(entry.bytes) bytes"
            } else if let digest = entry.digest, try Digest.text(of: file, length: entry.bytes) != digest {
                difference = "its bytes have changed"
            }
            switch found {
            case .whole:
                guard let difference else { return .whole }
                return entry.isUntouched(status) ? .damaged(difference) : .changed
            case _? where difference != nil: return .broken(difference ?? "")
            case .damaged(let reason): return entry.missing == nil ? .broken(reason) : .incomplete(reason)
            case .notAPicture(let found): return .broken("it is \(found)")
            case nil: return .broken("it could not be read")
            }
        } catch { return .broken(error.reason) }
    }
}
