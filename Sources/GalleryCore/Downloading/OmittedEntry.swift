import Foundation

/// One line of a folder's record: a file that was left out since another has its bytes.
///
/// Thus the next run need not transfer it to find out once more.
struct OmittedEntry: Hashable, Decodable {
    /// Which file it was: ``key(of:)``.
    let leftOut: String
    /// The path below the folder of the file with the same bytes.
    let sameAs: String
    /// Their length in bytes.
    let bytes: Int64
    /// The XXH64 of its bytes.
    let digest: String

    init(_ item: DownloadItem, sameAs: String, _ print: UniqueFiles.Print) {
        leftOut = Self.key(of: item)
        self.sameAs = sameAs
        bytes = print.bytes
        digest = print.digest
    }

    /// Which file an item is, in one text: size, page and photo.
    static func key(of item: DownloadItem) -> String {
        "\(item.size.rawValue) \(item.page) \(item.photo)"
    }

    /// The line, with its end. The key comes first: that is how ``Manifest`` finds it.
    var line: [UInt8] {
        let value = JSONValue.members([
            "leftOut": .string(leftOut), "sameAs": .string(sameAs), "bytes": .int(Int(bytes)),
            "digest": .string(digest),
        ])
        return Array(value.text.utf8) + [0x0A]
    }

    /// The entry that a line is; `nil` for a torn one.
    init?(line: some Collection<UInt8>) {
        guard let entry = try? JSONDecoder().decode(OmittedEntry.self, from: Data(line)) else { return nil }
        self = entry
    }
}
