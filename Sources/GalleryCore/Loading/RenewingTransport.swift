/// Which file of which photo an image address belongs to, so that it can be asked for anew.
struct ImageOrigin: Hashable, Sendable {
    let photo: PhotoID
    let size: PhotoFileSize
    /// The page of a work, from 0.
    var page = 0

    /// The same file, as `detail` names it.
    func rendition(in detail: PhotoDetail) -> Rendition? {
        let files = detail.renditions(size)
        return files.indices.contains(page) ? files[page] : nil
    }
}

extension ImageOrigin {
    /// The origin of `rendition`, which is page `page` of `photo` unless it is one of its small files.
    init(_ rendition: Rendition, of photo: Photo, page: Int) {
        let size: PhotoFileSize =
            switch rendition.url {
            case photo.full?.url: .full
            case photo.thumbnail?.url: .thumbnail
            default: rendition.size.map { .pixels($0.longestEdge) } ?? .full
            }
        self.init(photo: photo.id, size: size, page: size == .thumbnail ? 0 : page)
    }
}

/// Sends image requests, and renews addresses that have expired: image hosts sign them for hours.
///
/// Where a host answers 401, 403, 404, or 410 for an address that was not requested just now, the photo's details
/// are requested once, past the cache, and the new address is tried. What that gives is final.
package struct RenewingTransport: HTTPTransport {
    let loaders: ServiceLoaders

    /// Statuses by which hosts refuse an address that has expired.
    static let statuses: Set<Int> = [401, 403, 404, 410]

    package func forget(_ request: HTTPRequest) { loaders.forget(request.url) }

    package func send(
        _ request: HTTPRequest, idleTimeout: Int, to sink: some BodySink
    ) async throws(TransportError) -> HTTPHead {
        switch loaders.renewal(of: request.url) {
        // Renewed, perhaps, while this request waited for its host.
        case .expirable, .renewed: break
        case .unknown, nil:
            return try await loaders.transport.send(request, idleTimeout: idleTimeout, to: sink)
        }
        let head = try await loaders.transport.send(
            request, idleTimeout: idleTimeout, to: ExpirySink(sink: sink))
        // Of a hundred thousand files only those to come are known.
        if head.status < 300 { loaders.forget(request.url) }
        return head
    }

    package func current(_ request: HTTPRequest) async throws(TransportError) -> HTTPRequest {
        switch loaders.renewal(of: request.url) {
        case .expirable, nil: return request
        case .renewed(let fresh): return request.sent(to: fresh)
        case .unknown(let origin):
            if let fresh = await loaders.renew(request.url, origin) { return request.sent(to: fresh) }
            throw .rejected(
                ServiceError.missing(
                    service: origin.photo.service,
                    what: "file of photo \(PlainText.excerpt(origin.photo.value))"))
        }
    }

    package func renewed(_ request: HTTPRequest) async -> HTTPRequest? {
        switch loaders.renewal(of: request.url) {
        case .expirable(let origin): await loaders.renew(request.url, origin).map(request.sent)
        case .renewed(let fresh): request.sent(to: fresh)
        case .unknown, nil: nil
        }
    }
}

extension HTTPRequest {
    /// This request with the address and headers of `fresh`; headers that only this one has, such as a range, stay.
    fileprivate func sent(to fresh: HTTPRequest) -> HTTPRequest {
        var request = fresh
        request.headers.merge(headers) { fresh, _ in fresh }
        return request
    }
}

/// Refuses replies that say an address has expired, and passes the others on.
private struct ExpirySink<Sink: BodySink>: BodySink {
    let sink: Sink

    func begin(_ head: HTTPHead) throws {
        guard !RenewingTransport.statuses.contains(head.status) else { throw ExpiredAddress(head: head) }
        try sink.begin(head)
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws { try sink.receive(bytes) }
}
