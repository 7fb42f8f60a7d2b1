import Foundation
import Synchronization

/// Answers for a folder of pictures as a service's host does: with lists as JSON, and with the
/// pictures themselves.
///
/// Addresses with a ``FolderQuery`` are answered here; every other one by another transport.
///
/// The index of the folder is kept until its first picture is requested again, so that files added
/// during paging do not shift the others.
package final class FolderTransport: HTTPTransport {
    private let folder: URL
    private let files: any HTTPTransport
    private let warn: @Sendable (String) -> Void
    /// One list at a time: a second one would only examine the same files.
    private let queue = DispatchQueue(label: "gallery.transport.folder")
    private let index = Mutex<FolderIndex?>(nil)
    private let warned = Mutex<Set<String>>([])

    /// Creates a transport for the pictures in `folder`.
    ///
    /// - Parameters:
    ///   - files: serves all other addresses, including those of files in the folder.
    ///   - warn: takes a line of plain text for each picture or subfolder that is left out, and one for all
    ///     other files, each once.
    package init(folder: URL, files: any HTTPTransport, warn: @escaping @Sendable (String) -> Void) {
        self.folder = folder
        self.files = files
        self.warn = warn
    }

    /// Answers requests about the folder, and passes those for files to the file transport.
    package func send(
        _ request: HTTPRequest, idleTimeout: Int, to sink: some BodySink
    ) async throws(TransportError) -> HTTPHead {
        guard let query = FolderQuery(request.url) else {
            return try await files.send(request, idleTimeout: idleTimeout, to: sink)
        }
        let transfer = Transfer(request, idleTimeout: idleTimeout, sink: sink)
        let outcome = await transfer.outcome { queue.async { self.serve(request.url, query, transfer) } }
        return try outcome.get()
    }

    // MARK: - On the queue

    private func serve(_ url: URL, _ query: FolderQuery, _ transfer: Transfer) {
        guard let root = FolderScan.resolve(folder.path(percentEncoded: false)) else {
            return answer(404, nil, transfer)
        }
        if query == .thumbnail { return thumbnail(url.path(percentEncoded: false), root, transfer) }
        let named = url.path(percentEncoded: false)
        guard FolderScan.resolve(named) == root else { return answer(403, nil, transfer) }
        switch query {
        case .list(let first, let count, let ranking, let match):
            list(named, root, first..<first.addingClamped(count), ranking, match, transfer)
        case .photo(let path): describe(path, named, root, transfer)
        case .thumbnail: break
        }
    }

    private func list(
        _ folder: String, _ root: String, _ indexes: Range<Int>, _ ranking: FolderRanking,
        _ match: FolderMatch, _ transfer: Transfer
    ) {
        let isWanted = { transfer.isWanted }
        do throws(SystemCall.Failure) {
            let list = try index.withLock { index throws(SystemCall.Failure) -> JSONValue? in
                if indexes.lowerBound == 1 || index?.scan.root != root || index?.ranking != ranking {
                    index = nil
                }
                var current: FolderIndex
                if let index {
                    current = index
                } else {
                    current = FolderIndex(
                        try FolderScan(root: root, isWanted: isWanted, warning: leftOut), ranking)
                }
                // An interrupted scan does not represent the folder.
                guard isWanted() else { return nil }
                index = nil
                defer { index = current }
                let list = current.list(folder, indexes, match, isWanted: isWanted, warning: leftOut)
                if let line = current.foreignFiles { tell(line) }
                return list
            }
            if let list { answer(200, list, transfer) }
        } catch {
            answer(error.code == EACCES ? 403 : 404, nil, transfer)
        }
    }

    private func describe(_ path: String, _ folder: String, _ root: String, _ transfer: Transfer) {
        guard let target = FolderScan.resolve(root + "/" + path, below: root) else {
            return answer(404, nil, transfer)
        }
        switch FolderFile(at: target, below: root) {
        case .foreign, .gone: answer(404, nil, transfer)
        case .broken(let reason): answer(422, .members(["error": .string(reason)]), transfer)
        case .picture(let type, let size):
            let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
            let notes = [FolderScan.Note.forStem, .forName].compactMap {
                $0.name(for: String(path.dropFirst(parent.count)))
            }
            let facts = FolderFacts(
                at: target, below: root, type, size, notes: notes.map { "\(root)/\(parent)\($0)" })
            let detail = facts.detail(path, in: folder, size: size)
            let photo = IndexedPhoto(index: nil, photo: detail.photo).json(with: detail)
            answer(200, .members(["photos": .array([photo])]), transfer)
        }
    }

    private func thumbnail(_ path: String, _ root: String, _ transfer: Transfer) {
        guard let target = FolderScan.resolve(path, below: root),
            case .picture(let type, let size) = FolderFile(at: target, below: root),
            let small = FolderFile.thumbnail(at: target, below: root, type, size)
        else { return answer(404, nil, transfer) }
        answer(200, small.bytes, PictureType.jpeg.mediaType, transfer)
    }

    private func answer(_ status: Int, _ body: JSONValue?, _ transfer: Transfer) {
        answer(status, Array((body?.text ?? "").utf8), "application/json", transfer)
    }

    private func answer(_ status: Int, _ bytes: [UInt8], _ type: String, _ transfer: Transfer) {
        let fields = ["Content-Type": type, "Content-Length": "\(bytes.count)"]
        transfer.end(
            Result { () throws(TransportError) in
                let head = try transfer.begin(status, fields)
                try transfer.pass { sink in try bytes.withUnsafeBytes { try sink.receive($0) } }
                return head
            })
    }

    private func leftOut(_ path: String, _ reason: String) {
        tell("'\(PlainText.excerpt(path, limit: 200))' is left out: \(PlainText.line(reason)).")
    }

    private func tell(_ line: String) {
        if warned.withLock({ $0.insert(line).inserted }) { warn(line) }
    }
}

