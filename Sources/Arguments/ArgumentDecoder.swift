/// Creates a command from its parsed values, through the initializer that the compiler
/// synthesizes for `Decodable` types.
final class ArgumentDecoder {
    private let values: ParsedValues
    /// The tokens of all decoded properties.
    private(set) var usedTokens: [Int] = []

    init(_ values: ParsedValues) { self.values = values }

    func decode<Command: Decodable>(_ type: Command.Type) throws -> Command {
        try Command(from: PropertyDecoder(source: self, key: PropertyKey(path: []), codingPath: []))
    }

    fileprivate func take(_ key: PropertyKey) -> ParsedValue? {
        let stored = values[key]
        usedTokens += stored?.origin ?? []
        return stored
    }
}

/// The part of the command line that belongs to one property wrapper or option group.
struct PropertyDecoder: Decoder {
    fileprivate let source: ArgumentDecoder
    let key: PropertyKey
    let codingPath: [any CodingKey]
    var stored: ParsedValue?

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<K: CodingKey>(keyedBy type: K.Type) -> KeyedDecodingContainer<K> {
        KeyedDecodingContainer(PropertyContainer(parent: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw ParserError.invalidState }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw ParserError.invalidState }
}

private struct PropertyContainer<K: CodingKey>: KeyedDecodingContainerProtocol {
    let parent: PropertyDecoder

    var codingPath: [any CodingKey] { parent.codingPath }
    var allKeys: [K] { [] }

    private func key(_ key: K) -> PropertyKey { PropertyKey(path: parent.key.path + [key.stringValue]) }

    func contains(_ key: K) -> Bool { parent.source.take(self.key(key))?.value != nil }

    func decodeNil(forKey key: K) -> Bool { !contains(key) }

    func decode<T: Decodable>(_ type: T.Type, forKey key: K) throws -> T {
        try T(
            from: PropertyDecoder(
                source: parent.source, key: self.key(key), codingPath: codingPath + [key],
                stored: parent.source.take(self.key(key))))
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: K
    ) throws -> KeyedDecodingContainer<NestedKey> { throw ParserError.invalidState }
    func nestedUnkeyedContainer(forKey key: K) throws -> any UnkeyedDecodingContainer {
        throw ParserError.invalidState
    }
    func superDecoder() throws -> any Decoder { throw ParserError.invalidState }
    func superDecoder(forKey key: K) throws -> any Decoder { throw ParserError.invalidState }
}
