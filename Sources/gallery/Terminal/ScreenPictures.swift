import Foundation

/// The pictures of a screen: those that are shown, those that are being painted, and a few that were shown before.
actor ScreenPictures {
    /// A painted picture and the cell it belongs to.
    struct Placed: Sendable {
        let picture: PaintedPicture
        let cell: PictureBox.Cell
    }

    private let painter: PicturePainter
    private let wake: @Sendable () -> Void
    private let report: @Sendable (URL, [String]) -> Void
    private var painted: [Frame.Picture: Placed] = [:]
    private var order: [Frame.Picture] = []
    private var bytes = 0
    private var unpaintable: Set<Frame.Picture> = []
    private var tasks: [Frame.Picture: Task<Void, Never>] = [:]
    private var shown: [Frame.Picture: Placed] = [:]

    /// Painted pictures kept: the neighbours of one, or a grid.
    private static let limit = 48
    /// Bytes of all that are kept.
    private static let mostBytes = 64 << 20
    /// Pictures painted at the same time, each of them perhaps by a program.
    private static let atOnce = 4

    init(
        _ painter: PicturePainter, wake: @escaping @Sendable () -> Void,
        report: @escaping @Sendable (URL, [String]) -> Void
    ) {
        self.painter = painter
        self.wake = wake
        self.report = report
    }

    /// What removes all pictures but these from the terminal. Nobody paints the others any longer.
    func clear(keeping kept: [Frame.Picture], _ themed: Screen.ThemedFrame) -> String {
        let wanted = Set(themed.frame.pictures + themed.frame.upcoming)
        for (picture, task) in tasks where !wanted.contains(picture) {
            task.cancel()
            tasks[picture] = nil
        }
        var text = ""
        for (picture, place) in shown where !kept.contains(picture) {
            shown[picture] = nil
            text += ScreenText.cursor(place.cell) + String(decoding: place.picture.clearing, as: UTF8.self)
            text += ScreenText.blank(picture.box, themed)
        }
        return text
    }

    /// The picture, where it is painted and not shown yet; it is painted where it is not.
    func ready(_ picture: Frame.Picture) -> Placed? {
        if shown[picture] != nil { return nil }
        if let place = painted[picture] { return place }
        begin(picture)
        return nil
    }

    /// Paints a picture that may be wanted next, once all that are shown are painted.
    func prepare(_ picture: Frame.Picture) {
        if tasks.isEmpty, painted[picture] == nil { begin(picture) }
    }

    private func begin(_ picture: Frame.Picture) {
        // For the others there is another look once one of these is painted.
        guard tasks[picture] == nil, tasks.count < Self.atOnce, !unpaintable.contains(picture) else { return }
        tasks[picture] = Task { await paint(picture) }
    }

    /// What could not be painted is tried again when it is wanted next.
    func forgetFailures() { unpaintable = [] }

    /// The picture is on the terminal.
    func didShow(_ picture: Frame.Picture) { shown[picture] = painted[picture] }

    private func paint(_ picture: Frame.Picture) async {
        guard let outcome = try? await painter.paint(picture.file, in: picture.box), !Task.isCancelled else {
            return
        }
        tasks[picture] = nil
        switch outcome {
        case .words(let lines):
            unpaintable.insert(picture)
            report(picture.file, lines)
        case .painted(let result):
            painted[picture] = Placed(picture: result, cell: cell(of: result, in: picture))
            order.append(picture)
            bytes += result.size
            while order.count > Self.limit || order.count > 1 && bytes > Self.mostBytes {
                bytes -= painted.removeValue(forKey: order.removeFirst())?.picture.size ?? 0
            }
            wake()
        }
    }

    private func cell(of result: PaintedPicture, in picture: Frame.Picture) -> PictureBox.Cell {
        var cell = picture.box.origin ?? PictureBox.Cell(row: 1, column: 1)
        // Through tmux such a picture goes to the cell that it was painted for.
        let isBound = painter.support.isInTmux && painter.support.method == .iterm
        guard picture.isCentred, !isBound else { return cell }
        cell.row += max(0, picture.box.rows - result.rows) / 2
        cell.column += max(0, picture.box.columns - result.columns) / 2
        return cell
    }
}
