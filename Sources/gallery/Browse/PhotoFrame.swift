import Foundation
import GalleryCore
import PictureFiles
import TerminalPictures

extension BrowseModel {
    static let leastSize = Frame.Size(columns: 20, rows: 5)

    var frame: Frame { readsUTF8 ? drawn : drawn.inASCII }

    private var drawn: Frame {
        var frame = Frame(size, theme: theme, isColored: isColored, widths: widths)
        guard size.columns >= Self.leastSize.columns, size.rows >= Self.leastSize.rows else {
            frame.put("Too small.", at: 0)
            return frame
        }
        if helpPage != nil {
            drawHelp(&frame)
        } else if mode == .grid {
            drawGrid(&frame)
        } else if mode == .alone {
            drawPicture(&frame)
        } else {
            drawHeader(&frame)
            drawPicture(&frame)
            drawDetails(&frame)
            drawStrip(&frame)
            drawBars(&frame)
        }
        if mode != .alone || notice != nil || prompt != nil || isLeaving { drawStatus(&frame) }
        return frame
    }

    /// The lines between the title and what stands below the picture: the strip if it is shown, and the bars.
    var photoArea: Range<Int> { 1..<max(1, stripShape?.line(ofRow: 0) ?? size.rows - 3) }

    /// The lines for the picture: all but the title, the bars, and the details where they are below it.
    private var pictureRows: Range<Int> {
        // The last line stays free for messages.
        if mode == .alone { return 0..<max(0, size.rows - 1) }
        return detailsPanel?.pictureRows ?? photoArea
    }

    var photoBox: PictureBox { (pair?.second ?? pictureArea).holding(photoSize, resolution) }

    /// The boxes of the pinned photo and of the one that is compared with it; `nil` where none is pinned.
    var pair: PairLayout? {
        pin.map { PairLayout((size(of: $0), photoSize), in: pictureArea, cell: resolution) }
    }

    private var pictureArea: PictureBox {
        let rows = pictureRows
        return PictureBox(
            columns: detailsPanel?.pictureColumns ?? size.columns, rows: rows.count,
            origin: CellPosition(row: rows.lowerBound + 1, column: 1), background: background)
    }

    /// The photo's own pixels, whichever of its files is shown; `nil` until they are known.
    var photoSize: PixelSize? {
        guard let photo = wholePhoto?.photo else { return nil }
        guard let listedSize, listedSize != photo.size else { return size(of: photo) }
        return listedSize.turned(by: turn(of: photo.id))
    }

    /// The same as they are listed, not as they are turned.
    var listedSize: PixelSize? { (cursor.isFull ? cursor.rendition?.size : nil) ?? wholePhoto?.photo.size }

    /// How much larger than the whole picture one is that takes so many pixels of the screen; `nil` if unknown.
    func factor(ofWidth width: Int?) -> Double? {
        guard let width, let photoSize else { return nil }
        return Double(width) / Double(PictureFit(photoSize, inFitted: photoBox, cell: cell).width)
    }

    private func drawHeader(_ frame: inout Frame) {
        guard let entry = cursor.current, let index = entry.index, !isPairing else {
            return frame.put(left: [.init(feed, .title)], right: [], at: 0)
        }
        if let pin, let pair { return drawHeader(of: pin, pair, entry, &frame) }
        var left = [Frame.Span(name(of: entry.photo), .title)]
        if let author = entry.photo.author { left.append(.init("  " + PlainText.line(author.name))) }
        let stars = stars(of: entry.photo)
        let mark = (stars.isEmpty ? "" : stars + "  ") + (marks.contains(entry.photo.lastingID) ? "* " : "")
        let trash = bin.photos.contains(entry.photo.id) ? "in the trash  " : ""
        frame.put(left: left, right: [.init(trash + mark + position(index))], at: 0)
    }

