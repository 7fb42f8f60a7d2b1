import Foundation
import GalleryCore

extension BrowseModel {
    /// The smallest window in which something can be seen.
    static let leastSize = Frame.Size(columns: 20, rows: 5)

    /// The screen.
    var frame: Frame {
        var frame = Frame(size)
        guard size.columns >= Self.leastSize.columns, size.rows >= Self.leastSize.rows else {
            frame.put("Too small.", at: 0)
            return frame
        }
        if showsHelp {
            drawHelp(&frame)
        } else if mode == .grid {
            drawGrid(&frame)
        } else if mode == .alone {
            // The last line stays free: what is said there now and then must not cut the picture.
            drawPicture(&frame, rows: 0..<size.rows - 1)
        } else {
            drawPhoto(&frame)
        }
        if mode != .alone || notice != nil || prompt != nil { drawStatus(&frame) }
        return frame
    }

    private func drawPhoto(_ frame: inout Frame) {
        drawHeader(&frame)
        let area = 1..<(size.rows - 3)
        if showsDetails, !isInWords, let entry = cursor.current {
            let lines = details(entry)
            // The picture keeps at least half.
            let count = min(lines.count, area.count / 2)
            let split = area.upperBound - count
            drawPicture(&frame, rows: area.lowerBound..<split)
            draw(lines, &frame, rows: split..<area.upperBound)
        } else {
            drawPicture(&frame, rows: area)
        }
        drawBars(&frame)
    }

    private func drawHeader(_ frame: inout Frame) {
        guard let entry = cursor.current, let index = entry.index else {
            return frame.put(left: [.init(feed, .title)], right: [], at: 0)
        }
        let title = entry.photo.title.isEmpty ? "(untitled)" : PlainText.line(entry.photo.title)
        var left = [Frame.Span(title, .title)]
        if let author = entry.photo.author { left.append(.init("  " + PlainText.line(author.name))) }
        let mark = marks.contains(entry.photo.id) ? "* " : ""
        frame.put(left: left, right: [.init(mark + place(index))], at: 0)
    }

    /// `7 of 340`, as far as the service says.
    func place(_ index: Int) -> String { cursor.total.map { "\(index) of \($0)" } ?? "\(index)" }

    // MARK: - The picture, or what stands in its place

    private func drawPicture(_ frame: inout Frame, rows: Range<Int>) {
        guard !rows.isEmpty else { return }
        if let lines = replacement { return frame.put(centred: lines, in: rows) }
        guard let entry = cursor.current, case .ready(let file) = cursor.picture else { return }
        if let words = words[file.url] {
            let reason = words.isEmpty ? [] : words.map(PlainText.line) + [""]
            return draw(reason + details(entry), &frame, rows: rows)
        }
        let origin = PictureBox.Cell(row: rows.lowerBound + 1, column: 1)
        let box = PictureBox(columns: size.columns, rows: rows.count, origin: origin)
        frame.put(Frame.Picture(file: file.url, box: box, isCentred: true))
        if let next = cursor.upcoming, words[next.url] == nil {
            frame.prepare(Frame.Picture(file: next.url, box: box, isCentred: true))
        }
    }

    /// Whether the details stand where the picture would.
    private var isInWords: Bool {
        if case .ready(let file) = cursor.picture { words[file.url] != nil } else { false }
    }

    /// Why there is no picture, in words; `nil` where there is one, or will be.
    private var replacement: [Frame.Span]? {
        if let error = cursor.pageError, cursor.current == nil { return lines(about: error) }
        if cursor.isEmpty { return [.init("The feed '\(feed)' has no photos.")] }
        guard cursor.current != nil else { return [.init("\(spinner) Asking for photos …", .faint)] }
        switch cursor.picture {
        case .failed(let error): return lines(about: error)
        case .unavailable: return [.init("The service offers no file of it.")]
        case .waiting where mode == .alone: return [.init(spinner, .faint)]
        case .loading(let progress) where mode == .alone:
            let share = progress.expected.map { " \(progress.received * 100 / max(1, $0)) %" }
            return [.init(share ?? spinner, .faint)]
        case .waiting, .loading, .ready: return nil
        }
    }

    private func lines(about error: any ActionableError) -> [Frame.Span] {
        let fault = wrapped("Error: " + PlainText.line(error.description)).map { Frame.Span($0, .error) }
        let hint = error.hint.map { wrapped("Help: " + PlainText.line($0)).map { Frame.Span($0) } } ?? []
        return fault + hint + [.init("r tries again.", .faint)]
    }

    /// `text` broken at spaces; a word that is wider than the window is cut when it is put there.
    private func wrapped(_ text: String) -> [String] {
        text.split(separator: " ").reduce(into: []) { lines, word in
            if let last = lines.last,
                DisplayWidth.of(last) + 1 + DisplayWidth.of(String(word)) <= size.columns
            {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
    }

    private func draw(_ lines: [String], _ frame: inout Frame, rows: Range<Int>) {
        let isCut = lines.count > rows.count
        for (offset, line) in lines.prefix(rows.count).enumerated() {
            let isLast = isCut && offset == rows.count - 1
            frame.put(isLast ? "…" : line, at: rows.lowerBound + offset)
        }
    }

    private func details(_ entry: IndexedPhoto) -> [String] {
        let detail = cursor.detail ?? PhotoDetail(photo: entry.photo)
        let text = DetailText(width: size.columns, style: Style(isOn: false))
        // The heading stands in the first line of the screen already.
        return Array(text.lines(IndexedPhoto(index: entry.index, photo: detail.photo), detail).dropFirst())
    }

    // MARK: - The last three lines

    private func drawBars(_ frame: inout Frame) {
        guard cursor.current != nil else { return }
        let bar = ProgressLine(columns: size.columns, tick: tick)
        switch cursor.picture {
        case .waiting: frame.put(bar.waiting("photo"), at: size.rows - 3)
        case .loading(let progress): frame.put(bar.line("photo", progress, .photoBar), at: size.rows - 3)
        case .ready(let file):
            frame.put(
                bar.line("photo", .init(received: file.bytes, expected: file.bytes), .photoBar),
                at: size.rows - 3)
        case .failed, .unavailable: break
        }
        if let preload = cursor.preload {
            frame.put(bar.line("next", preload, .preloadBar), at: size.rows - 2)
        }
    }

    var spinner: String { ProgressLine.spinner(tick) }

    private func drawStatus(_ frame: inout Frame) {
        let row = size.rows - 1
        if let prompt { return frame.put([.init("Go to photo: \(prompt)_", .title)], at: row) }
        if let notice = notice ?? standingNotice {
            return frame.put(PlainText.line(notice.text), notice.isError ? .error : .plain, at: row)
        }
        let back = depth > 0 ? "  Backspace back" : ""
        let keys = "? help  g go to  i details  f fetch  m mark\(back)  q quit"
        frame.put(left: [.init(keys, .faint)], right: [.init(feed, .faint)], at: row)
    }

    /// What the cursor has to say, as long as it is so.
    private var standingNotice: Notice? {
        if let error = cursor.pageError, cursor.current != nil {
            return Notice(text: "\(error.description) r tries again.", isError: true)
        }
        if isWaitingForPage, cursor.current != nil {
            return Notice(text: "\(spinner) Asking for more …")
        }
        switch cursor.edge {
        case .first?: return Notice(text: "This is the first photo.")
        case .last?: return Notice(text: "This is the last photo.")
        case .beyond(let index)?:
            let size = cursor.total.map { ": the feed has \($0)" } ?? ""
            return Notice(text: "There is no photo \(index)\(size).", isError: true)
        case nil: return nil
        }
    }
}
