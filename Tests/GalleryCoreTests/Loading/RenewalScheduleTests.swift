import Foundation
import GalleryTestSupport
import Synchronization
import Testing

@testable import GalleryCore

/// Files whose addresses have expired, of a host that has the API too, and that asks to wait now and then: whoever
/// holds a place on it must not wait for one who needs a place on it.
@Suite(.fewAtOnce, .timeLimit(.minutes(10))) struct RenewalScheduleTests {
    /// What the host does with a request.
    private enum Turn: CaseIterable {
        case answer, askToWait, refuse
    }

    /// A host in memory: the first requests are answered by a script, all others as they should be.
    private final class Host: HTTPTransport {
        private let script: Mutex<ArraySlice<Turn>>
        let requests = Counter()

        init(_ script: [Turn]) {
            self.script = Mutex(script[...])
        }

        func send(
            _ request: HTTPRequest, idleTimeout: Int, to sink: some BodySink
        ) async throws(TransportError) -> HTTPHead {
            // Others get their chance to come before the reply, and after it.
            for _ in 0...requests.increment() % 3 { await Task.yield() }
            let (status, fields, body) = reply(to: request.url.path)
            let head = HTTPHead(status: status, url: request.url, headers: fields)
            do {
                try sink.begin(head)
                try Array(body).withUnsafeBytes { try sink.receive($0) }
            } catch {
                throw .rejected(error)
            }
            return head
        }

        private func reply(to path: String) -> (Int, [String: String], Data) {
            switch script.withLock({ $0.popFirst() }) {
            case .askToWait: return (429, ["Retry-After": "1"], Data())
            case .refuse: return (503, [:], Data())
            case .answer, nil: break
            }
            let number = path.split(separator: "/").last ?? ""
            if path.hasPrefix("/new") { return (200, [:], RenewalScheduleTests.picture) }
            guard path.hasPrefix("/v1/photos") else { return (403, [:], Data()) }
            let json =
                #"{"photo":{"id":\#(number),"name":"N","width":4,"height":3,"user":{"id":7,"username":"a"},"#
                + #""images":[{"size":2048,"url":"http://\#(number == "3" ? "i" : "h")/new/\#(number)"}]},"comments":[]}"#
            return (200, [:], Data(json.utf8))
        }
    }

    private static let picture = Pictures.jpeg(bytes: 500)

    private static func scripts(_ length: Int) -> [[Turn]] {
        length == 0 ? [[]] : scripts(length - 1).flatMap { script in Turn.allCases.map { script + [$0] } }
    }

    /// Fetches three files, as `fetch` does, while somebody looks at the first; returns what became of each.
    private func fetch(_ script: [Turn], jobs: Int) async throws -> [String] {
        let keeper = Timekeeper(clock: TestClock.skipping(), chance: { 0.5 })
        let client = APIClient(transport: Host(script), shared: APIClient.Shared(timekeeper: keeper))
        let loaders = ServiceLoaders(
            ServiceCatalog(
                keys: ["500px": Secret("key")].compactMapValues(\.self), sample: URL(filePath: "/")),
            at: ServiceAddress(service: "500px", base: URL(string: "http://h/v1")), client: client)
        let items = try (1...3).map { number in
            let id = PhotoID(service: "500px", value: "\(number)")
            let old = Rendition(url: try #require(URL(string: "http://h/old/\(number)")), size: nil)
            let photo = Photo(id: id, title: "", full: old)
            return DownloadItem(
                number: number, photo: id,
                source: try loaders.imageRequest(old, of: photo, isRemembered: true),
                name: "\(number)", isNameUnique: true)
        }
        func downloader(_ transport: any HTTPTransport) -> Downloader {
            var configuration = Downloader.Configuration()
            configuration.jobs = jobs
            return Downloader(
                transport: transport, configuration: configuration, paces: client.shared.paces,
                timekeeper: keeper)
        }
        return try await withTemporaryDirectory { folder in
            let pictures = PictureFolder(
                folder.appending(path: "viewed"), downloader: downloader(loaders.images))
            await pictures.prepare()
            let transport = KeptPictureTransport(pictures, otherwise: loaders.images)
            let (photo, source) = (items[0].photo, items[0].source)
            async let viewed = pictures.file(of: photo, source)
            let result = await collect(
                downloader(transport).fetch(items, into: folder.appending(path: "fetched")))
            var outcomes = (1...3).map(result.outcome)
            do { outcomes.append("viewed \(try await viewed.bytes)") } catch { outcomes.append("\(error)") }
            return outcomes
        }
    }

    @Test(arguments: [1, 2, 3])
    func `no order of refusals makes a request wait for one that waits for it`(jobs: Int) async throws {
        for script in Thorough.cases(Self.scripts(4), few: 8) {
            let outcomes = try await fetch(script, jobs: jobs)
            #expect(outcomes == ["fetched", "fetched", "fetched", "viewed 500"], "\(script)")
        }
    }
}
