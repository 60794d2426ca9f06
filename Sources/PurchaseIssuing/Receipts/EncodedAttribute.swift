import PurchaseModel
package import PurchaseProof
package import SwiftASN1

/// An encoded attribute of a receipt.
package struct EncodedAttribute: Sendable {
    /// The attribute's type.
    package var number: Int64
    /// The attribute's version: 1, except for Apple's attribute 4.
    package var version: Int
    /// The value: the content of the OCTET STRING.
    package var octets: [UInt8]

    /// Creates an attribute of any type with unchanged octets.
    package init(number: Int64, raw octets: [UInt8], version: Int = 1) {
        self.number = number
        self.version = version
        self.octets = octets
    }

    /// Creates an attribute with unchanged octets.
    package init(_ field: ReceiptField, raw octets: [UInt8], version: Int = 1) {
        self.init(number: field.rawValue, raw: octets, version: version)
    }

    /// Creates an attribute that contains an INTEGER.
    package init(_ field: ReceiptField, _ number: Int64) throws {
        self.init(field, raw: try number.derBytes)
    }

    /// Creates an attribute that contains a UTF8String.
    package init(_ field: ReceiptField, _ text: String) throws {
        self.init(field, raw: try ASN1UTF8String(text).derBytes)
    }

    /// Creates an attribute that contains an IA5String; characters outside ASCII throw an error.
    package init(_ field: ReceiptField, ascii text: String) throws {
        self.init(field, raw: try ASN1IA5String(text).derBytes)
    }

    /// Creates an attribute that contains a set of attributes.
    package init(_ field: ReceiptField, set attributes: [EncodedAttribute]) throws {
        self.init(field, raw: try Self.encode(attributes))
    }

    /// Creates an attribute that contains a date in whole seconds, or the empty string.
    init(_ field: ReceiptField, _ date: Timestamp?) throws {
        try self.init(field, ascii: date?.description ?? "")
    }

    /// Encodes a SET OF attributes in DER order.
    package static func encode(_ attributes: [EncodedAttribute]) throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.serializeSetOf(attributes)
        return serializer.serializedBytes
    }

    /// Encodes a SET OF attributes in the given order, as Xcode does.
    package static func encodeUnsorted(_ attributes: [EncodedAttribute]) throws -> [UInt8] {
        ReceiptForm.element(0x31, try attributes.flatMap { try $0.derBytes })
    }
}

extension EncodedAttribute: DERSerializable {
    /// Encodes type, version and value.
    package func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(number)
            try coder.serialize(version)
            try coder.serialize(ASN1OctetString(contentBytes: octets[...]))
        }
    }
}
