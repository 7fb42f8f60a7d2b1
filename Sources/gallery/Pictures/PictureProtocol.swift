import GalleryCore

/// One way to show pictures on a terminal.
///
/// A protocol is one file, which extends this type with a static value; ``all`` and ``PictureChoice`` are the only
/// other places that name it.
struct PictureProtocol: Sendable {
    /// What `--picture` calls it.
    let name: String
    /// Whether a multiplexer has to pass its sequences on to the terminal around it.
    let needsPassthrough: Bool
    /// Whether it needs `chafa` for every picture.
    let needsChafa: Bool
    /// Whether this terminal is known to support it.
    let isSupported: @Sendable (PictureSupport) -> Bool
    /// Paints one picture or a part of it, or all frames of an animation: none where the terminal plays files itself,
    /// or cannot.
    let paint: @Sendable (PictureJob) async throws(Chafa.Fault) -> [PaintedPicture]

    /// Every protocol, the best first; the last one works on any terminal.
    static let all: [PictureProtocol] = [.iterm, .kitty, .sixel, .symbols]
}

extension PictureProtocol: Hashable {
    static func == (one: PictureProtocol, other: PictureProtocol) -> Bool { one.name == other.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// What of a picture is shown.
enum PicturePart: Hashable, Sendable {
    case whole
    /// A frame of an animation, from 0.
    case frame(Int)
    /// A part of it, enlarged.
    case view(Viewport)
}

/// One picture to paint, with its size on the screen settled.
struct PictureJob: Sendable {
    let picture: InspectedPicture
    let part: PicturePart
    /// Of an animation whose frames are wanted; `nil` for a still picture.
    let timeline: AnimationTimeline?
    let box: PictureBox
    let fit: PictureFit
    let support: PictureSupport
    /// The size of a cell.
    let cell: CellSize
    let chafa: Chafa
    let kitty: KittyMemory
    /// The upper left cell on the screen around tmux; `nil` if unknown, or outside tmux.
    let outerPosition: CellPosition?
    /// The largest sixel picture the terminal shows; `nil` for any size.
    let sixelLimit: SixelLimit?
}
