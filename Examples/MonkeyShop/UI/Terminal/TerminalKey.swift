/// A key that a person presses in a terminal.
enum TerminalKey: Hashable, Sendable {
    case up, down, left, right, home, end, pageUp, pageDown, tab, backTab
    case enter, escape, backspace
    case character(Character)
    /// Control-C or control-D.
    case interrupt
}

/// Reads keys from the bytes that a terminal sends (ECMA-48, section 5.4, and xterm's control sequences).
///
/// An escape byte at the end of a chunk is the escape key, because terminals send the sequence of another key at once.
struct TerminalKeyReader {
    /// The maximum length of a control sequence; a longer one is ignored.
    private static let sequenceLimit = 32

    /// The beginning of a sequence or of a UTF-8 character, of which the rest has not arrived.
    private var pending: [UInt8] = []

    mutating func keys(in bytes: some Sequence<UInt8>) -> [TerminalKey] {
        let all = pending + bytes
        pending = []
        var keys: [TerminalKey] = []
        var rest = all[...]
        while let byte = rest.first {
            let key: TerminalKey?
            let length: Int
            switch byte {
            case 0x1B:
                guard let found = Self.sequence(rest) else {
                    pending = Array(rest)
                    return keys
                }
                (key, length) = found
            case 0x20..<0x7F: (key, length) = (.character(Character(Unicode.Scalar(byte))), 1)
            case 0x00..<0x20, 0x7F: (key, length) = (Self.control(byte), 1)
            default:
                let expected = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
                if rest.count < expected, rest.dropFirst().allSatisfy({ $0 & 0xC0 == 0x80 }) {
                    pending = Array(rest)
                    return keys
                }
                let text = String(validating: rest.prefix(expected), as: UTF8.self)
                (key, length) = (text?.first.map { .character($0) }, text == nil ? 1 : expected)
            }
            if let key { keys.append(key) }
            rest = rest.dropFirst(length)
        }
        return keys
    }

    private static func control(_ byte: UInt8) -> TerminalKey? {
        switch byte {
        case 0x03, 0x04: .interrupt
        case 0x08, 0x7F: .backspace
        case 0x09: .tab
        case 0x0A, 0x0D: .enter
        default: nil
        }
    }

    /// Returns the key of a sequence that begins with an escape byte, and the sequence's length; nil while the end is missing.
    private static func sequence(_ bytes: ArraySlice<UInt8>) -> (TerminalKey?, Int)? {
        let parameters = bytes.dropFirst(2)
        guard let second = bytes.dropFirst().first, second == UInt8(ascii: "[") || second == UInt8(ascii: "O") else { return (.escape, 1) }
        guard let end = parameters.firstIndex(where: { !(0x20...0x3F).contains($0) }) else {
            return bytes.count < sequenceLimit ? nil : (nil, bytes.count)
        }
        // A byte that is neither a parameter nor a final byte is a key of its own.
        guard (0x40...0x7E).contains(parameters[end]) else { return (nil, end - bytes.startIndex) }
        let key: TerminalKey? =
            switch (parameters[end], parameters[..<end].first) {
            case (UInt8(ascii: "A"), _): .up
            case (UInt8(ascii: "B"), _): .down
            case (UInt8(ascii: "C"), _): .right
            case (UInt8(ascii: "D"), _): .left
            case (UInt8(ascii: "H"), _), (UInt8(ascii: "~"), UInt8(ascii: "1")), (UInt8(ascii: "~"), UInt8(ascii: "7")): .home
            case (UInt8(ascii: "F"), _), (UInt8(ascii: "~"), UInt8(ascii: "4")), (UInt8(ascii: "~"), UInt8(ascii: "8")): .end
            case (UInt8(ascii: "Z"), _): .backTab
            case (UInt8(ascii: "~"), UInt8(ascii: "5")): .pageUp
            case (UInt8(ascii: "~"), UInt8(ascii: "6")): .pageDown
            default: nil
            }
        return (key, end - bytes.startIndex + 1)
    }
}
