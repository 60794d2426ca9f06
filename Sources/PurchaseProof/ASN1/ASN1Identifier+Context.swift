import SwiftASN1

extension ASN1Identifier {
    /// The tag `[number]`, as optional and explicit parts carry it.
    static func context(_ number: UInt) -> ASN1Identifier {
        ASN1Identifier(tagWithNumber: number, tagClass: .contextSpecific)
    }
}
