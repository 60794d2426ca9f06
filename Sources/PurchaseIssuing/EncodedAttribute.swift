import PurchaseModel
import PurchaseProof
import SwiftASN1

/// One attribute of a receipt, as it is written.
struct EncodedAttribute: DERSerializable {
    private let field: ReceiptField
    private let version: Int
    /// The value, as it lies in the OCTET STRING.
    let octets: [UInt8]

    /// An attribute whose octets are what they are.
    init(_ field: ReceiptField, raw octets: [UInt8], version: Int = 1) {
        self.field = field
        self.version = version
        self.octets = octets
    }

    /// An attribute that holds an INTEGER.
    init(_ field: ReceiptField, _ number: Int64) throws {
        try self.init(field, element: number)
    }

    /// An attribute that holds a UTF8String.
    init(_ field: ReceiptField, _ text: String) throws {
        try self.init(field, element: ASN1UTF8String(text))
    }

    /// An attribute that holds an IA5String; characters outside of ASCII throw.
    init(_ field: ReceiptField, ascii text: String) throws {
        try self.init(field, element: ASN1IA5String(text))
    }

    /// An attribute that holds a date of whole seconds, or the empty string.
    init(_ field: ReceiptField, _ date: Timestamp?) throws {
        try self.init(field, ascii: date?.description ?? "")
    }

    /// An attribute that holds a set of attributes.
    init(_ field: ReceiptField, set attributes: [EncodedAttribute]) throws {
        self.init(field, raw: try Self.encode(attributes))
    }

    private init(_ field: ReceiptField, element: some DERSerializable) throws {
        var serializer = DER.Serializer()
        try serializer.serialize(element)
        self.init(field, raw: serializer.serializedBytes)
    }

    /// Writes a SET OF attributes in DER order.
    static func encode(_ attributes: [EncodedAttribute]) throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.serializeSetOf(attributes)
        return serializer.serializedBytes
    }

    func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(field.rawValue)
            try coder.serialize(version)
            try coder.serialize(ASN1OctetString(contentBytes: octets[...]))
        }
    }
}
