import Foundation
import GalleryTestSupport
import Testing

/// The built program and what it owes a host: no more connections than it was told, and the wait that was asked for.
@Suite(.timeLimit(.minutes(2))) struct PoliteEndToEndTests {
    @Test(arguments: [(1, true), (1, false), (3, false)])
    func `lists, details and images share the connections that --jobs allows`(
        jobs: Int, listsFullSizes: Bool
    ) async throws {
        let pixels = PixelServer(count: 130, listsFullSizes: listsFullSizes, hasBatch: false)
        try await withGallery(pixels) { gallery, server, source in
            let outcome = try await gallery.run(["fetch", "1-130", "-j", "\(jobs)"] + source)
            #expect(outcome.status == 0 && outcome.lines.count == 130, "\(outcome.errors)")
            #expect(server.peakConnections <= jobs)
        }
    }

    @Test func `a repair keeps to the configuration's connections`() async throws {
        let pixels = PixelServer(count: 8, listsFullSizes: false, hasBatch: false)
        try await withGallery(pixels) { gallery, server, source in
            let folder = gallery.home.appending(path: ".config/gallery")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(#"{"jobs":1}"#.utf8).write(to: folder.appending(path: "config.json"))
            _ = try await gallery.run(["fetch", "1-8"] + source)
            for id in 1...8 {
                let file = gallery.folder.appending(path: "\(id)_Photo \(id).jpg")
                try FileManager.default.removeItem(at: file)
            }
            let outcome = try await gallery.run(["verify", "--repair", "--refresh"] + source)
            #expect(outcome.status == 0 && outcome.lines.count == 16, "\(outcome.all)")
            #expect(server.peakConnections == 1)
        }
    }
}
