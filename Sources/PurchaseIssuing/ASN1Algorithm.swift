import SwiftASN1

/// An X.509 AlgorithmIdentifier for encoding, with NULL as its parameters or without parameters.
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
