import Foundation

/// Addresses that a reply names: only those a gallery has a reason to open.
enum WebAddress {
    /// `text` as an http or https address with a host.
    ///
    /// With `files`, a relative path below that folder is taken instead, and nothing else.
    static func url(_ text: String, relativeTo files: URL? = nil) -> URL? {
        if let files {
            guard !text.hasPrefix("/"), !text.contains(":"), !text.split(separator: "/").contains("..") else {
                return nil
            }
            return files.appending(path: text)
        }
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(),
            scheme == "http" || scheme == "https", url.host?.isEmpty == false
        else { return nil }
        return url
    }
}

extension WireText {
    /// The text, or `nil` where it is empty: services send `""` for what they do not know.
    var filled: String? { value.isEmpty ? nil : value }
}
