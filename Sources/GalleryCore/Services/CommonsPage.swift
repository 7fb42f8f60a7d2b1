import Foundation

// MARK: - Wire format
// Spelled as on the wire, so a field can be found in the vendor's page by name.

/// A page of the wiki, with its file where it has one.
struct CommonsPage: Decodable, Sendable {
    let pageid: WireInt?
    let title: String?
    let index: WireInt?
    var imageinfo: [WireInfo]?

    /// What is the same in every answer about this page; pages that do not exist have no number.
    var key: String { pageid?.value.map { "\($0)" } ?? title ?? "" }

    var uploaded: Date? { imageinfo?.first?.timestamp?.value }

    struct WireInfo: Decodable, Sendable {
        let url: String?
        let descriptionurl: String?
        let width: WireInt?
        let height: WireInt?
        let thumburl: String?
        let thumbwidth: WireInt?
        let thumbheight: WireInt?
        let mime: String?
        let user: String?
        let timestamp: WireDate?
        let extmetadata: WireMetadata?
    }

    /// Fields of the file's page, HTML from its templates; every one may be absent.
    struct WireMetadata: Decodable, Sendable {
        private let fields: [String: WireField]

        private struct WireField: Decodable, Sendable {
            let value: WireScalar?
        }

        init(from decoder: any Decoder) throws {
            // PHP writes an object without members as `[]`.
            if let list = try? decoder.unkeyedContainer(), list.isAtEnd {
                fields = [:]
                return
            }
            let object = try decoder.container(keyedBy: AnyKey.self)
            var fields: [String: WireField] = [:]
            for name in CommonsImporter.metadata {
                fields[name] = try object.decodeIfPresent(WireField.self, forKey: AnyKey(stringValue: name))
            }
            self.fields = fields
        }

        /// The plain text of a field; `nil` where there is none.
        func text(_ name: String) -> String? {
            guard let html = fields[name]?.value?.text else { return nil }
            let text = Markup.plain(Self.shown(html)).trimmingCharacters(in: .whitespacesAndNewlines)
            return text.isEmpty ? nil : text
        }

        func number(_ name: String) -> Double? { text(name).flatMap { Double($0) } }

        /// The day, and the time where there is one, wherever in the HTML they stand: in the text, or in
        /// `<time datetime="2015-09-12">`. A year alone is no day.
        func date(_ name: String) -> Date? {
            let html = Self.shown(fields[name]?.value?.text ?? "")
            let moment = /[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}:[0-9]{2})?/
            return html.firstMatch(of: moment).flatMap { WireDate.withoutZone(String($0.output.0)) }
        }

        /// Without what templates hide from readers: `<div style="display: none;">date QS:P,+1891…</div>`.
        private static func shown(_ html: String) -> String {
            var shown = ""
            var rest = html[...]
            while let style = rest.firstRange(of: /display: ?none/),
                let open = rest[..<style.lowerBound].lastIndex(of: "<"),
                !rest[open..<style.lowerBound].contains(">")
            {
                shown += rest[..<open]
                let name = rest[rest.index(after: open)...].prefix { $0.isLetter }
                rest = rest[style.upperBound...]
                rest = rest.firstRange(of: "</\(name)>").map { rest[$0.upperBound...] } ?? ""
            }
            return shown + rest
        }
    }
}
