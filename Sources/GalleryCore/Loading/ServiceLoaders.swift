import Foundation
import Synchronization

/// A service, and where its API is.
package struct ServiceAddress: Hashable, Sendable {
    /// The word users type, such as `flickr`; several with commas between them.
    package let service: String
    /// The address of its API, or the folder of `folder`, alone or among several; `nil` for the official address.
    package let base: URL?

    package init(service: String, base: URL?) { (self.service, self.base) = (service, base) }

    /// The services, each by its own word.
    package var services: [String] { service.split(separator: ",").map(String.init) }
}

/// One loader for each service, made when first asked for; all share a transport, a cache, and a pace.
package final class ServiceLoaders: Sendable {
    package let catalog: ServiceCatalog
    /// The service that the command is about, and where its API is.
    package let address: ServiceAddress
    private let bases: [String: URL]
    package let noted: NotedFiles
    let client: APIClient
    private let made = Mutex<[String: PhotoLoader]>([:])
    private let renewals = Mutex(Renewals())
    private let freshDetails = RequestCoalescer<PhotoID, PhotoDetail?>()

    /// What is known of an image address that is not as good as when it was requested.
    enum Renewal: Sendable {
        case expirable(ImageOrigin)
        /// It stands in for one that has not been requested.
        case unknown(ImageOrigin)
        /// It had expired, and this request takes its place.
        case renewed(HTTPRequest)
    }

    private struct Renewals {
        /// By the address's hash, as many may be long; seeded per process, so that nobody can construct equal ones.
        var addresses: [Int: Renewal] = [:]
        /// What the services had to say since, `nil` where they no longer know a photo.
        var details: [PhotoID: PhotoDetail?] = [:]

        subscript(address: URL) -> Renewal? {
            get { addresses[address.absoluteString.hashValue] }
            set { addresses[address.absoluteString.hashValue] = newValue }
        }

        /// Keeps what is known of `address`, unless another request has taken its place.
        mutating func note(_ renewal: Renewal?, of address: URL) {
            if case .renewed? = self[address] { return }
            self[address] = renewal
        }
    }

    /// Loaders that send through `client`, each to its own service's pace. `bases` says where the APIs of other
    /// services are, by name, if not at their official addresses; `noted`, what is served besides a folder's files.
    package init(
        _ catalog: ServiceCatalog, at address: ServiceAddress, bases: [String: URL] = [:],
        noted: NotedFiles = NotedFiles(), client: APIClient
    ) {
        (self.catalog, self.noted) = (catalog, noted)
        (self.address, self.bases, self.client) = (address, bases, client)
    }

    /// Loaders that share a client with `loader`, which stays the one of its service.
    convenience init(sharing loader: PhotoLoader) {
        self.init(
            ServiceCatalog(keys: [:]),
            at: ServiceAddress(service: loader.service.name, base: loader.base), client: loader.client)
        made.withLock { $0[loader.service.name] = loader }
    }

    package var transport: any HTTPTransport { client.transport }

    /// The loader of a service; throws ``ServiceError/unsupported(service:what:known:)`` where there is none such.
    package func loader(_ service: String) throws(ServiceError) -> PhotoLoader {
        try made.withLock { made throws(ServiceError) in
            if let loader = made[service] { return loader }
            let base = base(of: service)
            var client = client
            client.policy = catalog.policy(of: service, base: base)
            let asked: any PhotoService =
                if service == Folder.word {
                    Folder(folder: base, noted: noted)
                } else {
                    try catalog.service(named: service, base: base)
                }
            let loader = PhotoLoader(service: asked, client: client, base: base, catalog: catalog)
            made[service] = loader
            return loader
        }
    }

    /// The pictures at paths of files and folders, in their order, which may be read from now on.
    package func pictures(at paths: [String]) -> PhotoList {
        noted.add(paths)
        var client = client
        client.policy = .local
        return .feed(.popular(), PhotoLoader(service: Folder(paths: paths, noted: noted), client: client))
    }

    /// Photos that the program itself has noted: their files may be read from now on.
    package func noted(_ photos: [Photo]) -> PhotoList {
        noted.add(photos.compactMap { $0.ownFile?.path(percentEncoded: false) })
        return .photos(photos)
    }

    /// Where the API of a service is, or the folder of the service `folder`; `nil` for the official address.
    package func base(of service: String) -> URL? {
        let isAddressed =
            service == address.service || service == Folder.word && address.services.contains(service)
        return isAddressed ? address.base : bases[service]
    }

    /// The photo whose page or image this is, of a known site or where a service's API is; `nil` for any other address.
    package func photo(atPage page: URL) -> PhotoID? {
        var bases = bases
        if let base = address.base { bases[address.service] = base }
        return catalog.photo(atPage: page, of: address.service, at: bases)
    }

    /// Tells of what happens on the way to a list.
    package func report(_ event: APIEvent) { client.report(event) }

    /// The details of photos of any services, each with its outcome: a service that cannot be asked fails its own.
    /// With `filesOnly`, only what it takes to know where their files are.
    package func details(of photos: [Photo], filesOnly: Bool = false) async -> DetailResults {
        var results: DetailResults = [:]
        for (service, photos) in Dictionary(grouping: photos, by: \.id.service) {
            do throws(ServiceError) {
                let found = try await loader(service).details(of: photos, filesOnly: filesOnly)
                results.merge(found) { first, _ in first }
            } catch {
                for photo in photos { results[photo.id] = .failure(error) }
            }
        }
        return results
    }

    /// The identifiers among those of `photos` that lists replace by others.
    package func provisional(_ photos: [Photo]) -> Set<PhotoID> {
        // A photo of an unknown service fails where its details are asked for.
        Set(photos.map(\.id).filter { (try? loader($0.service))?.service.isProvisional($0) == true })
    }

    /// The photos whose files of a size only their details name, and those of unknown services.
    package func lacking(_ size: PhotoFileSize, _ photos: [Photo]) -> [Photo] {
        photos.filter { photo in
            switch size {
            case .thumbnail: return false
            case .pixels(let pixels):
                if photo.pageCount == 1, photo.has(longestEdge: pixels) { return false }
            case .full: break
            }
            guard photo.full != nil, let loader = try? loader(photo.id.service) else { return true }
            return loader.service.hasWorksOfSeveralPages
        }
    }

    /// How many photos' details of one service to request together: one request's, or those of all it allows at once.
    package func detailsAtOnce(_ service: String) -> Int {
        guard let loader = try? loader(service) else { return 1 }
        let perRequest = loader.service.detailsPerRequest
        return perRequest > 1 ? perRequest : max(1, loader.client.policy.requestsAtOnce)
    }

    // MARK: - Images

    /// The transport for image files, which renews addresses that have expired.
    package var images: RenewingTransport { RenewingTransport(loaders: self) }

    /// The request for one file of a photo, with the headers that its image host requires. `rendition` is of `page`,
    /// from 0, and was chosen as `size`; `nil` is what it is by its address and its size. An address that is remembered
    /// was not requested by this process and may have expired, as any may once a reply came from the cache.
    package func imageRequest(
        _ rendition: Rendition, of photo: Photo, page: Int = 0, size: PhotoFileSize? = nil,
        isRemembered: Bool = false
    ) throws(ServiceError) -> HTTPRequest {
        let request = try loader(photo.id.service).service.image(rendition)
        if isRemembered || client.shared.hasReused.withLock(\.self) {
            let origin =
                size.map { ImageOrigin(photo: photo.id, size: $0, page: page) }
                ?? ImageOrigin(rendition, of: photo, page: page)
            renewals.withLock { $0.note(.expirable(origin), of: request.url) }
        }
        return request
    }

    /// A request for the file of a page whose address has not been requested. Sending it requests that.
    package func unknownImage(of photo: Photo, page: Int, size: PhotoFileSize) -> HTTPRequest {
        var address = URL(string: "https://unknown.invalid") ?? URL(filePath: "/")
        address.append(
            path: "\(FileName.identifier(photo.id.service))/\(FileName.identifier(photo.id.value))/\(page)")
        let origin = ImageOrigin(photo: photo.id, size: size, page: page)
        renewals.withLock { $0.note(.unknown(origin), of: address) }
        return HTTPRequest(url: address)
    }

    /// What is known of `address`; `nil` where it is as good as when it was requested.
    func renewal(of address: URL) -> Renewal? { renewals.withLock { $0[address] } }

    /// The address has just given its file, or that is there already, so that it need not be renewed.
    func forget(_ address: URL) { renewals.withLock { $0.note(nil, of: address) } }

    /// Requests a photo's details past the cache, once, for the address that takes the place of an expired one; `nil`
    /// where there is none, or it is the same, or the service failed, which it may not do again.
    func renew(_ address: URL, _ origin: ImageOrigin) async -> HTTPRequest? {
        let detail: PhotoDetail?
        do { detail = try await freshDetail(of: origin.photo) } catch { return nil }
        let rendition = detail.flatMap(origin.rendition)
        let request = rendition.flatMap { try? loader(origin.photo.service).service.image($0) }
        return renewals.withLock { renewals in
            renewals[address] = nil
            guard let request, request.url != address else { return nil }
            renewals[address] = .renewed(request)
            return request
        }
    }

    private func freshDetail(of id: PhotoID) async throws -> PhotoDetail? {
        try await freshDetails.value(for: id) {
            if let known = self.renewals.withLock({ $0.details[id] }) { return known }
            var detail: PhotoDetail?
            do throws(ServiceError) {
                let loader = try self.loader(id.service).refreshing
                detail = try await loader.details(of: [Photo(id: id, title: "")], filesOnly: true)[id]?.get()
            } catch {
                guard case .missing = error else { throw error }
            }
            self.renewals.withLock { _ = $0.details.updateValue(detail, forKey: id) }
            return detail
        }
    }
}

extension ServiceCatalog {
    /// A transport for a service's requests and files: the bundled catalog, the folder of `folder`, the `noted` files,
    /// and `web` for what has an http or https address.
    package func transport(
        for address: ServiceAddress, noted: NotedFiles = NotedFiles(), web: any HTTPTransport
    ) -> any HTTPTransport {
        let folder = address.services.contains(Folder.word) ? address.base : nil
        let roots = [sample, folder].compactMap(\.self)
        let files = FileTransport(roots: roots, noted: noted, otherwise: web)
        return FolderTransport(folder: folder, noted: noted, files: files)
    }
}