    /// The title, or the whole name of a file that has none of its own: others may have the same stem.
    func name(of photo: Photo) -> String {
        let file = photo.ownFile.map { ($0.lastPathComponent, $0.deletingPathExtension().lastPathComponent) }
        if let file, file.1 == photo.title { return PlainText.line(file.0) }
        return PlainText.line(photo.shownTitle)
    }

    /// `7 of 340`, or `7` if the total is unknown; nothing in a tournament, where it would pass for a rank.
    func position(_ index: Int) -> String {
        guard contest == nil else { return "" }
        return cursor.total.map { "\(index) of \($0)" } ?? "\(index)"
    }

    // MARK: - The picture, or text in its place

    private func drawPicture(_ frame: inout Frame) {
        let rows = pictureRows
        guard !rows.isEmpty else { return }
        let box = photoBox
        guard !isPairing else {
            if let former = contest?.former { [former.first, former.second].forEach { frame.hold($0) } }
            return
        }
        if let pin, let pair { draw(pin, pair.first, &frame) }
        if let lines = replacement { return frame.put(centered: lines, in: box) }
        guard let entry = cursor.current else { return }
        let thumbnail = thumbnail(of: entry)
        guard case .ready(let file) = cursor.picture else {
            if let thumbnail {
                frame.put(picture(thumbnail, of: entry.photo.id, in: box))
            } else if entry.photo.ownFile != nil || heldPhoto == entry.photo.id {
                frame.hold(box)
            }
            return
        }
        if let words = notes.words[file.url] {
            guard pin == nil else { return put(words, in: box, &frame) }
            let reason = words.isEmpty ? [] : words.map(PlainText.line) + [""]
            return draw(reason + details(entry, width: size.columns), &frame, rows: rows)
        }
        let shown = picture(file.url, of: entry.photo.id, in: box, part)
        // A larger file takes the place of the one before in place.
        var standIn = (part == .whole ? thumbnail : nil).map { picture($0, of: entry.photo.id, in: box) }
        if case .frame = part {
            // One that was turned stands still until its frames are.
            standIn = shown.whole
        } else if let smaller = cursor.smaller?.url, notes.words[smaller] == nil,
            animation.playback?.file != file.url
        {
            standIn = picture(smaller, of: entry.photo.id, in: box, part)
        }
        frame.put(shown, standIn: standIn)
        if let next = cursor.upcoming, notes.words[next.url] == nil {
            let neighbor = cursor.run.first { ($0.index ?? 0) > entry.index ?? 0 } ?? entry
            frame.prepare(picture(next.url, of: neighbor.photo.id, in: box))
        }
    }

    private func thumbnail(of entry: IndexedPhoto) -> URL? {
        guard paints, let file = thumbnails[entry.photo.id], notes.words[file] == nil else { return nil }
        return file
    }

    private var hasThumbnail: Bool { cursor.current.flatMap(thumbnail) != nil }

    /// Whether the details are shown in place of the picture.
    var isInWords: Bool {
        if case .ready(let file) = cursor.picture { notes.words[file.url] != nil } else { false }
    }

    /// Why there is no picture; `nil` if there is one, or will be.
    private var replacement: [Frame.Span]? {
        if let error = cursor.pageError, cursor.current == nil { return lines(about: error) }
        if cursor.isEmpty {
            guard cursor.hasGivenUp else { return [.init("The feed '\(feed)' has no photos.")] }
            return wrapped(searchWords).map { Frame.Span($0) }
        }
        guard cursor.current != nil else {
            return [.init("\(spinnerMark) \(loadingWords)", .faint)]
                + wrapped(waitWords ?? "").map { Frame.Span($0) }
        }
        switch cursor.picture {
        case .failed(let error): return lines(about: error)
        case .unavailable: return [.init("The service has no file of this photo.")]
        case .waiting where mode == .alone && !hasThumbnail: return [.init(spinnerMark, .faint)]
        case .loading(let progress) where mode == .alone && !hasThumbnail:
            return [.init(progress.percent ?? spinnerMark, .faint)]
        case .waiting, .loading, .ready: return nil
        }
    }

