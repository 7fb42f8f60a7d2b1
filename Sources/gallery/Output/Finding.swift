import Basics
import Foundation
import TerminalPictures

struct Finding: Hashable, Sendable {
    /// What it is about, in the order they are printed.
    enum Topic: String, CaseIterable, Sendable {
        case gallery, configuration, keys, folders, cache, terminal, programs, locale, proxies, services
    }

    enum Status: String, Sendable {
        case ok
        /// Something does less than it could.
        case note
        /// Something that should work does not.
        case broken
    }

    let topic: Topic
    let name: String
    let status: Status
    /// What was found, without any secret.
    let text: String
    /// The command that fixes it, or what to do; `nil` where nothing needs fixing.
    let help: String?

    init(_ topic: Topic, _ name: String, _ status: Status, _ text: String, help: String? = nil) {
        (self.topic, self.status) = (topic, status)
        self.name = PlainText.excerpt(name)
        self.text = PlainText.excerpt(text, limit: 300)
        self.help = help.map(PlainText.line)
    }

    init(_ topic: Topic, _ name: String, _ text: String) { self.init(topic, name, .ok, text) }

    var json: JSONValue {
        .members([
            "topic": .string(topic.rawValue), "name": .string(name), "status": .string(status.rawValue),
            "text": .string(text), "help": .optional(help),
        ])
    }
}

extension [Finding] {
    var lines: [String] {
        let width = map { DisplayWidth.usual.of($0.name) }.max() ?? 0
        return Finding.Topic.allCases.flatMap { topic -> [String] in
            let found = filter { $0.topic == topic }
            guard !found.isEmpty else { return [] }
            return [topic.rawValue.capitalized]
                + found.flatMap { finding in
                    let status = DisplayWidth.usual.padded(finding.status.rawValue, to: 6)
                    let name = DisplayWidth.usual.padded(finding.name, to: width)
                    return ["  \(status)  \(name)  \(finding.text)"]
                        + (finding.help.map { ["          Help: \($0)"] } ?? [])
                }
        }
    }
}
