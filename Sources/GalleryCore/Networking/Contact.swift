import Foundation

/// Who answers for the requests of this program: the address that a host's people write to. Wikimedia counts requests
/// by operator, and allows more to those who name themselves.
package struct Contact: Hashable, Sendable {
    /// A mail address or a web address: ASCII without spaces and what ends a comment in a header field.
    let text: String

    /// `nil` if `text` is neither, or longer than 200 bytes.
    package init?(_ text: String) {
        let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !#"()\;"#.utf8.contains($0) }
        guard isPlain, text.utf8.count <= 200 else { return nil }
        let isMail = text.wholeMatch(of: /[^@\/:]+@[^@\/:.]+(\.[^@\/:.]+)+/) != nil
        // What stands before an `@` there may be a password.
        let isPage = WebAddress.url(text).map { $0.user == nil && $0.password == nil } ?? false
        guard isMail || isPage else { return nil }
        self.text = text
    }
}
