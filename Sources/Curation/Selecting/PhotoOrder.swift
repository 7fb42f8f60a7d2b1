import Foundation
import GalleryCore

/// An order of photos other than that of their list.
package enum PhotoOrder: Hashable, Sendable {
    /// By what is known of them; those of which it is not known come last.
    case sorted(by: Key, isReversed: Bool)
    /// By chance, the same for the same number.
    case shuffled(seed: UInt64)

    /// What photos are sorted by: the earliest, fewest, or first of the alphabet come first.
    package enum Key: String, CaseIterable, Sendable {
        case taken, published, pixels, likes, stars, title

        fileprivate func value(of photo: Photo) -> (Double, String)? {
            switch self {
            case .taken: photo.taken.map { ($0.timeIntervalSince1970, "") }
            case .published: photo.published.map { ($0.timeIntervalSince1970, "") }
            case .pixels: photo.size.map { (Double($0.width) * Double($0.height), "") }
            case .likes: photo.likes.map { (Double($0), "") }
            case .stars: photo.stars.map { (Double($0), "") }
            case .title: photo.title.isEmpty ? nil : (0, photo.title.folded)
            }
        }
    }

    package func ordered(_ photos: [IndexedPhoto]) -> [IndexedPhoto] {
        switch self {
        case .sorted(let key, let isReversed):
            let known = photos.compactMap { entry in key.value(of: entry.photo).map { (entry, value: $0) } }
            let sorted = known.sorted { isReversed ? $0.value > $1.value : $0.value < $1.value }
            return sorted.map(\.0) + photos.filter { key.value(of: $0.photo) == nil }
        case .shuffled(let seed):
            var generator = SplitMix(state: seed)
            return photos.shuffled(using: &generator)
        }
    }

    /// The generator of Steele, Lea, and Flood (2014): the system's cannot be started from a number.
    private struct SplitMix: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }
}
