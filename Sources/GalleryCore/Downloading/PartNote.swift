import Foundation

/// What stands beside a part: of which file its bytes are. Without it a part is worth nothing.
struct PartNote: Hashable, Decodable {
    /// `service:value` of the photo.
    let photo: String
    /// Which page of the photo, from 0.
    let page: Int
    /// The address without query and secrets, so that a thumbnail is never gone on with as the full size.
    let source: String
    /// The strong entity tag, or the date, that the bytes were sent with.
    let validator: String?
    /// The whole file's length in bytes, where announced.
    let total: Int64?
    /// Which run of the system wrote the bytes; see ``trusted(length:boot:)``.
    let boot: String
    /// How many bytes are known to be on the medium itself.
    var synced: Int64

    init(_ item: DownloadItem, head: HTTPHead, boot: String, now: Date) {
        photo = item.photo.description
        page = item.page
        source = Self.source(of: item)
        validator = head.isEncoded ? nil : Validator.strong(in: head, now: now)
        total = head.isEncoded ? nil : head.contentLength
        self.boot = boot
        synced = 0
    }

    /// The note as it is written.
    var text: String {
        let total = total.map { JSONValue.int(Int($0)) } ?? .null
        return JSONValue.members([
            "photo": .string(photo), "page": .int(page), "source": .string(source),
            "validator": .optional(validator), "total": total, "boot": .string(boot),
            "synced": .int(Int(synced)),
        ]).text
    }

    /// Whether the bytes are of the file that `item` wants.
    func describes(_ item: DownloadItem) -> Bool {
        photo == item.photo.description && page == item.page && source == Self.source(of: item)
    }

    /// How many of a part's `length` bytes are as they were received.
    ///
    /// What a killed process wrote is in the system's keeping. After a power cut a file may have its
    /// length and zeros in place of bytes: then only what was synced counts.
    func trusted(length: Int64, boot: String) -> Int64 { boot == self.boot ? length : min(length, synced) }

    /// What may be gone on from, given a part of `length` bytes that can be trusted.
    func offer(length: Int64) -> ResumeOffer? {
        guard length > 0, let validator, total.map({ length <= $0 }) ?? true else { return nil }
        return ResumeOffer(length: length, validator: validator, total: total)
    }

    private static func source(of item: DownloadItem) -> String {
        let url = item.source.url
        let port = url.port.map { ":\($0)" } ?? ""
        return "\(url.scheme ?? "")://\(url.host ?? "")\(port)\(url.path(percentEncoded: true))"
    }
}

/// What names one version of a file, byte for byte: RFC 9110, 8.8.
enum Validator {
    /// The strong entity tag, else a date old enough that two versions cannot share it; `nil` for neither.
    static func strong(in head: HTTPHead, now: Date) -> String? {
        if let tag = head["ETag"], tag.count >= 2, tag.hasPrefix("\""), tag.hasSuffix("\""), isPlain(tag) {
            return tag
        }
        guard let field = head["Last-Modified"], isPlain(field), let modified = HTTPDate.parse(field) else {
            return nil
        }
        // RFC 9110, 8.8.2.2: strong if it lies at least a second before the host's own clock. Two, for rounding.
        let date = head["Date"].flatMap(HTTPDate.parse) ?? now
        return date.timeIntervalSince(modified) >= 2 ? field : nil
    }

    private static func isPlain(_ text: String) -> Bool {
        text.utf8.count <= 1000 && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }
}
