import Foundation

/// The PEM encoding: bytes between `-----BEGIN …-----` and `-----END …-----` (RFC 7468).
enum PEMText {
    /// The bytes of the first block; nil if there is no block, or if its content is not base64.
    static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var body: [UInt8] = []
        var isInside = false
        for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            if line.starts(with: "-----END".utf8) { return isInside ? Base64Text.decode(body[...]) : nil }
            if isInside { body.append(contentsOf: line) }
            if line.starts(with: "-----BEGIN".utf8) { isInside = true }
        }
        return nil
    }

    /// The bytes as a block with that label, in lines of 64 characters.
    static func encode(_ bytes: [UInt8], label: String) -> String {
        let text = Data(bytes).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN \(label)-----\n\(text)\n-----END \(label)-----\n"
    }
}
