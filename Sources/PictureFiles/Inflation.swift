/// Unpacks what zlib has packed.
///
/// Source: RFC 1950, 2.2; RFC 1951, 3.2.
package struct Inflation {
    private let input: [UInt8]
    /// In bits, from the least significant one of each byte on.
    private var position = 16
    private var output: [UInt8] = []

    /// The bytes that a stream stands for; `nil` for a damaged one, and for more than `limit`.
    package static func unpacked(_ stream: some Sequence<UInt8>, limit: Int) -> [UInt8]? {
        var inflation = Inflation(input: Array(stream))
        while let last = inflation.bits(1), let kind = inflation.bits(2) {
            guard inflation.block(kind, limit), inflation.output.count <= limit else { return nil }
            if last == 1 { return inflation.output }
        }
        return nil
    }

    private init(input: [UInt8]) { self.input = input }

    /// A canonical Huffman code: of each length how many codes there are, and what they stand for in order.
    private struct Code {
        var counts = [Int](repeating: 0, count: 16)
        let symbols: [Int]

        init(_ lengths: some Collection<Int>) {
            for length in lengths where length > 0 { counts[length] += 1 }
            symbols = lengths.enumerated().filter { $0.element > 0 }
                .sorted { ($0.element, $0.offset) < ($1.element, $1.offset) }.map(\.offset)
        }
    }

    private mutating func bits(_ count: Int) -> Int? {
        guard position + count <= 8 * input.count else { return nil }
        var number = 0
        for bit in 0..<count {
            number |= Int(input[position / 8] >> UInt8(position % 8) & 1) << bit
            position += 1
        }
        return number
    }

    private mutating func symbol(_ code: Code) -> Int? {
        var (number, index) = (0, 0)
        for count in code.counts.dropFirst() {
            guard let bit = bits(1) else { return nil }
            number = number << 1 | bit
            if number < count { return code.symbols[index + number] }
            (number, index) = (number - count, index + count)
        }
        return nil
    }

    private mutating func block(_ kind: Int, _ limit: Int) -> Bool {
        switch kind {
        case 0:
            position = (position + 7) / 8 * 8
            guard let length = bits(16), bits(16) != nil, position / 8 + length <= input.count else {
                return false
            }
            output += input[position / 8..<position / 8 + length]
            position += 8 * length
            return true
        case 1:
            let lengths = [(144, 8), (112, 9), (24, 7), (8, 8)].flatMap { [Int](repeating: $1, count: $0) }
            return packed(Code(lengths), Code([Int](repeating: 5, count: 30)), limit)
        case 2:
            // The codes of the block are packed, too.
            guard let literals = bits(5), let distances = bits(5), let count = bits(4) else { return false }
            var own = [Int](repeating: 0, count: 19)
            for place in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15].prefix(count + 4)
            {
                own[place] = bits(3) ?? 0
            }
            let code = Code(own)
            var lengths: [Int] = []
            while lengths.count < literals + distances + 258 {
                guard let symbol = symbol(code) else { return false }
                let (extra, least) = [16: (2, 3), 17: (3, 3), 18: (7, 11)][symbol] ?? (0, 1)
                guard let more = bits(extra),
                    let length = symbol < 16 ? symbol : symbol == 16 ? lengths.last : 0
                else { return false }
                lengths += [Int](repeating: length, count: least + more)
            }
            return packed(
                Code(lengths.prefix(literals + 257)), Code(lengths.dropFirst(literals + 257)), limit)
        default: return false
        }
    }

    /// Literals, and pieces of what came before.
    private mutating func packed(_ literals: Code, _ distances: Code, _ limit: Int) -> Bool {
        while output.count <= limit, let symbol = symbol(literals), symbol != 256 {
            guard symbol > 256 else {
                output.append(UInt8(symbol))
                continue
            }
            // Four of each number of extra bits, but for the first eight and the last.
            let (long, isLast) = (symbol - 257, symbol == 285)
            let extra = long < 8 || isLast ? 0 : long / 4 - 1
            let least = isLast ? 258 : long < 8 ? long + 3 : (4 + long % 4) << extra + 3
            guard long < 29, let more = bits(extra), let far = self.symbol(distances), far < 30,
                let rest = bits(max(0, far / 2 - 1))
            else { return false }
            let distance = (far < 2 ? far : (2 + far % 2) << (far / 2 - 1)) + rest + 1
            guard distance <= output.count else { return false }
            for _ in 0..<least + more { output.append(output[output.count - distance]) }
        }
        return output.count <= limit && position < 8 * input.count
    }
}
