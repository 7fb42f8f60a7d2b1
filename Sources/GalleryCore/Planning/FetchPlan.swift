import Foundation
import Synchronization

/// Files to download and the names they get: everything known before their first bytes move.
package struct FetchPlan: Sendable {
    package struct File: Sendable {
        package let entry: IndexedPhoto
        /// The photo's details, where they were requested.
        package let detail: PhotoDetail?
        /// Where the file is, as the service spells it.
        package let address: URL
        package let item: DownloadItem
        /// The file as the service describes it; `nil` where it has not been asked.
        package let rendition: Rendition?

        package init(
            entry: IndexedPhoto, detail: PhotoDetail?, address: URL, item: DownloadItem,
            rendition: Rendition? = nil
        ) {
            (self.entry, self.detail, self.address) = (entry, detail, address)
            (self.item, self.rendition) = (item, rendition)
        }

        package var label: String { entry.label }

        /// The photo's title, or its label where it has none. Untrusted text.
        package var title: String { entry.photo.title.isEmpty ? label : entry.photo.title }
    }

    /// The files, in the order of their photos and of the pages in them.
    package var files: [File] = []
    /// What was selected and gives no file.
    package var failures: [ResolvedPhotos.Failure] = []

    package init(files: [File] = [], failures: [ResolvedPhotos.Failure] = []) {
        (self.files, self.failures) = (files, failures)
    }

    /// The files of a photo in one size, in the order of its pages, each followed by those that stand in for it; throws
    /// ``ServiceError/noFile(service:size:)`` where there is none.
    package static func renditions(
        _ photo: Photo, _ detail: PhotoDetail?, _ size: PhotoFileSize,
        by ladders: (PhotoDetail, PhotoFileSize) -> [[Rendition]] = { $0.ladders($1) }
    ) throws(ServiceError) -> [[Rendition]] {
        let files = ladders(detail ?? PhotoDetail(photo: photo), size).filter { !$0.isEmpty }
        guard !files.isEmpty else { throw .noFile(service: photo.id.service, size: size) }
        return files
    }
}