    private var loadingWords: String {
        if cursor.passedOver > 0 { return "\(passedOver) looked at, none passes. Esc stops." }
        return cursor.current == nil ? "Loading photos …" : "Loading more …"
    }

    private var passedOver: String { cursor.passedOver == 1 ? "1 photo" : "\(cursor.passedOver) photos" }

    private var searchWords: String { "\(passedOver) looked at, none passes. Press r to look further." }

    var wordsAtEnd: String { cursor.hasGivenUp ? searchWords : "This is the last photo." }

    /// What to say of a host that has been waited for for two seconds.
    private var waitWords: String? {
        guard spinner.waited >= 20 else { return nil }
        return
            "\(spinner.reason.map(PlainText.line) ?? "There is no answer yet"). Press r to ask again at once."
    }

    private func lines(about error: any ActionableError) -> [Frame.Span] {
        let fault = wrapped("Error: " + PlainText.line(error.description)).map { Frame.Span($0, .error) }
        let hint = wrapped(error.commandHint.map { "Help: " + PlainText.line($0) } ?? "")
        return fault + hint.map { Frame.Span($0) } + [.init("Press r to try again.", .faint)]
    }

    /// `text` broken at spaces, as wide as the window unless a width is given.
    func wrapped(_ text: String, width: Int? = nil) -> [String] {
        text.split(separator: " ").reduce(into: []) { lines, word in
            if let last = lines.last, widths.of(last) + 1 + widths.of(String(word)) <= width ?? size.columns {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
    }

    private func draw(_ lines: [String], _ frame: inout Frame, rows: Range<Int>) {
        for (offset, line) in lines.prefix(rows.count).enumerated() {
            let isMore = offset == rows.count - 1 && rows.count < lines.count
            frame.put(isMore ? "…" : line, at: rows.lowerBound + offset)
        }
    }

    // MARK: - The last three lines

    private func drawBars(_ frame: inout Frame) {
        // A file on this machine is there at once.
        guard let entry = cursor.current, entry.photo.ownFile == nil else { return }
        let row = size.rows - 3
        if let larger = cursor.larger { frame.put(bar("photo", larger, .photoBar), at: row) }
        switch cursor.picture {
        case .waiting: frame.put(bar("photo", .init(received: 0, expected: nil), .photoBar), at: row)
        case .loading(let progress): frame.put(bar("photo", progress, .photoBar), at: row)
        case .ready(let file) where settledPhoto != entry.photo.id:
            frame.put(bar("photo", .init(received: file.bytes, expected: file.bytes), .photoBar), at: row)
        case .ready, .failed, .unavailable: break
        }
        if let preload = cursor.preload { frame.put(bar("next", preload, .preloadBar), at: row + 1) }
    }

    /// A line with a name, a bar, or a spinner until the size is known, and an amount.
    private func bar(
        _ name: String, _ progress: PhotoCursorState.Progress, _ look: Frame.Look
    ) -> [Frame.Span] {
        let label = Frame.Span(widths.padded(name, to: 6), .faint)
        guard let expected = progress.expected, expected > 0 else {
            let amount = progress.received > 0 ? "  " + ByteText.amount(progress.received) : ""
            return [label, .init(spinnerMark, look), .init(amount, .faint)]
        }
        // Narrower windows leave the bytes out.
        let isWide = size.columns >= 36
        // The name, ` 100 %`, and the bytes after it.
        let width = size.columns - 6 - 6 - (isWide ? 10 : 0)
        let share = min(1, Double(progress.received) / Double(expected))
        let filled = Int(Double(width) * share)
        let percent = "\(Int(share * 100)) %"
        let amount =
            String(repeating: " ", count: max(1, 6 - percent.count)) + percent
            + (isWide ? "  " + ByteText.amount(expected) : "")
        return [
            label, .init(String(repeating: "━", count: filled), look),
            .init(String(repeating: "─", count: width - filled), .faint), .init(amount, .faint),
        ]
    }

    private var spinnerMark: String {
        let marks = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
        return marks[spinner.step % marks.count]
    }

    private func drawStatus(_ frame: inout Frame) {
        let row = size.rows - 1
        if let prompt { return frame.put([.init(Self.text(of: prompt), .title)], at: row) }
        let standing = contestNotice ?? standingNotice
        if let notice = notice ?? (isLeaving ? downloadNotice : nil) ?? standing ?? downloadNotice {
            return frame.put(PlainText.line(notice.text), notice.isError ? .error : .plain, at: row)
        }
        let back = depth > 0 ? "  Backspace back" : ""
        let keys = "? help  g go to  i details  f fetch  m mark\(back)  q quit"
        let facts = [pixels, feed].compactMap(\.self).joined(separator: "  ")
        frame.put(left: [.init(keys, .faint)], right: [.init(facts, .faint)], at: row)
    }

    /// `1280 of 6000 px`: the longer edge of the file that is shown, and of the photo; `nil` if unknown.
    private var pixels: String? {
        guard mode != .grid, let entry = wholePhoto else { return nil }
        let isReady = currentFile != nil
        guard let shown = isReady ? cursor.rendition?.size : hasThumbnail ? entry.photo.thumbnail?.size : nil
        else { return nil }
        let whole = [entry.photo.size, entry.photo.full?.size].compactMap(\.?.longestEdge).max() ?? 0
        return shown.longestEdge < whole && !(isReady && cursor.isFull)
            ? "\(shown.longestEdge) of \(whole) px" : "\(shown.longestEdge) px"
    }

    private static func text(of prompt: Prompt) -> String {
        switch prompt {
        case .line(let line, let text): "\(line.rawValue): \(PlainText.line(text))_"
        case .restart: "Begin the tournament anew? (y/n)"
        case .trash(let files): "Move \(Trash.names(files)) to the trash? (y/n)"
        }
    }

    private var downloadNotice: Notice? {
        guard let download = downloads.values.min(by: { $0.label < $1.label }) else { return nil }
        let share = download.progress?.percent
        let others = downloads.count > 1 ? " and \(downloads.count - 1) more" : ""
        let leaving = isLeaving ? " Then gallery quits; press q again to stop and quit now." : ""
        return Notice(text: "Fetching \(download.label)\(others) …\(share ?? "")\(leaving)")
    }

    private var contestNotice: Notice? {
        guard let contestQuestion else { return nil }
        if isSpinning, let waitWords { return Notice(text: "\(spinnerMark) \(waitWords)") }
        return Notice(text: contestQuestion)
    }

    /// The cursor's own message, as long as it applies.
    private var standingNotice: Notice? {
        if let error = cursor.pageError, cursor.current != nil {
            return Notice(text: "\(error.description) Press r to try again.", isError: true)
        }
        if isSpinning, cursor.current != nil, let words = waitWords ?? (isWaitingForPage ? loadingWords : nil)
        {
            return Notice(text: "\(spinnerMark) \(words)")
        }
        switch cursor.edge {
        case .first?: return Notice(text: "This is the first photo.")
        case .last?: return Notice(text: wordsAtEnd)
        case .beyond(let index)? where !cursor.isEmpty:
            let size = cursor.total.map { ": the feed has \($0)" } ?? ""
            return Notice(text: "There is no photo \(index)\(size).", isError: true)
        case .beyond, nil: return currentFile.flatMap { notes.remarks[$0] }.map { Notice(text: $0) }
        }
    }
}

extension PhotoCursorState.Setback {
    var line: String {
        let file = rendition.size.map { "the \($0.longestEdge)-pixel file" } ?? "a file"
        return "Skipped \(file): \(reason)"
    }
}

extension PhotoCursorState.Progress {
    /// Such as ` 25 %`; `nil` if the size is unknown.
    fileprivate var percent: String? { expected.map { " \(received * 100 / max(1, $0)) %" } }
}
