/// Unpacks what zlib has packed.
///
/// Source: RFC 1950, 2.2; RFC 1951, 3.2.
package struct Inflation {
    private let input: [UInt8]
    /// In bits, from the least significant one of each byte on.
    private var position = 16
    private var output: [UInt8] = []
    private let limit: Int

    /// The bytes that a stream stands for; `nil` for a damaged one, and for more than `limit`.
    package static func unpacked(_ stream: some Sequence<UInt8>, limit: Int) -> [UInt8]? {
        var inflation = Inflation(input: Array(stream), limit: limit)
        return inflation.run() ? inflation.output : nil
    }

    private init(input: [UInt8], limit: Int) { (self.input, self.limit) = (input, limit) }

    /// A canonical Huffman code: of each length how many codes there are, and what they stand for in order.
    private struct Code {
        var counts = [Int](repeating: 0, count: 16)
        let symbols: [Int]

        init(_ lengths: some Collection<Int>) {
            for length in lengths where length > 0 { counts[length] += 1 }
            symbols = lengths.enumerated().filter { $0.element > 0 }.sorted {
                ($0.element, $0.offset) < ($1.element, $1.offset)
            }.map(\.offset)
        }
    }

    private mutating func bits(_ count: Int) -> Int? {
        guard position + count <= 8 * input.count else { return nil }
        defer { position += count }
        return (0..<count).reduce(0) { number, bit in
            number | Int(input[(position + bit) / 8] >> UInt8((position + bit) % 8) & 1) << bit
        }
    }

    private mutating func symbol(_ code: Code) -> Int? {
        var (number, first, index) = (0, 0, 0)
        for length in 1..<16 {
            guard let bit = bits(1) else { return nil }
            number = number << 1 | bit
            first <<= 1
            if number - first < code.counts[length] { return code.symbols[index + number - first] }
            (first, index) = (first + code.counts[length], index + code.counts[length])
        }
        return nil
    }

    private mutating func run() -> Bool {
        while let last = bits(1), let kind = bits(2) {
            let isRight: Bool
            switch kind {
            case 0: isRight = store()
            case 1:
                let ends = [(144, 8), (112, 9), (24, 7), (8, 8)]
                isRight = block(
                    Code(ends.flatMap { [Int](repeating: $0.1, count: $0.0) }), Code([Int](repeating: 5, count: 30)))
            case 2: isRight = codes().map { block($0, $1) } ?? false
            default: isRight = false
            }
            guard isRight, output.count <= limit else { return false }
            if last == 1 { return true }
        }
        return false
    }

    private mutating func store() -> Bool {
        position = (position + 7) / 8 * 8
        guard let length = bits(16), bits(16) != nil, position / 8 + length <= input.count else { return false }
        output += input[position / 8..<position / 8 + length]
        position += 8 * length
        return true
    }

    /// The codes that a block says itself.
    private mutating func codes() -> (Code, Code)? {
        guard let literals = bits(5), let distances = bits(5), let count = bits(4) else { return nil }
        var own = [Int](repeating: 0, count: 19)
        for place in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15].prefix(count + 4) {
            guard let length = bits(3) else { return nil }
            own[place] = length
        }
        let (code, all) = (Code(own), literals + 257 + distances + 1)
        var lengths: [Int] = []
        while lengths.count < all {
            guard let symbol = symbol(code) else { return nil }
            let (extra, least) = [16: (2, 3), 17: (3, 3), 18: (7, 11)][symbol] ?? (0, 1)
            guard let more = bits(extra), let last = symbol == 16 ? lengths.last : symbol < 16 ? symbol : 0 else {
                return nil
            }
            lengths += [Int](repeating: last, count: least + more)
        }
        guard lengths.count == all else { return nil }
        return (Code(lengths.prefix(literals + 257)), Code(lengths.suffix(distances + 1)))
    }

    private mutating func block(_ literals: Code, _ distances: Code) -> Bool {
        while output.count <= limit, let symbol = symbol(literals) {
            if symbol < 256 { output.append(UInt8(symbol)) }
            if symbol == 256 { return true }
            guard symbol > 256 else { continue }
            let long = symbol - 257
            // Four of each number of extra bits, but for the first eight and the last.
            let extra = long < 8 || long == 28 ? 0 : long / 4 - 1
            let least = long == 28 ? 258 : long < 8 ? long + 3 : (4 + long % 4) << extra + 3
            guard long < 29, let more = bits(extra), let far = self.symbol(distances), far < 30,
                case let wide = max(0, far / 2 - 1), let rest = bits(wide)
            else { return false }
            let distance = (far < 2 ? far : (2 + far % 2) << wide) + rest + 1
            guard distance <= output.count else { return false }
            for _ in 0..<least + more { output.append(output[output.count - distance]) }
        }
        return false
    }
}
