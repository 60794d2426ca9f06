import PurchaseModel
package import PurchaseProof
package import SwiftASN1

/// An attribute of an app receipt whose value is encoded, while the attribute itself is not.
package struct EncodedAttribute: Sendable {
    /// The type of the attribute, such as 2 for the bundle identifier.
    package var number: Int64
    /// The version of the attribute, which is 2 for attribute 4 in Apple's receipts, and 1 for all other attributes.
    package var version: Int
    /// The encoded value of the attribute: the content of its OCTET STRING.
    package var octets: [UInt8]

    /// Creates an attribute of any type, with octets that are used as they are.
    package init(number: Int64, raw octets: [UInt8], version: Int = 1) {
        self.number = number
        self.version = version
        self.octets = octets
    }

    /// Creates an attribute of a known type, with octets that are used as they are.
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

    /// Creates an attribute that contains an IA5String.
    ///
    /// - Throws: When the text contains characters outside ASCII.
    package init(_ field: ReceiptField, ascii text: String) throws {
        self.init(field, raw: try ASN1IA5String(text).derBytes)
    }

    /// Creates an attribute that contains other attributes as a SET in DER order, such as the attribute of a purchase.
    package init(_ field: ReceiptField, set attributes: [EncodedAttribute]) throws {
        self.init(field, raw: try Self.encode(attributes))
    }

    /// Creates an attribute that contains a date in whole seconds as an IA5String, which is empty when the date is nil.
    init(_ field: ReceiptField, _ date: Timestamp?) throws {
        try self.init(field, ascii: date?.description ?? "")
    }

    /// Encodes attributes as a SET OF in DER, which sorts the attributes by their encodings.
    package static func encode(_ attributes: [EncodedAttribute]) throws -> [UInt8] {
        // swift-asn1 also sorts, with generic code that takes several times as long.
        let encodings = try attributes.map { try $0.derBytes }.sorted { $0.lexicographicallyPrecedes($1) }
        return ReceiptForm.element(0x31, encodings.flatMap { $0 })
    }

    /// Encodes attributes as a SET OF in the given order, as Xcode does.
    package static func encodeUnsorted(_ attributes: [EncodedAttribute]) throws -> [UInt8] {
        ReceiptForm.element(0x31, try attributes.flatMap { try $0.derBytes })
    }
}

extension EncodedAttribute: DERSerializable {
    /// Encodes the attribute as a SEQUENCE of its type, version and value.
    package func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(number)
            try coder.serialize(version)
            try coder.serialize(ASN1OctetString(contentBytes: octets[...]))
        }
    }
}
