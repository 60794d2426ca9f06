/// The bytes of a SET of attributes, kept so that those which nobody knows can be looked at.
///
/// Two are equal when those attributes are, however they are encoded.
struct AttributeSource: Hashable, Sendable {
    /// The SET.
    let octets: ArraySlice<UInt8>
    /// Whether it is about a purchase, rather than about the app.
    let isPurchase: Bool

    /// All attributes in their order.
    var all: [ReceiptAttribute] {
        ReceiptAttributes.all(in: octets)
    }

    /// Those that are not read, in their order.
    var unknown: [ReceiptAttribute] {
        let numbers: Range<Int64> = isPurchase ? 1700..<1764 : 0..<64
        return all.filter { !numbers.contains($0.type) || ReceiptField(rawValue: $0.type)?.isRead != true }
    }

    static func == (one: AttributeSource, other: AttributeSource) -> Bool {
        one.octets == other.octets || one.unknown == other.unknown
    }

    func hash(into hasher: inout Hasher) {
        // Equal ones may have different bytes.
    }
}
