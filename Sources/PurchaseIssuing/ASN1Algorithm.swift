import SwiftASN1

/// An AlgorithmIdentifier, with NULL as parameters or without parameters.
struct ASN1Algorithm: DERSerializable {
    private let identifier: ASN1ObjectIdentifier
    private let hasNull: Bool

    init(_ identifier: ASN1ObjectIdentifier, hasNull: Bool = true) {
        self.identifier = identifier
        self.hasNull = hasNull
    }

    func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(identifier)
            if hasNull { try coder.serialize(ASN1Null()) }
        }
    }
}
