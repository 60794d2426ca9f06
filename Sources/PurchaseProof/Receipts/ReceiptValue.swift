import PurchaseModel

/// The octets of one attribute, with the typed readings of them.
///
/// No octets at all say nothing, like the empty text that Apple writes where it has nothing to say.
struct ReceiptValue {
    /// Where the octets lie.
    let range: Range<Int>

    init(_ range: Range<Int>) {
        self.range = range
    }

    /// Where the content of a UTF8String or IA5String lies.
    @inline(__always)
    func content(_ bytes: Span<UInt8>) throws(ReadFault) -> Range<Int> {
        guard !range.isEmpty else { return range }
        var reader = BERReader(range)
        let tag = bytes[range.lowerBound] == BERTag.utf8String ? BERTag.utf8String : BERTag.ia5String
        let content = try reader.primitive(tag, bytes)
        guard content.upperBound == range.upperBound else { throw ReadFault(.excess, at: content.upperBound) }
        return content
    }

    /// A UTF8String or IA5String; nil when it is empty.
    func text(_ bytes: [UInt8]) throws(ReadFault) -> String? {
        let content = try content(bytes.span)
        guard !content.isEmpty else { return nil }
        // Nearly all texts are ASCII, which needs no slow validation.
        if bytes.span.isASCII(content) { return String(decoding: bytes[content], as: UTF8.self) }
        guard let text = String(validating: bytes[content], as: UTF8.self) else { throw ReadFault(.text, at: content.lowerBound) }
        return text
    }

    /// An INTEGER; nil without octets.
    @inline(__always)
    func integer(_ bytes: Span<UInt8>) throws(ReadFault) -> Int64? {
        guard !range.isEmpty else { return nil }
        var reader = BERReader(range)
        let value = try reader.integer(bytes)
        guard reader.position == range.upperBound else { throw ReadFault(.excess, at: reader.position) }
        return value
    }

    /// A date in text; nil when it is empty.
    @inline(__always)
    func date(_ bytes: Span<UInt8>) throws(ReadFault) -> Timestamp? {
        let content = try content(bytes)
        guard !content.isEmpty else { return nil }
        guard let date = Timestamp(rfc3339: content, bytes) else { throw ReadFault(.date, at: content.lowerBound) }
        return date
    }
}
