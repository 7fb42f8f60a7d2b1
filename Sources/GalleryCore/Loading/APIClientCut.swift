import Foundation

extension HTTPReply {
    /// Whether the body ends where JSON cannot, in a reply whose head does not say where it ends.
    ///
    /// A connection that is cut looks like the end of a body without a length, and a compressed body
    /// that is cut passes as whole (see `URLSessionTransport`): only the JSON can tell.
    var isCutShort: Bool {
        guard head.status == 200, head.isEncoded || !head.saysWhereBodyEnds else { return false }
        return JSONEnd.isMissing(in: body)
    }
}

extension HTTPHead {
    /// Whether a body that is shorter than it was sent would have been noticed on the way.
    fileprivate var saysWhereBodyEnds: Bool {
        contentLength != nil || self["Transfer-Encoding"]?.lowercased().contains("chunked") == true
    }
}

/// Whether a JSON text has its end: by quotes and brackets alone, for it need not be valid otherwise.
enum JSONEnd {
    /// True where nothing is there at all, or a string or a bracket is open at the end, also one of a
    /// callback around the text; false for a page of HTML.
    static func isMissing(in body: some Sequence<UInt8>) -> Bool {
        var depth = 0
        var isInString = false
        var isEscaped = false
        var isBlank = true
        for byte in body where !(isBlank && " \t\r\n".utf8.contains(byte)) {
            if isBlank, byte == UInt8(ascii: "<") { return false }
            isBlank = false
            switch byte {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\") where isInString: isEscaped = true
            case UInt8(ascii: "\""): isInString.toggle()
            case _ where isInString: break
            case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "("): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ")"): depth -= 1
            default: break
            }
        }
        return isBlank || isInString || depth > 0
    }
}