/// Plans the files of photos, one batch after the other: earlier photos get their names first.
package final class FetchPlanner: Sendable {
    package struct Options: Sendable {
        package var template: NameTemplate
        package var size = PhotoFileSize.full
        /// The files in that size, each followed by those that stand in for it.
        package var ladders: @Sendable (PhotoDetail, PhotoFileSize) -> [[Rendition]] = { $0.ladders($1) }
        /// Whether each photo's metadata is written beside its file.
        package var writesMetadata = false
        /// Whether files get the dates of their photos.
        package var setsTimes = false
        /// Whether photos that the folder has ever had are left out.
        package var isOnlyNew = false
        /// Photos that it has are left out, whichever folder they are in; `nil` for none.
        package var archive: DownloadArchive?
        /// Whether nothing but files is wanted of photos that a list has described.
        package var wantsFilesOnly = false
        /// Whether to request no details of photos whose files the folder has, unless one proves to be damaged.
        package var trustsManifest = false

        /// Full sizes, named by `template`.
        package init(named template: NameTemplate) { self.template = template }
    }

    private struct State {
        /// Its history is of the photos to leave out.
        var record: FolderRecord
        var known = 0
        var count = 0
    }

    package let options: Options
    private let loaders: ServiceLoaders
    private let folder: URL?
    private let state: Mutex<State>

    private var wantsFilesOnly: Bool { options.wantsFilesOnly && !options.writesMetadata }

    /// A planner for `folder`, where names that its manifest has given away stay taken; `nil` if names do not matter.
    package init(
        into folder: TargetFolder?, _ options: Options, loaders: ServiceLoaders
    ) async throws(DownloadError) {
        (self.options, self.loaders, self.folder) = (options, loaders, folder?.url)
        let looksForFiles =
            options.trustsManifest && options.size != .thumbnail && !options.writesMetadata
            && !loaders.client.configuration.refreshes
        let record = try await Disk.run { () throws(DownloadError) in
            var record = try FolderRecord(
                of: folder?.existing(), named: options.template, size: options.size,
                looksForFiles: looksForFiles)
            if !options.isOnlyNew { record.history = DownloadHistory() }
            try options.archive?.add(to: &record.history, options.size)
            return record
        }
        state = Mutex(State(record: record))
    }

    /// How many photos were left out because the folder, or the archive, has had them.
    package var known: Int { state.withLock(\.known) }

    /// The end of the last run that came to the end of a feed, if there was one.
    package func end(of feed: String) -> CompleteEntry? { state.withLock { $0.record.completed[feed] } }

    /// When a feed was last gone through to its end, as far as that is known.
    package func walk(through feed: String) -> WalkEntry? { state.withLock { $0.record.walks[feed] } }

    /// The number of the day.
    package var today: Int { loaders.client.shared.timekeeper.day }

    /// Takes the leading photos out of `pending` that can be planned together: those that need no details, or
    /// those whose details are requested at once. So the first files are known after one request for details.
    package func nextPart(of pending: inout ResolvedPhotos) -> ResolvedPhotos {
        /// The service to ask for details; `nil` where none are needed.
        func asked(_ entry: IndexedPhoto) -> String? {
            needsDetails(entry, pending) ? entry.photo.id.service : nil
        }
        let service = pending.photos.first.flatMap(asked)
        let room = service.map(loaders.detailsAtOnce) ?? .max
        let count = pending.photos.prefix { asked($0) == service }.count
        var part = pending
        part.photos = Array(pending.photos.prefix(min(count, room)))
        pending.photos.removeFirst(part.photos.count)
        pending.failures = []
        return part
    }

    /// Whether the photo's files cannot be planned without details that have to be requested.
    package func needsDetails(_ entry: IndexedPhoto, _ resolved: ResolvedPhotos) -> Bool {
        guard options.size != .thumbnail else { return false }
        let photo = entry.photo
        if loaders.client.configuration.refreshes, resolved.remembered.contains(photo.id) { return true }
        guard resolved.details[photo.id] == nil else { return false }
        return !loaders.lacking(options.size, [photo]).isEmpty && !isPresent(entry)
    }

    private func isPresent(_ entry: IndexedPhoto) -> Bool {
        state.withLock { state in
            state.record.present.contains(entry.photo)
                && state.record.names.areRecorded(
                    entry.photo, index: entry.index, pages: Array(0..<max(1, entry.photo.pageCount)))
        }
    }

    /// The files of `resolved`. Requests the details that they need, together.
    package func plan(_ resolved: ResolvedPhotos) async throws -> FetchPlan {
        var details = resolved.details.mapValues(Result<PhotoDetail, ServiceError>.success)
        let unknown = resolved.photos.filter { needsDetails($0, resolved) }.map(\.photo)
        // Without a title, nothing but the identifier may be known.
        let described = unknown.filter { wantsFilesOnly && !$0.title.isEmpty }
        details.merge(await loaders.details(of: described, filesOnly: true)) { _, asked in asked }
        let rest = unknown.filter { !wantsFilesOnly || $0.title.isEmpty }
        details.merge(await loaders.details(of: rest)) { _, asked in asked }
        let asked = Set(unknown.map(\.id))
        let faults = await faults(of: resolved.photos.compactMap(\.photo.ownFile))
        var plan = FetchPlan(failures: resolved.failures)
        for entry in resolved.photos {
            do {
                if let fault = entry.photo.ownFile.flatMap({ faults[$0] }) { throw fault }
                let detail = try details[entry.photo.id]?.get()
                let known = IndexedPhoto(index: entry.index, photo: detail?.photo ?? entry.photo)
                plan.files += try files(
                    known, detail, isNamed: resolved.named.contains(entry.photo.id),
                    isRemembered: resolved.remembered.contains(entry.photo.id)
                        && !asked.contains(entry.photo.id))
            } catch let error as any ActionableError {
                plan.failures.append(.init(entry, error))
            }
        }
        return plan
    }

    /// Why files of this machine cannot be copied: they are gone, or in the very folder.
    private func faults(of files: [URL]) async -> [URL: any ActionableError] {
        guard !files.isEmpty else { return [:] }
        return await Disk.run { [folder] in
            let own = folder.map { FolderReader.path(of: $0) }
            let places = [own, own.flatMap { FolderScan.resolve($0) }]
            var faults: [URL: any ActionableError] = [:]
            for file in files {
                let path = file.path(percentEncoded: false)
                if places.contains(String(path.dropLast(FolderFile.name(path).count + 1))) {
                    faults[file] = DownloadError.ownFolder(path: PlainText.line(path))
                } else if access(path, F_OK) != 0 {
                    faults[file] = ServiceError.missing(
                        service: Folder.word, what: "file '\(PlainText.line(path))'")
                }
            }
            return faults
        }
    }

    /// The photos of `selected` that neither the archive nor, if only new ones are wanted, the folder has had.
    package func withoutKnown(_ selected: ResolvedPhotos) -> ResolvedPhotos {
        guard options.isOnlyNew || options.archive != nil else { return selected }
        var resolved = selected
        state.withLock { state in
            resolved.photos.removeAll { state.record.history.contains($0.photo) }
            state.known += selected.photos.count - resolved.photos.count
        }
        return resolved
    }

    private func files(
        _ entry: IndexedPhoto, _ detail: PhotoDetail?, isNamed: Bool, isRemembered: Bool
    ) throws -> [FetchPlan.File] {
        let requests: [HTTPRequest]
        var renditions: [[Rendition]] = []
        if detail == nil, !loaders.lacking(options.size, [entry.photo]).isEmpty, isPresent(entry) {
            requests = (0..<max(1, entry.photo.pageCount)).map {
                loaders.unknownImage(of: entry.photo, page: $0, size: options.size)
            }
        } else {
            renditions = try FetchPlan.renditions(entry.photo, detail, options.size, by: options.ladders)
            requests = try renditions.enumerated().map { page, files in
                try loaders.imageRequest(
                    files[0], of: entry.photo, page: page, size: options.size, isRemembered: isRemembered)
            }
        }
        // Everything known of the photo, as one line.
        let json = options.writesMetadata ? detail.map { entry.json(with: $0) } ?? entry.json : nil
        let metadata = json.map { Data(($0.text + "\n").utf8) }
        // A picture that is named by its path can be found again by its folder.
        let isByPath = entry.photo.id.value.hasPrefix("/")
        let parent = isByPath ? entry.photo.ownFile?.deletingLastPathComponent() : nil
        let date = options.setsTimes ? entry.photo.taken ?? entry.photo.published : nil
        let (names, first) = state.withLock { state in
            let names = state.record.names.names(
                of: entry.photo, index: entry.index, pages: Array(requests.indices))
            defer { state.count += names.count }
            return (names, state.count)
        }
        return try names.enumerated().map { page, name in
            var item = DownloadItem(
                number: first + page, index: entry.index, photo: entry.photo.id, page: page,
                size: options.size,
                source: requests[page], name: name.path, isNameUnique: name.isUnique, isNamed: isNamed,
                metadata: metadata, date: date, base: parent ?? loaders.base(of: entry.photo.id.service))
            let files = renditions.indices.contains(page) ? renditions[page] : []
            try item.stand(in: files.dropFirst(), of: entry.photo, loaders, isRemembered: isRemembered)
            return FetchPlan.File(
                entry: entry, detail: detail, address: requests[page].url, item: item, rendition: files.first)
        }
    }
}

extension DownloadItem {
    /// Lets `files` of `photo` stand in for its own, in turn, where that is not there.
    package mutating func stand(
        in files: ArraySlice<Rendition>, of photo: Photo, _ loaders: ServiceLoaders,
        isRemembered: Bool = false
    ) throws(ServiceError) {
        for file in files {
            var other = self
            other.source = try loaders.imageRequest(file, of: photo, page: page, isRemembered: isRemembered)
            (other.standIns, other.standIn) = ([], PartNote.source(of: other))
            standIns.append(other)
        }
    }
}
