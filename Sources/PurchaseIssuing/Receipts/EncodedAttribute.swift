import PurchaseModel
package import PurchaseProof
package import SwiftASN1

/// One attribute of a receipt, as it is written.
package struct EncodedAttribute: Sendable {
    /// What it means.
    package var number: Int64
    /// 1, but for Apple's attribute 4.
    package var version: Int
    /// The value, as it lies in the OCTET STRING.
    package var octets: [UInt8]

    /// An attribute of any number whose octets are what they are.
    package init(number: Int64, raw octets: [UInt8], version: Int = 1) {
        self.number = number
        self.version = version
        self.octets = octets
    }

    /// An attribute whose octets are what they are.
    package init(_ field: ReceiptField, raw octets: [UInt8], version: Int = 1) {
        self.init(number: field.rawValue, raw: octets, version: version)
    }

    /// An attribute that holds an INTEGER.
    package init(_ field: ReceiptField, _ number: Int64) throws {
        self.init(field, raw: try number.derBytes)
    }

    /// An attribute that holds a UTF8String.
    package init(_ field: ReceiptField, _ text: String) throws {
        self.init(field, raw: try ASN1UTF8String(text).derBytes)
    }

    /// An attribute that holds an IA5String; characters outside of ASCII throw.
    package init(_ field: ReceiptField, ascii text: String) throws {
        self.init(field, raw: try ASN1IA5String(text).derBytes)
    }

    /// An attribute that holds a set of attributes.
    package init(_ field: ReceiptField, set attributes: [EncodedAttribute]) throws {
        self.init(field, raw: try Self.encode(attributes))
    }

    /// An attribute that holds a date of whole seconds, or the empty string.
    init(_ field: ReceiptField, _ date: Timestamp?) throws {
        try self.init(field, ascii: date?.description ?? "")
    }

    /// Writes a SET OF attributes in DER order.
    package static func encode(_ attributes: [EncodedAttribute]) throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.serializeSetOf(attributes)
        return serializer.serializedBytes
    }

    /// Writes a SET OF attributes in the order in which they are, as Xcode does.
    package static func encodeUnsorted(_ attributes: [EncodedAttribute]) throws -> [UInt8] {
        ReceiptForm.element(0x31, try attributes.flatMap { try $0.derBytes })
    }
}

extension EncodedAttribute: DERSerializable {
    /// Writes type, version and value.
    package func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(number)
            try coder.serialize(version)
            try coder.serialize(ASN1OctetString(contentBytes: octets[...]))
        }
    }
}
