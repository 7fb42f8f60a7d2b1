import GalleryCore

/// `--unique` of a list: brings the photos' full files into the cache, as `browse` does, and compares them.
struct ListCopies {
    private let context: Context
    private let loaders: ServiceLoaders
    private let pictures: PictureFolder
    private let comparison = PictureComparison()

    /// Files on their way at once.
    private static let atOnce = 6

    /// A comparison of photos that `loaders` know.
    init(_ context: Context, _ service: ServiceOptions, _ loaders: ServiceLoaders) async throws {
        self.context = context
        self.loaders = loaders
        pictures = context.pictures(through: loaders.images, service)
        await pictures.prepare()
    }

    /// Those of `photos` that are no copies of one before. What cannot be compared stays; a line says why.
    func originals(of photos: [IndexedPhoto]) async throws -> [IndexedPhoto] {
        let details = await loaders.details(of: loaders.lackingFullSizes(photos.map(\.photo)))
        var requests: [[(PhotoID, HTTPRequest)]] = []
        for entry in photos {
            do {
                let detail = try details[entry.photo.id]?.get()
                let photo = detail?.photo ?? entry.photo
                requests.append(
                    try FetchPlan.renditions(photo, detail, .full).map {
                        (photo.id, try loaders.imageRequest($0, of: photo))
                    })
            } catch let error as any ActionableError {
                requests.append([])
                say(error, about: entry)
            }
        }
        let files = await files(of: requests)
        var originals: [IndexedPhoto] = []
        for (entry, outcome) in zip(photos, files) {
            if case .failure(let error) = outcome { say(error, about: entry) }
            let files = (try? outcome.get()) ?? []
            if files.isEmpty {
                originals.append(entry)
            } else if await comparison.take(files) {
                originals.append(entry)
            }
        }
        return originals
    }

    private typealias Files = Result<[DownloadedFile], DownloadError>

    /// The files of each photo, in the order of the photos; a few come at once.
    private func files(of requests: [[(PhotoID, HTTPRequest)]]) async -> [Files] {
        await withTaskGroup(of: (Int, Files).self) { [pictures] group in
            var results = [Files](repeating: .success([]), count: requests.count)
            for (number, requests) in requests.enumerated() {
                if number >= Self.atOnce, let (done, files) = await group.next() { results[done] = files }
                group.addTask { (number, await Self.files(requests, pictures)) }
            }
            for await (done, files) in group { results[done] = files }
            return results
        }
    }

    /// Never part of the task's closure above: Swift 6.3.1, optimising, gives a wrong number back with a
    /// result that typed throws make there.
    private static func files(
        _ requests: [(PhotoID, HTTPRequest)], _ pictures: PictureFolder
    ) async -> Files {
        var files: [DownloadedFile] = []
        do throws(DownloadError) {
            for (photo, request) in requests {
                files.append(try await pictures.file(of: photo, request))
            }
        } catch {
            return .failure(error)
        }
        return .success(files)
    }

    private func say(_ error: any ActionableError, about entry: IndexedPhoto) {
        context.terminal.message(
            "Warning: \(entry.label) could not be compared. \(PlainText.line(error.description))")
    }
}

extension FilterRun {
    /// Those of `photos` that pass and, where `copies` are looked for, are none, up to the limit.
    mutating func passing(
        _ photos: [IndexedPhoto], without copies: ListCopies?
    ) async throws -> [IndexedPhoto] {
        guard let copies else { return passing(photos) }
        var originals: [IndexedPhoto] = []
        var rest = photos[...]
        while !isFull, !rest.isEmpty {
            var more: [IndexedPhoto] = []
            while !isFull, let photo = rest.popFirst() {
                if passes(photo.photo) { more.append(photo) }
            }
            let found = try await copies.originals(of: more)
            leaveOut(copies: more.count - found.count)
            originals += found
        }
        return originals
    }
}
