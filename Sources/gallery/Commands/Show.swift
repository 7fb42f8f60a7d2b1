import Arguments
import Curation
import GalleryCore
import TerminalPictures

extension Gallery {
    struct Show: ContextCommand {
        static let configuration = CommandConfiguration("show", "Show the details of photos.")

        @Option(help: "Output format for the details.")
        var format = DetailFormat.text

        @Flag(help: "Show each picture above its details, if the terminal can.")
        var picture = false

        @Option(
            help: """
                How to show pictures, even to a program that is no terminal. (default: as the terminal can; as symbols \
                in the preview of fzf)
                """)
        var pictureFormat: PictureChoice?

        @OptionGroup var chosen: ChosenPhotos

        func validate() throws {
            if picture || pictureFormat != nil, format != .text {
                throw ValidationError("'--picture' can only be used with '--format text'.")
            }
        }

        func run(in context: Context) async throws {
            var resolver = try await chosen.resolver(context)
            let resolved = try await resolver.all()
            let ratings = try await context.ratings()
            let known = known(resolved)
            let asked = await resolver.loaders.details(
                of: resolved.photos.map(\.photo).filter { known[$0.id] == nil })
            let details = known.mapValues(Result.success).merging(asked) { known, _ in known }
            let isVerbose = chosen.service.verbose
            var failures = resolved.failures
            var shown: [(entry: IndexedPhoto, detail: PhotoDetail)] = []
            for entry in resolved.photos {
                switch details[entry.photo.id] {
                case .success(var detail):
                    detail.photo = ratings.applied(to: detail.photo)
                    shown.append((IndexedPhoto(index: entry.index, photo: detail.photo), detail))
                case .failure(let error): failures.append(.init(entry, error))
                case nil: break
                }
            }
            if picture || pictureFormat != nil {
                let prints = PicturePrints(
                    context: context, choice: pictureFormat, service: chosen.service,
                    loaders: resolver.loaders)
                failures += try await prints.print(shown.map(\.entry)) { offset in
                    try context.terminal.results(
                        format.lines([shown[offset]], isSingle: true, isVerbose: isVerbose, context))
                }
            } else {
                let isSingle = chosen.selection.nameOne && shown.count == 1
                try context.terminal.results(
                    format.lines(shown, isSingle: isSingle, isVerbose: isVerbose, context))
            }
            try Failures.end(failures, context.terminal, succeeded: shown.count)
        }

        /// The details that need no request: marked photos are kept whole.
        private func known(_ resolved: ResolvedPhotos) -> [PhotoID: PhotoDetail] {
            guard chosen.feed.named?.isMarked == true, !chosen.service.refresh else {
                return resolved.details
            }
            let kept = resolved.photos.map { ($0.photo.id, PhotoDetail(photo: $0.photo)) }
            return resolved.details.merging(kept) { _, kept in kept }
        }
    }
}

enum DetailFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, jsonl, url

    func lines(
        _ photos: [(IndexedPhoto, PhotoDetail)], isSingle: Bool, isVerbose: Bool, _ context: Context
    ) -> [String] {
        switch self {
        case .text:
            let text = DetailText(
                width: context.abilities.columns, style: Style(isOn: context.abilities.colorsResults),
                tellsOrigins: isVerbose)
            return Array(photos.map { text.lines($0, $1) }.joined(separator: [""]))
        case .jsonl: return photos.map { $0.json(with: $1).text }
        case .json where isSingle: return photos.map { $0.json(with: $1).text }
        case .json: return photos.map { $0.json(with: $1) }.lines
        case .url:
            let details = photos.map { ($0.photo.id, $1) }
            return URLRows().lines(for: photos.map(\.0), Dictionary(details) { first, _ in first })
        }
    }
}
