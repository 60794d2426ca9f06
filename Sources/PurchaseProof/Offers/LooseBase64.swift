import Foundation

/// Reads base64 in either alphabet, with or without padding, to find out what somebody meant.
enum LooseBase64 {
    /// The bytes; nil for anything else, and for nothing.
    static func decode(_ text: String) -> [UInt8]? {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines.union(["="]))
        guard !trimmed.isEmpty else { return nil }
        return Base64URL.decode(
            trimmed.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0 })
    }
}
