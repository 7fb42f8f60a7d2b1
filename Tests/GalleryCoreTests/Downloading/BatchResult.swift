import Foundation
import GalleryCore
import GalleryTestSupport

/// An item for photo `number`, whose name is `<number>_photo`.
func item(
    _ number: Int, at url: URL, name: String? = nil, isNameUnique: Bool = true, size: PhotoFileSize = .full
) -> DownloadItem {
    DownloadItem(
        number: number, photo: PhotoID(service: "test", value: "\(number)"), size: size,
        source: HTTPRequest(url: url), name: name ?? "\(number)_photo", isNameUnique: isNameUnique)
}

/// A downloader that does not really wait and whose randomness is always one half.
func downloader(
    retries: Int = 4, idleTimeout: Int = 10, jobs: Int = 6, overwrites: Bool = false,
    clock: some Clock<Duration> = TestClock.skipping(), transport: any HTTPTransport = URLSessionTransport(),
    paces: HostPaces? = nil, skipsDuplicates: Bool = false, archive: DownloadArchive? = nil
) -> Downloader {
    var configuration = Downloader.Configuration()
    configuration.retries = retries
    configuration.idleTimeout = idleTimeout
    configuration.jobs = jobs
    configuration.overwrites = overwrites
    configuration.skipsDuplicates = skipsDuplicates
    configuration.archive = archive
    return Downloader(
        transport: transport, configuration: configuration, paces: paces,
        timekeeper: Timekeeper(clock: clock, date: { ClientBench.start }, chance: { 0.5 }))
}

struct BatchResult {
    var files: [Int: DownloadedFile] = [:]
    var failures: [Int: DownloadError] = [:]
    /// The files that others duplicate.
    var copies: [Int: String] = [:]
    var events: [DownloadEvent] = []

    /// What became of an item, in words.
    func outcome(_ number: Int) -> String {
        if let file = files[number] { return file.status.rawValue }
        if let original = copies[number] { return "copy of \(original)" }
        return failures[number].map { Self.word($0) } ?? "nothing"
    }

    private static func word(_ error: DownloadError) -> String {
        switch error {
        case .transport(.unreachable): "unreachable"
        case .transport(.cutShort): "cut short"
        case .transport(.timedOut): "timed out"
        case .transport(.redirect): "redirect"
        case .transport(let error): "\(error)"
        case .refused(_, let status, let seconds): "\(status)" + (seconds.map { " after \($0)" } ?? "")
        case .notAPicture(_, let found): found
        case .empty: "empty"
        case .incomplete(_, let reason), .brokenAtHost(_, let reason): "incomplete: \(reason)"
        case .cannotCreate(_, let reason, _): "cannot create: \(reason)"
        case .cannotWrite(_, let reason, _): "cannot write: \(reason)"
        case .unreadableManifest: "unreadable manifest"
        case .unwanted(_, let bytes): "unwanted: \(bytes)"
        case .damaged: "damaged"
        case .ownFolder: "own folder"
        case .busy: "busy"
        case .cancelled: "cancelled"
        }
    }
}

/// Iterates to the end.
func collect(_ events: AsyncStream<DownloadEvent>) async -> BatchResult {
    var result = BatchResult()
    for await event in events { result.take(event) }
    return result
}

extension BatchResult {
    mutating func take(_ event: DownloadEvent) {
        events.append(event)
        switch event {
        case .finished(let item, let file): files[item.number] = file
        case .duplicate(let item, let original): copies[item.number] = original.lastPathComponent
        case .failed(let item, let error): failures[item.number] = error
        default: break
        }
    }
}

/// Everything in a folder but the manifest.
func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != ".gallery.jsonl" }
        .sorted()
}

/// The bytes of a file; `nil` where it is not there.
func bytes(_ name: String, in folder: URL) -> Data? {
    try? Data(contentsOf: folder.appending(path: name))
}

extension Downloader {
    /// Downloads `items` into the folder at `url`, opened for this alone.
    func fetch(_ items: [DownloadItem], into url: URL) -> AsyncStream<DownloadEvent> {
        fetch(items, into: TargetFolder(url))
    }
}
