/// Which photos' details are asked for next, many in one request: pure.
struct DetailBatch: Sendable {
    private(set) var known: [PhotoID: PhotoDetail] = [:]
    private(set) var failed: [PhotoID: ServiceError] = [:]
    private var asked: Set<PhotoID> = []

    /// Those of `wanted` to ask for now, the photo looked at first among them; empty for none.
    ///
    /// One batch runs at a time, so that a fast run of key presses asks for where it ends;
    /// only the photo looked at does not wait for others.
    mutating func next(_ wanted: [Photo]) -> [Photo] {
        let open = wanted.filter { known[$0.id] == nil && failed[$0.id] == nil && !asked.contains($0.id) }
        guard let first = open.first, asked.isEmpty || first.id == wanted.first?.id else { return [] }
        asked.formUnion(open.map(\.id))
        return open
    }

    /// The answer about `photos` has come.
    mutating func take(
        _ results: [PhotoID: Result<PhotoDetail, ServiceError>], about photos: [Photo]
    ) {
        for photo in photos {
            asked.remove(photo.id)
            switch results[photo.id] {
            case .success(let detail)?: known[photo.id] = detail
            case .failure(let error)?: failed[photo.id] = error
            case nil: failed[photo.id] = .missing(service: photo.id.service, what: "details of it")
            }
        }
    }

    /// What failed is to be asked for once more.
    mutating func retry(_ photo: PhotoID) { failed[photo] = nil }
}
