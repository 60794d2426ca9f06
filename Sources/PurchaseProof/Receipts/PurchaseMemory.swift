import PurchaseModel

/// What the purchases before said, so that a text which comes again is not made again.
struct PurchaseMemory {
    /// The products before.
    var product = RememberedTexts()
    /// Where the transaction lies that is being read; it is mostly its own original.
    var transaction = 0..<0
    /// The original transaction before, which all renewals of a subscription share.
    var original = RememberedText()
    /// The date before; a purchase mostly states the same one twice.
    var date = RememberedDate()
}

/// A date, and where in the bytes its text lies.
struct RememberedDate {
    private var range = 0..<0
    private var date = Timestamp(milliseconds: 0)

    /// The date of a value, read anew only when it is another one; nil when it is empty.
    @inline(__always)
    mutating func date(_ value: ReceiptValue, _ bytes: Span<UInt8>) throws(ReadFault) -> Timestamp? {
        let content = try value.content(bytes)
        if content.isEmpty { return nil }
        if bytes.isSame(content, range) { return date }
        guard let date = Timestamp(rfc3339: content, bytes) else { throw ReadFault(.date, at: content.lowerBound) }
        (self.date, self.range) = (date, content)
        return date
    }
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
}

/// The texts of a few values, and where in the bytes they lie.
struct RememberedTexts {
    private static let maximumCount = 8

    private var known: [(range: Range<Int>, text: String)] = []
    private var oldest = 0

    /// The text of a value, made anew only when it is not among the last few; nil when it is empty.
    @inline(__always)
    mutating func text(_ value: ReceiptValue, _ bytes: [UInt8]) throws(ReadFault) -> String? {
        let span = bytes.span
        let content = try value.content(span)
        for index in known.indices where span.isSame(content, known[index].range) { return known[index].text }
        guard let text = try value.text(bytes) else { return nil }
        if known.count < Self.maximumCount {
            known.append((content, text))
        } else {
            known[oldest] = (content, text)
            oldest = (oldest + 1) % Self.maximumCount
        }
        return text
    }
}
