import Foundation

/// Text from the web, whatever encoding its bytes are in.
///
/// Source: encoding.spec.whatwg.org, whose labels are those that documents declare.
package enum WebText {
    /// `bytes` as text: UTF-16 by its mark, UTF-8, else in the first encoding that `labels` name.
    ///
    /// Where they name none, bytes that are not UTF-8 are windows-1252. What an encoding does not have is U+FFFD.
    package static func text(_ bytes: Data, declaredAs labels: [String] = []) -> String {
        for (mark, encoding) in marks where bytes.starts(with: mark) {
            return String(data: bytes, encoding: encoding).map { $0.replacing("\u{FEFF}", with: "") } ?? ""
        }
        let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Data(bytes.dropFirst(3)) : bytes
        let encoding = labels.lazy.compactMap { encodings[$0.lowercased()] }.first
        // Of all of them this one alone consists of what is UTF-8 as well.
        let isEscaped = encoding == .iso2022JP && body.contains(0x1B)
        if !isEscaped, let text = String(validating: body, as: UTF8.self) { return text }
        switch encoding {
        case nil: return mixed(Array(body))
        case .windowsCP1252:
            return String(String.UnicodeScalarView(body.lazy.map(windows1252)))
        case .japaneseEUC: return decoded(shiftJIS(fromEUC: Array(body))[...], shiftJIS, ends)
        // Between its escapes, these are parts of characters.
        case let encoding?: return decoded(Array(body)[...], encoding, isEscaped ? Array("\n".utf8) : ends)
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
                text.append(contentsOf: bytes[place..<place + length].lazy.map(windows1252))
                place += length
            case .emptyInput: return String(text)
            }
        }
    }

    /// `bytes` in an encoding of the system's, which refuses the whole for one byte: then by the parts between `marks`.
    private static func decoded(
        _ bytes: ArraySlice<UInt8>, _ encoding: String.Encoding, _ marks: [UInt8]
    ) -> String {
        if let text = String(data: Data(bytes), encoding: encoding) { return text }
        guard let mark = marks.first else {
            return String(decoding: bytes.map { $0 < 0x80 ? $0 : 0xFF }, as: UTF8.self)
        }
        return bytes.split(separator: mark, omittingEmptySubsequences: false)
            .map { decoded($0, encoding, Array(marks.dropFirst())) }
            .joined(separator: String(UnicodeScalar(mark)))
    }

    /// The system on Linux lacks EUC-JP, which has the characters of Shift_JIS in other places: JIS X 0208, and
    /// katakana of half width.
    private static func shiftJIS(fromEUC bytes: [UInt8]) -> [UInt8] {
        var (result, place) = ([UInt8](), 0)
        while place < bytes.count {
            let (first, second) = (bytes[place], place + 1 < bytes.count ? bytes[place + 1] : 0)
            place += first == 0x8F ? 3 : first > 0x80 && second > 0xA0 ? 2 : 1
            switch (first, second) {
            case (0x8E, 0xA1...0xDF): result.append(second)
            case (0xA1...0xFE, 0xA1...0xFE):
                let row = (first - 0xA1) / 2
                result.append(row + (row < 31 ? 0x81 : 0xC1))
                let isOdd = first % 2 == 1
                result.append(isOdd ? second - (second < 0xE0 ? 0x61 : 0x60) : second - 2)
            default: result.append(first < 0x80 ? first : 0xFF)
            }
        }
        return result
    }

    // MARK: - Tables

    /// Where a text can be taken apart, first at its tags.
    private static let ends = Array("<\n ".utf8)

    private static let marks: [([UInt8], String.Encoding)] = [
        ([0xFF, 0xFE], .utf16), ([0xFE, 0xFF], .utf16), ([0x3C, 0], .utf16LittleEndian), ([0, 0x3C], .utf16BigEndian),
    ]

    private static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
        (0x80..<0xA0).contains(byte) ? high1252[Int(byte) - 0x80] : Unicode.Scalar(byte)
    }

    private static let high1252 = Array(
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)

    /// As Windows has it, with more characters than the standard.
    private static let shiftJIS = String.Encoding(rawValue: 0x8000_0420)

    /// The encodings by their labels. Foundation has no names for those given by number, which are its own for
    /// `kCFStringEncodingKOI8_R` and so on; UTF-8 needs none.
    private static let encodings: [String: String.Encoding] = {
        var table: [String: String.Encoding] = [:]
        for line in labels.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            guard let number = UInt(words[0], radix: 16) else { continue }
            for label in words.dropFirst() { table[label] = String.Encoding(rawValue: number) }
        }
        return table
    }()

    private static let labels = """
        C ansi_x3.4-1968 ascii cp1252 cp819 ibm819 iso-8859-1 iso8859-1 iso88591 iso_8859-1 l1 latin1 us-ascii windows-1252
        80000202 csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2
        80000203 csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3
        80000204 csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4
        80000205 csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988
        80000206 arabic asmo-708 ecma-114 iso-8859-6 iso-8859-6-e iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6
        80000207 ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 iso88597 iso_8859-7 sun_eu_greek
        80000208 hebrew iso-8859-8 iso-8859-8-e iso-8859-8-i iso-ir-138 iso8859-8 iso88598 iso_8859-8 logical visual
        8000020A csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6
        8000020D iso-8859-13 iso8859-13 iso885913
        8000020E iso-8859-14 iso8859-14 iso885914
        8000020F csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9
        80000210 iso-8859-16
        80000419 866 cp866 csibm866 ibm866
        8000041D dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874
        80000501 cp1250 windows-1250 x-cp1250
        80000502 cp1251 windows-1251 x-cp1251
        80000503 cp1253 windows-1253 x-cp1253
        80000504 cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 l5 latin5 windows-1254 x-cp1254
        80000505 cp1255 windows-1255 x-cp1255
        80000506 cp1256 windows-1256 x-cp1256
        80000507 cp1257 windows-1257 x-cp1257
        80000508 cp1258 windows-1258 x-cp1258
        80000A02 cskoi8r koi koi8 koi8-r koi8_r
        80000A08 koi8-ru koi8-u
        1E csmacintosh mac macintosh x-mac-roman
        80000007 x-mac-cyrillic x-mac-ukrainian
        80000632 chinese csgb2312 csiso58gb231280 gb18030 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk
        80000A06 big5 big5-hkscs cn-big5 csbig5 x-x-big5
        3 cseucpkdfmtjapanese euc-jp x-euc-jp
        15 csiso2022jp iso-2022-jp
        80000420 csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis
        80000422 cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ksc5601 ksc_5601 windows-949
        """
}
