import Foundation
import GalleryTestSupport
import Testing

/// The built program and replies that end too early, at each of their bytes.
@Suite(.fewAtOnce, .timeLimit(.minutes(3))) struct CutReplyEndToEndTests {
    @Test(arguments: ReplyForm.allCases)
    func `a photo whose reply is cut at any byte arrives at the second try`(form: ReplyForm) async throws {
        let picture = Pictures.jpeg(width: 8, height: 8)
        let whole = form.bytes(of: picture, contentType: "image/jpeg")
        try await withLocalServer { request in
            let end = request.attempt == 1 ? Int(request.path.dropFirst()) : whole.count
            return .raw(whole.prefix(end ?? 0))
        } run: { server in
            try await withBuiltProduct { gallery in
                let ends = Thorough.cases(0..<whole.count, few: 6)
                let photos = ends.map { end in
                    #"{"service":"500px","id":"\#(end)","title":"P","full":{"url":"\#(server.url("\(end)"))"}}"#
                }
                let outcome = try await gallery.runWell(
                    ["fetch", "-", "-j", "16"], environment: ["GALLERY_500PX_KEY": "none"],
                    input: Data(photos.joined(separator: "\n").utf8))
                #expect(outcome.lines.count == ends.count)
                for end in ends {
                    let file = gallery.folder.appending(path: "\(end)_P.jpg")
                    #expect(FileManager.default.contents(atPath: file.path) == picture, "cut at \(end)")
                }
                // Each cut is noticed, and no more is asked for than that.
                let needless = form == .chunked && ends.contains(whole.count - 1) ? 1 : 0
                #expect(server.requests.count == 2 * ends.count - needless)
            }
        }
    }
}
