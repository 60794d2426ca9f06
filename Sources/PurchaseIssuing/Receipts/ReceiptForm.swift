/// The two encodings of the container.
package enum ReceiptForm: Sendable {
    /// Definite lengths throughout, and the payload in one part.
    case appStore
    /// Indefinite lengths for the outer layers, and the payload in a constructed string of one chunk.
    case xcode

    /// Encodes one of the outer layers.
    func layer(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        switch self {
        case .appStore: Self.element(tag, content)
        case .xcode: [tag, 0x80] + content + [0, 0]
        }
    }

    /// Encodes the string that contains the payload.
    func string(_ payload: [UInt8]) -> [UInt8] {
        let string = Self.element(0x04, payload)
        return switch self {
        case .appStore: string
        case .xcode: [0x24, 0x80] + string + [0, 0]
        }
    }

    /// Encodes an element of definite length.
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        if count < 0x80 { return [tag, UInt8(count)] + content }
        let length = stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: count >> $0) }.drop { $0 == 0 }
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }
}