// MARK: - Queries

/// A request to a folder, as the query of its address or of a picture's.
enum FolderQuery: Hashable, Sendable {
    /// `count` matching pictures, starting at index `first`, from 1.
    case list(first: Int, count: Int, FolderRanking, FolderMatch)
    /// One picture, by its path relative to the folder.
    case photo(String)
    /// The thumbnail embedded in the file at this address.
    case thumbnail

    /// Appended to a picture's address, so that a browser given the address shows the picture.
    static let thumbnailItem = "thumbnail"

    /// The items of the query.
    var items: [(String, String?)] {
        switch self {
        case .list(let first, let count, let ranking, let match):
            [
                ("first", "\(first)"), ("count", "\(count)"),
                ("ranking", ranking == .newest ? nil : ranking.rawValue),
            ] + match.items
        case .photo(let path): [("photo", path)]
        case .thumbnail: [(Self.thumbnailItem, "")]
        }
    }

    /// The query of `url`, or `nil` if it is the address of a file.
    init?(_ url: URL) {
        guard url.isFileURL,
            let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems, !items.isEmpty
        else { return nil }
        func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
        if items.contains(where: { $0.name == Self.thumbnailItem }) {
            self = .thumbnail
        } else if let path = value("photo") {
            self = .photo(path)
        } else if let first = value("first").flatMap({ Int($0) }), first > 0,
            let count = value("count").flatMap({ Int($0) }), count > 0,
            let ranking = FolderRanking(rawValue: value("ranking") ?? FolderRanking.newest.rawValue)
        {
            self = .list(
                first: first, count: count, ranking,
                FolderMatch(words: value("words"), author: value("author")))
        } else {
            return nil
        }
    }
}

/// The order of a folder's pictures.
enum FolderRanking: String, Hashable, Sendable, CaseIterable {
    /// By modification time, newest first.
    case newest
    /// By date taken, newest first; pictures without a date come last.
    case taken
    /// By path, with numbers ordered by value.
    case name
    /// By number of pixels, largest first; pictures of unknown size come last.
    case largest
}

/// The condition that pictures of a folder must meet.
struct FolderMatch: Hashable, Sendable {
    /// Words that must all occur in the path, the title, the author's name, or the tags; `nil` for any.
    let words: String?
    /// The author's name, username or identifier; `nil` for any.
    let author: String?

    var items: [(String, String?)] { [("words", words), ("author", author)] }

    /// Whether every picture matches.
    var isEverything: Bool { words == nil && author == nil }

    /// Whether the picture at `path` matches; `facts` are read only if needed.
    func accepts(_ path: String, _ facts: () -> FolderFacts) -> Bool {
        if isEverything { return true }
        let facts = facts()
        let known = facts.note?.photo.author
        let name = known?.name ?? facts.embedded.artist
        if let author {
            let names = [name?.lowercased(), known?.username?.lowercased()]
            guard names.contains(author.lowercased()) || known?.id == author else { return false }
        }
        guard let words else { return true }
        let titles = [path, facts.note?.photo.title ?? "", facts.embedded.title ?? "", name ?? ""]
        let text = (titles + (facts.note?.photo.tags ?? []) + facts.embedded.keywords)
            .joined(separator: "\n").lowercased()
        return words.lowercased().split(separator: " ").allSatisfy { text.contains($0) }
    }
}

extension Int {
    /// The sum, or the largest number if the sum overflows.
    func addingClamped(_ other: Int) -> Int {
        let (sum, isTooMuch) = addingReportingOverflow(other)
        return isTooMuch ? .max : sum
    }
}
