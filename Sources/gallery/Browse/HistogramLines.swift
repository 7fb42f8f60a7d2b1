import GalleryCore
import PictureFiles
import TerminalPictures

// The histogram and the facts of what is shown, in the place of the photo's details.

extension Histogram {
    /// How many lines the luminance takes; colors take one each.
    private static let rows = 4
    private static let blocks = Array(" ▁▂▃▄▅▆▇█")

    func lines(_ channel: Channel, columns: Int, rows: Int) -> [String] {
        let heights = heights(channel, columns: columns).map { height in
            // What is there is seen.
            height > 0 ? max(1, Int((height * Double(8 * rows)).rounded())) : 0
        }
        return (1...rows).map { row in
            String(heights.map { Self.blocks[min(8, max(0, $0 - 8 * (rows - row)))] })
        }
    }

    /// All channels, as wide as `width` allows.
    func spans(width: Int) -> [Frame.Span] {
        let columns = min(64, width)
        let colors: KeyValuePairs<Channel, Frame.Look> = [.red: .red, .green: .green, .blue: .blue]
        return lines(.luminance, columns: columns, rows: Self.rows).map { Frame.Span($0) }
            + colors.map { Frame.Span(lines($0, columns: columns, rows: 1)[0], $1) }
    }
}

extension BrowseModel {
    var wantedLook: WantedLook? {
        guard sidePanel.isShown, sidePanel.showsLook, mode == .photo, let entry = photo,
            let file = currentFile
        else { return nil }
        return WantedLook(file: entry.photo.ownFile ?? file, pixels: file)
    }

    func panelLines(_ entry: IndexedPhoto, width: Int) -> [Frame.Span] {
        guard sidePanel.showsLook else { return details(entry, width: width).map { Frame.Span($0) } }
        guard let look = sidePanel.look, sidePanel.lookedAt == wantedLook else {
            // About as many lines as there will be, so that the picture need not move.
            return [Frame.Span("Reading the file …", .faint)] + Array(repeating: Frame.Span(""), count: 16)
        }
        let histogram = look.histogram?.spans(width: width) ?? []
        let words = [look.clipped, look.remark].compactMap(\.self).flatMap { wrapped($0, width: width) }
        return look.facts(width: width).map { Frame.Span($0) } + (histogram.isEmpty ? [] : [Frame.Span("")])
            + histogram + words.map { Frame.Span($0) }
    }

    /// Shows details, or what the file says, or nothing where that is shown already.
    mutating func togglePanel(look: Bool) {
        sidePanel.isShown = !sidePanel.isShown || sidePanel.showsLook != look
        sidePanel.showsLook = look
        sidePanel.top = 0
        mode = .photo
    }
}

extension BrowseSession {
    /// Looks at the file that is shown, if that is wanted, beside the keys: what comes too late is dropped.
    func look(_ reader: PictureReader?) {
        guard let wanted = model.wantedLook, wanted != model.sidePanel.lookedAt, let reader else { return }
        (model.sidePanel.lookedAt, model.sidePanel.look) = (wanted, nil)
        beside { [events] in
            let look = await reader.look(at: wanted)
            events.change { if $0.sidePanel.lookedAt == wanted { $0.sidePanel.look = look } }
        }
    }
}

extension PictureLook {
    /// What the file says in lines of at most `width` columns; `nil` for as long as they are.
    func facts(width: Int?) -> [String] {
        let detail = PhotoDetail(ofFileSaying: metadata, size: size)
        let text = DetailText(width: width, style: Style(isOn: false))
        // Without the heading.
        return Array(text.lines(IndexedPhoto(index: nil, photo: detail.photo), detail).dropFirst())
    }
}
