import SwiftASN1

extension DERSerializable {
    /// The DER encoding of the value.
    var derBytes: [UInt8] {
        get throws {
            var serializer = DER.Serializer()
            try serializer.serialize(self)
            return serializer.serializedBytes
        }
    }
}
