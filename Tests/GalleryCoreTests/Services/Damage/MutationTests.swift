import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

/// Recorded replies, damaged byte by byte: photos that can be shown, or an error with a status, and never an end
/// of the process.
///
/// `GALLERY_THOROUGH=20 swift test --filter MutationTests` tries ten thousand mutations of what the same code reads.
@Suite("Mutations of recorded replies", .fewAtOnce, .timeLimit(.minutes(30)))
struct MutationTests {
    private static let readers = Result {
        Dictionary(grouping: try MutationTarget.all(), by: \.readBy).mapValues(\.count)
    }

    /// Recordings that the same code reads share five hundred mutations, and none has less than a hundred and fifty;
    /// in the quick tier each has three.
    private static func count(for target: MutationTarget) throws -> Int {
        try Thorough.rounds(max(150, 500 / readers.get()[target.readBy, default: 1]), few: 3)
    }

    @Test(arguments: try MutationTarget.all())
    func `a damaged reply gives photos or an error`(target: MutationTarget) throws {
        let whole = [UInt8](try target.recording())
        // Each mutation has its own seed, so that one that fails can be made again by its number.
        let seed = target.name.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        try target.expectAnswers(Self.count(for: target)) { number in
            var bytes = whole
            var mutation = Mutation(seed: seed &+ UInt64(number))
            mutation.damage(&bytes)
            return Data(bytes)
        }
    }

    @Test func `undamaged, recordings of each service give photos`() throws {
        let services = try MutationTarget.all().filter { target in
            let photos = try? target.read(target.recording())
            return photos?.isEmpty == false
        }.map { $0.name.prefix { $0 != "/" } }
        #expect(
            Set(services) == [
                "500px", "flickr", "commons", "pixiv", "sample", "openverse", "picsum", "artic", "cleveland",
                "inaturalist", "met", "nasa", "wallhaven", "feeds", "iiif",
            ])
        // Half of all: the others are errors, people, and answers of interfaces that are not read.
        #expect(services.count >= 40)
    }
}

/// Recorded replies of every service, damaged field by field, and cut.
@Suite("Recorded replies, damaged field by field", .fewAtOnce) struct RecordingDamageTests {
    /// A recording, and those of its fields that no recording before it has which the same code reads: ten lists
    /// of one service say of a field ten times the same.
    struct Damage: Sendable, CustomTestStringConvertible {
        let target: MutationTarget
        let recording: Recording
        let paths: Set<String>

        var testDescription: String { "\(target.testDescription), \(paths.count) fields" }

        static func all() throws -> [Damage] {
            var known: [String: Set<String>] = [:]
            return try MutationTarget.all().filter(\.isJSON).map { target in
                let recording = try Recording(Flickr.withoutCallback(target.recording()))
                let paths = recording.paths.subtracting(known[target.readBy, default: []])
                known[target.readBy, default: []].formUnion(paths)
                return Damage(target: target, recording: recording, paths: paths)
            }
        }
    }

    @Test(arguments: try Damage.all())
    func `every field replaced or removed gives photos or an error`(damage: Damage) {
        let recording = damage.recording
        let bodies = recording.damagedOnce(at: damage.paths) + recording.damagedOften(100, seed: 0xC0)
        #expect(bodies.count >= 100 + 5 * damage.paths.count)
        let tried = Thorough.cases(bodies, few: 6)
        damage.target.expectAnswers(tried.count) { tried[$0] }
    }

    @Test(arguments: try MutationTarget.all())
    func `a reply cut anywhere gives an error`(target: MutationTarget) throws {
        let whole = try target.recording()
        let lengths = Array(stride(from: 0, to: whole.count, by: max(1, whole.count / 40)))
        for length in Thorough.cases(lengths, few: 3) {
            let cut = whole.prefix(length)
            if target.isNeeded {
                #expect(throws: ServiceError.self, "cut at \(length)") { try target.read(cut) }
            } else {
                #expect(target.complaint(about: cut) == nil, "cut at \(length)")
            }
        }
    }
}
