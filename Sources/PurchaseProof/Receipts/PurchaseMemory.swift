/// What the purchases before said, so that a text which comes again is not made again.
struct PurchaseMemory {
    /// The product before.
    var product = RememberedText()
    /// The transaction before.
    var transaction = RememberedText()
    /// The original transaction before, which all renewals of a subscription share.
    var original = RememberedText()
}

/// A text, and where in the bytes it lies.
struct RememberedText {
    private var range = 0..<0
    private var text = ""

    /// The text of a value, made anew only when it is another one; nil when it is empty.
    @inline(__always)
    mutating func text(_ value: ReceiptValue, _ bytes: [UInt8]) throws(ReadFault) -> String? {
        let span = bytes.span
        let content = try value.content(span)
        if content.isEmpty { return nil }
        if span.isSame(content, range) { return text }
        guard let text = try value.text(bytes) else { return nil }
        (self.text, self.range) = (text, content)
        return text
    }

    /// The text when the value is the same; nil when it is another one.
    @inline(__always)
    func same(as value: ReceiptValue, _ bytes: Span<UInt8>) throws(ReadFault) -> String? {
        let content = try value.content(bytes)
        return !content.isEmpty && bytes.isSame(content, range) ? text : nil
    }
}

extension Span<UInt8> {
    /// Whether the same bytes lie in both places.
    @inline(__always)
    func isSame(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
        guard one.count == other.count else { return false }
        for place in 0..<one.count where self[one.lowerBound + place] != self[other.lowerBound + place] { return false }
        return true
    }
}
