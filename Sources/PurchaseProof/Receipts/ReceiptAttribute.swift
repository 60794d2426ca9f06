public import PurchaseModel

/// One attribute of a receipt as it lies there, whether or not anybody knows what it means.
///
/// ```
/// ReceiptAttribute ::= SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }
/// ```
public struct ReceiptAttribute: Hashable, Sendable {
    /// Its number.
    public let type: Int64
    /// Its version: 1, and 2 for Apple's attribute 4.
    public let version: Int64
    /// Its value; mostly another ASN.1 value.
    public let octets: [UInt8]

    /// The value when it is a UTF8String or an IA5String.
    public var text: String? {
        let value = ReceiptValue(0..<octets.count)
        guard let text = try? value.text(octets) else { return nil }
        return text
    }

    /// The value when it is an INTEGER.
    public var integer: Int64? {
        (try? ReceiptValue(0..<octets.count).integer(octets.span)) ?? nil
    }

    /// The value when it is a date in text.
    public var date: Timestamp? {
        (try? ReceiptValue(0..<octets.count).date(octets.span)) ?? nil
    }
}
