import Foundation
import GalleryCore

/// How long each frame of an animated picture is shown.
struct AnimationTimeline: Hashable, Sendable {
    /// Milliseconds, of two frames or more.
    let delays: [Int]

    /// No frame is shown for a shorter time, so that terminals keep up: ten frames a second.
    static let shortest = 100
    /// The most frames to play.
    static let mostFrames = 400

    /// - Parameter delays: As the file has them. Like browsers, this takes 10 ms or less for 100 ms.
    /// - Returns: `nil` for less than two frames.
    init?(delays: [Int]) {
        guard delays.count > 1 else { return nil }
        self.delays = delays.map { $0 <= 10 ? 100 : $0 }
    }

    /// The frame to show after `frame`, and the milliseconds until then.
    ///
    /// Frames of a faster animation are left out, so that it keeps its pace.
    func step(from frame: Int) -> (frame: Int, milliseconds: Int) {
        var (next, time) = (frame % delays.count, 0)
        repeat {
            time += delays[next]
            next = (next + 1) % delays.count
        } while time < Self.shortest && next != frame % delays.count
        return (next, max(time, Self.shortest))
    }
}

/// An animated picture that is being played, or paused.
struct Playback: Hashable, Sendable {
    let file: URL
    let timeline: AnimationTimeline
    var frame = 0
    var isPaused = false
}

extension InspectedPicture {
    /// Its frames' times; `nil` for a still picture. This blocks.
    var timeline: AnimationTimeline? {
        AnimationTimeline(
            delays: type.frameDelays(
                descriptor: file.number, length: Int64(length), most: AnimationTimeline.mostFrames))
    }
}

/// What an animation's frames are painted for.
struct AnimationKey: Hashable, Sendable {
    let file: URL
    let box: PictureBox
    let cell: CellSize

    /// The most bytes of frames to keep.
    static let mostBytes = 48 << 20
}
