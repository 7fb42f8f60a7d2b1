import Foundation

/// Text from the web in any encoding. Source: encoding.spec.whatwg.org, whose labels are those that documents declare.
package enum WebText {
    /// `bytes` as text: UTF-16 by its mark, UTF-8, else in the first encoding that `labels` name.
    /// Where they name none, bytes that are not UTF-8 are windows-1252. What an encoding does not have is U+FFFD.
    package static func text(_ bytes: Data, declaredAs labels: [String] = []) -> String {
        for (mark, encoding) in marks where bytes.starts(with: mark) {
            return String(data: bytes, encoding: encoding).map { $0.replacing("\u{FEFF}", with: "") } ?? ""
        }
        let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Data(bytes.dropFirst(3)) : bytes
        let encoding = labels.lazy.compactMap(encoding).first
        // Of all of them this one alone consists of what is UTF-8 as well.
        let isEscaped = encoding == 0x820 && body.contains(0x1B)
        if !isEscaped, let text = String(validating: body, as: UTF8.self) { return text }
        switch encoding {
        case nil: return mixed(Array(body))
        case 0x500: return String(String.UnicodeScalarView(body.lazy.map(windows1252)))
        case 0x920: return decoded(shiftJIS(fromEUC: Array(body))[...], 0x420, ends)
        // Between its escapes, tags are parts of characters.
        case let number?: return decoded(Array(body)[...], number, isEscaped ? Array("\n".utf8) : ends)
        }
    }

    /// The label after `word`, as in `encoding="gbk"` or `charset=gbk`; `nil` if there is none.
    package static func label(after word: String, in text: String) -> String? {
        guard let start = text.range(of: word, options: .caseInsensitive)?.upperBound else { return nil }
        let label = text[start...].drop { "\"' ".contains($0) }.prefix { !"\"' ;?>".contains($0) }
        return label.isEmpty ? nil : String(label)
    }

    /// UTF-8 in which every byte that is none is one of windows-1252.
    private static func mixed(_ bytes: [UInt8]) -> String {
        var (text, place) = (String.UnicodeScalarView(), 0)
        var (parser, rest) = (Unicode.UTF8.ForwardParser(), bytes.makeIterator())
        while true {
            switch parser.parseScalar(from: &rest) {
            case .valid(let scalar):
                text.append(Unicode.UTF8.decode(scalar))
                place += scalar.count
            case .error(let length):
                // One by one: a sequence would be added after all that is there was counted.
                for byte in bytes[place..<place + length] { text.append(windows1252(byte)) }
                place += length
            case .emptyInput: return String(text)
            }
        }
    }

    /// `bytes` in an encoding of the system's, which refuses the whole for one byte: then by the parts between `marks`.
    private static func decoded(_ bytes: ArraySlice<UInt8>, _ number: UInt, _ marks: [UInt8]) -> String {
        let encoding = String.Encoding(rawValue: 0x8000_0000 | number)
        if let text = String(data: Data(bytes), encoding: encoding) { return text }
        guard let mark = marks.first else {
            return String(decoding: bytes.map { $0 < 0x80 ? $0 : 0xFF }, as: UTF8.self)
        }
        return bytes.split(separator: mark, omittingEmptySubsequences: false)
            .map { decoded($0, number, Array(marks.dropFirst())) }
            .joined(separator: String(UnicodeScalar(mark)))
    }

    /// Linux lacks EUC-JP, which has the characters of Shift_JIS in other places: JIS X 0208, and half-width katakana.
    private static func shiftJIS(fromEUC bytes: [UInt8]) -> [UInt8] {
        var (result, place) = ([UInt8](), 0)
        while place < bytes.count {
            let (first, second) = (bytes[place], place + 1 < bytes.count ? bytes[place + 1] : 0)
            place += first == 0x8F ? 3 : first > 0x80 && second > 0xA0 ? 2 : 1
            switch (first, second) {
            case (0x8E, 0xA1...0xDF): result.append(second)
            case (0xA1...0xFE, 0xA1...0xFE):
                let (row, isEven) = ((first - 0xA1) / 2, first % 2 == 0)
                result.append(row + (row < 31 ? 0x81 : 0xC1))
                result.append(second - (isEven ? 2 : second < 0xE0 ? 0x61 : 0x60))
            default: result.append(first < 0x80 ? first : 0xFF)
            }
        }
        return result
    }

    // MARK: - Tables

    /// Where a text can be taken apart, first at its tags.
    private static let ends = Array("<\n ".utf8)

    private static let marks: [([UInt8], String.Encoding)] = [
        ([0xFF, 0xFE], .utf16), ([0xFE, 0xFF], .utf16), ([0x3C, 0], .utf16LittleEndian),
        ([0, 0x3C], .utf16BigEndian),
    ]

    private static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
        (0x80..<0xA0).contains(byte) ? high1252[Int(byte) - 0x80] : Unicode.Scalar(byte)
    }

    private static let high1252 = Array(
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)

    /// The number that Foundation has for an encoding, its `kCFStringEncodingKOI8_R` and so on; `nil` for UTF-8.
    private static func encoding(_ label: String) -> UInt? {
        // `ISO_8859-2:1987`, `x-cp1251`, `windows-1251`, `csKOI8R`.
        var name = label.lowercased().prefix { $0 != ":" }.filter { $0.isLetter || $0.isNumber }
        if name.hasPrefix("x") || name.hasPrefix("cs") { name.removeFirst(name.hasPrefix("x") ? 1 : 2) }
        return encodings[name.hasPrefix("windows") ? "cp" + name.dropFirst(7) : name]
    }

    /// Korean, Japanese, and Chinese are as Windows has them, with more characters than the standards.
    private static let encodings: [String: UInt] = {
        var table: [String: UInt] = [:]
        for part in 2...16 { table["iso8859\(part)"] = 0x200 + UInt(part) }
        for (page, number) in [1, 2, 0, 3, 4, 5, 6, 7, 8].enumerated() {
            table["cp\(1250 + page)"] = 0x500 + UInt(number)
        }
        let labels = """
            500 iso88591 isolatin1 latin1 l1 ascii usascii ansix341968 cp819 ibm819, 202 isolatin2 latin2 l2, 203 latin3 l3, \
            204 latin4 l4, 20A isolatin6 latin6 l6, 504 iso88599 isolatin5 latin5 l5, 20F isolatin9 latin9 l9, 205 cyrillic, \
            206 iso88596e iso88596i arabic asmo708 ecma114, 207 greek greek8 elot928 ecma118 suneugreek, 41B cp866 ibm866 866, \
            208 iso88598e iso88598i hebrew visual logical, 41D iso885911 cp874 dos874 tis620, A02 koi8r koi8 koi, \
            A08 koi8u koi8ru, 0 macintosh mac macroman, 7 maccyrillic macukrainian, A06 big5 big5hkscs cnbig5 xbig5, \
            632 gb2312 gb231280 gbk gb18030 chinese iso58gb231280 isoir58, 420 shiftjis sjis cp31j cp932 ms932 mskanji, \
            920 eucjp eucpkdfmtjapanese, 820 iso2022jp, 422 euckr cp949 korean ksc56011987 ksc56011989 ksc5601 isoir149
            """
        for line in labels.split(separator: ",") {
            let words = line.split(separator: " ").map(String.init)
            for label in words.dropFirst() { table[label] = UInt(words[0], radix: 16) }
        }
        return table
    }()
}
