/// The encoding of a receipt's container: in the App Store's form or in Xcode's form.
package enum ReceiptForm: Sendable {
    /// The App Store's form, in which all values have definite lengths, and the payload is a primitive OCTET STRING.
    case appStore
    /// Xcode's form, in which the outermost values have indefinite lengths, and the payload is an OCTET STRING that consists of one chunk.
    case xcode

    /// Encodes one of the outermost values of a container, whose length is indefinite in Xcode's form.
    func layer(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        switch self {
        case .appStore: Self.element(tag, content)
        case .xcode: [tag, 0x80] + content + [0, 0]
        }
    }

    /// Encodes the OCTET STRING that contains the payload.
    func string(_ payload: [UInt8]) -> [UInt8] {
        let string = Self.element(0x04, payload)
        return switch self {
        case .appStore: string
        case .xcode: [0x24, 0x80] + string + [0, 0]
        }
    }

    /// Encodes an ASN.1 value of definite length from its identifier octet and its encoded content.
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        if count < 0x80 { return [tag, UInt8(count)] + content }
        let length = stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: count >> $0) }.drop { $0 == 0 }
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }
}
