import GalleryCore
import TerminalPictures

/// The photos that are selected in the grid, for keys that act on all of them.
struct GridSelection: Hashable, Sendable {
    /// Photos in a row, from where the selection began to where one has moved.
    fileprivate struct Stretch: Hashable, Sendable {
        let anchor: Int
        let former: [Int: IndexedPhoto]
        /// Whether it ends with the first move without Shift.
        let isHeld: Bool
    }

    private var photos: [Int: IndexedPhoto] = [:]
    fileprivate var stretch: Stretch?

    var entries: [IndexedPhoto] { photos.sorted { $0.key < $1.key }.map(\.value) }
    var count: Int { photos.count }
    var isEmpty: Bool { photos.isEmpty }

    func contains(_ entry: IndexedPhoto) -> Bool { entry.index.map { photos[$0] != nil } ?? false }

    mutating func toggle(_ entry: IndexedPhoto) {
        stretch = nil
        guard let index = entry.index else { return }
        photos[index] = photos[index] == nil ? entry : nil
    }

    /// Moves from now on select all photos from this one on; if `isHeld`, until the first move without Shift.
    mutating func begin(at entry: IndexedPhoto, isHeld: Bool) {
        guard let index = entry.index else { return }
        stretch = Stretch(anchor: index, former: photos, isHeld: isHeld)
        photos[index] = entry
    }

    mutating func reach(_ index: Int, in run: [IndexedPhoto], withShift: Bool) {
        guard let stretch else { return }
        guard withShift || !stretch.isHeld else {
            self.stretch = nil
            return
        }
        let range = min(stretch.anchor, index)...max(stretch.anchor, index)
        photos = stretch.former
        for entry in run {
            if let index = entry.index, range.contains(index) { photos[index] = entry }
        }
    }
}

extension BrowseModel {
    /// The photos that keys act on: those selected in the grid, or else the one.
    var chosen: [IndexedPhoto] {
        guard mode == .grid, !grid.selection.isEmpty else { return [photo].compactMap(\.self) }
        return grid.selection.entries
    }

    /// Handles the keys that select in the grid; `nil` for others.
    mutating func pressSelecting(_ key: Key) -> [BrowseAction]? {
        switch key {
        case .character(" "):
            if let photo { grid.selection.toggle(photo) }
        case .character("V") where grid.selection.stretch != nil, .escape where grid.selection.stretch != nil:
            // What is selected stays so.
            grid.selection.stretch = nil
        case .character("V"):
            if let photo { grid.selection.begin(at: photo, isHeld: false) }
        case .shift(let arrow):
            if grid.selection.stretch == nil, let photo { grid.selection.begin(at: photo, isHeld: true) }
            let actions = moveInGrid(arrow)
            grid.selection.reach(grid.selected, in: cursor.run, withShift: true)
            return actions
        case .escape where !grid.selection.isEmpty: grid.selection = GridSelection()
        default: return nil
        }
        return []
    }
}
