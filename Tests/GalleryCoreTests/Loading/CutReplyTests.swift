import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

/// Lists whose replies end too early, at each of their bytes, over the workers that the program has.
@Suite(.fewAtOnce, .timeLimit(.minutes(3))) struct CutReplyTests {
    @Test(arguments: ReplyForm.allCases)
    func `a list whose reply is cut at any byte arrives at the second try`(form: ReplyForm) async throws {
        let list = #"{"photos":[{"id":1,"name":"One"}]}"#
        let whole = form.bytes(of: Data(list.utf8), contentType: "application/json")
        try await withLocalServer { request in
            let end = request.attempt == 1 ? Int(request.path.dropFirst()) : whole.count
            return .raw(whole.prefix(end ?? 0))
        } run: { server in
            let bench = ClientBench(server)
            let transport = URLSessionTransport(workers: try TestWorkers().workers(), connections: 16)
            let ends = Thorough.cases(0..<whole.count, few: 12)
            let requests = ends.map { bench.request("\($0)") }
            let outcomes = await bench.client(over: transport).replies(to: requests)
            for (end, outcome) in zip(ends, outcomes) { #expect(outcome.text == list, "cut at \(end)") }
            let needless = form == .chunked && ends.contains(whole.count - 1) ? 1 : 0
            #expect(server.requests.count == 2 * ends.count - needless)
        }
    }
}
