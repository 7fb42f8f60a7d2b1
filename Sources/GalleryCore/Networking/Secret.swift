/// An API key or session: usable in a request, printable nowhere.
///
/// Description and reflection give `•••`. Only `HTTPRequest.addressWithSecrets` and `fieldsWithSecrets` send the
/// value. Others read it to keep it in: `SecretSearch` finds it in replies, the cache marks entries with 32 bits of
/// its hash. And `Pixiv` takes the number before the `_` of a session, which is public: whose bookmarks are meant.
public struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    let value: String

    /// A secret with this value, or `nil` where the value is empty.
    public init?(_ value: String) {
        guard !value.isEmpty else { return nil }
        self.value = value
    }

    /// What stands where a secret was.
    package static let shown = "•••"
    /// The same in an address.
    package static let place = "%E2%80%A2%E2%80%A2%E2%80%A2"

    /// Three bullets, whatever the value.
    public var description: String { Self.shown }

    /// Three bullets, whatever the value.
    public var debugDescription: String { description }

    /// A mirror without children, so that `dump` finds nothing either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
