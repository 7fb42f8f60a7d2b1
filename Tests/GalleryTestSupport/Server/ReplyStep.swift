import Foundation

/// One action of the server on a connection while it replies.
enum ReplyStep: Sendable {
    case send(LocalBody)
    case wait(Duration)
    /// Waits until the gate opens or, without a gate, until the server stops.
    case hold(Gate?)
    case end(LocalEnding)
}

extension LocalReply {
    /// All steps in order; the connection stays open if no step ends it.
    func steps(for request: LocalRequest) -> [ReplyStep] {
        switch content {
        case .raw(let bytes):
            return latency + bodySteps(bytes, chunk: nil) + [.end(.close)]
        case .answer(let answer):
            return latency + steps(answer, for: request)
        case .file(let file):
            return latency + steps(file.answer(to: request), for: request)
        }
    }

    private func steps(_ answer: Answer, for request: LocalRequest) -> [ReplyStep] {
        let isBodiless = request.method == "HEAD" || answer.status == 304 || answer.status == 204
        let head = ReplyStep.send(LocalBody(head(answer)))
        let body = bodySteps(isBodiless ? "" : answer.body, chunk: isBodiless ? nil : chunkSize)
        let isDelimited =
            switch framing {
            case .length, .chunked: true
            case .announced, .untilClose: false
            }
        let ends = closes || !isDelimited || request.wantsClose
        return [head] + body + (ends ? [.end(.close)] : [])
    }

    private var chunkSize: Int? {
        if case .chunked(let size) = framing { size } else { nil }
    }

    private func head(_ answer: Answer) -> Data {
        var headers = answer.headers
        switch framing {
        case .length where answer.status == 304 || answer.status == 204: break
        case .length: headers.set("Content-Length", "\(answer.body.count)")
        case .announced(let length): headers.set("Content-Length", "\(length)")
        case .chunked: headers.set("Transfer-Encoding", "chunked")
        case .untilClose: headers.set("Connection", "close")
        }
        for edit in edits { edit(&headers) }
        var head = Data("HTTP/1.1 \(answer.status) \(Self.reasons[answer.status] ?? "Status")".utf8)
        for line in headers.lines { head += Data("\r\n\(line.name): ".utf8) + line.value }
        return head + Data("\r\n\r\n".utf8)
    }

    /// The body, split at each event, up to the first event that ends it.
    private func bodySteps(_ body: LocalBody, chunk: Int?) -> [ReplyStep] {
        var steps: [ReplyStep] = []
        var sent = 0
        for event in events(in: body.count, chunk: chunk) {
            if event.offset > sent { steps.append(.send(body.slice(sent..<event.offset))) }
            sent = event.offset
            steps.append(event.step)
            if case .end = event.step { return steps }
        }
        if sent < body.count { steps.append(.send(body.slice(sent..<body.count))) }
        return steps
    }

    private struct Event {
        let offset: Int
        let step: ReplyStep
    }

    /// The events between the bytes of the body: faults first, then chunk framing.
    private func events(in count: Int, chunk: Int?) -> [Event] {
        var events = interruptions.map { Event(offset: $0.point.offset(in: count), step: $0.step) }
        if let drip {
            events += stride(from: drip.bytes, to: count, by: drip.bytes)
                .map { Event(offset: $0, step: .wait(drip.interval)) }
        }
        if let chunk {
            events += stride(from: 0, to: count, by: chunk).map { start in
                let size = String(min(chunk, count - start), radix: 16)
                return Event(offset: start, step: .text("\(start == 0 ? "" : "\r\n")\(size)\r\n"))
            }
            events.append(Event(offset: count, step: .text("\(count == 0 ? "" : "\r\n")0\r\n\r\n")))
        }
        // The index breaks ties: `sorted` is not documented to be stable.
        return events.enumerated()
            .sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
            .map(\.element)
    }

    private static let reasons = [
        200: "OK", 204: "No Content", 206: "Partial Content", 301: "Moved Permanently", 302: "Found",
        304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request",
        401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 408: "Request Timeout",
        416: "Range Not Satisfiable", 429: "Too Many Requests", 500: "Internal Server Error",
        502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
    ]
}

extension ReplyStep {
    fileprivate static func text(_ text: String) -> ReplyStep {
        .send(LocalBody(Data(text.utf8)))
    }
}
