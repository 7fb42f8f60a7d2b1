import Arguments
import GalleryCore

extension Gallery {
    /// Prints what stage two knows of photos.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show one photo's details.")

        @OptionGroup var photos: SelectionArgument

        @Option(help: "How the details are printed.")
        var format = DetailFormat.text

        @Flag(help: "Show each picture above its details, on a terminal that can.")
        var picture = false

        @OptionGroup(title: "Feed options")
        var feed: FeedOptions

        @OptionGroup(title: "Service options")
        var service: ServiceOptions

        func validate() throws {
            if picture, format != .text {
                throw ValidationError("'--picture' goes with '--format text' only.")
            }
        }

        func run() async throws { try await run(in: .live()) }

        func run(in context: Context) async throws {
            var chooser = try await Chooser(
                context, photos.selection, service: service, feed: feed, sieve: .everything)
            let chosen = try await chooser.all()
            var known = chosen.details
            if feed.named == .marked, !service.refresh {
                // They are kept whole so that nobody need be asked.
                for entry in chosen.photos { known[entry.photo.id] = PhotoDetail(photo: entry.photo) }
            }
            let unknown = chosen.photos.map(\.photo).filter { known[$0.id] == nil }
            let asked = try await chooser.loaders.details(of: unknown)
            var failures = chosen.failures
            var shown: [(IndexedPhoto, PhotoDetail)] = []
            for entry in chosen.photos {
                switch known[entry.photo.id].map(Result.success) ?? asked[entry.photo.id] {
                case .success(let detail):
                    shown.append((IndexedPhoto(index: entry.index, photo: detail.photo), detail))
                case .failure(let error):
                    failures.append(.init(index: entry.index, name: entry.label, error: error))
                case nil: break
                }
            }
            let isSingle = photos.selection.count == 1 && shown.count == 1 && photos.selection[0].namesOne
            if picture {
                let prints = PicturePrints(context, service, chooser.loaders)
                failures += try await prints.print(shown.map(\.0)) { place in
                    for line in format.lines([shown[place]], isSingle: true, context) {
                        try context.terminal.result(line)
                    }
                }
            } else {
                for line in format.lines(shown, isSingle: isSingle, context) {
                    try context.terminal.result(line)
                }
            }
            try context.terminal.flush()
            try Failures.end(failures, context, succeeded: shown.count)
        }
    }
}

extension Selection {
    /// Whether it names one photo, so that one object answers it rather than a list of one.
    fileprivate var namesOne: Bool {
        switch self {
        case .index, .page: true
        case .range, .from, .standardInput: false
        }
    }
}

/// How details are printed.
enum DetailFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, jsonl, url

    func lines(_ photos: [(IndexedPhoto, PhotoDetail)], isSingle: Bool, _ context: Context) -> [String] {
        switch self {
        case .text:
            let text = DetailText(
                width: context.abilities.columns, style: Style(isOn: context.abilities.colorsResults))
            return Array(photos.map { text.lines($0, $1) }.joined(separator: [""]))
        case .jsonl: return photos.map { $0.json(with: $1).text }
        case .json where isSingle: return photos.map { $0.json(with: $1).text }
        case .json:
            let lines = photos.map { $0.json(with: $1).text }
            return ["["] + lines.dropLast().map { $0 + "," } + lines.suffix(1) + ["]"]
        case .url: return URLRows().lines(for: photos.map(\.0))
        }
    }
}
