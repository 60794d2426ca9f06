import Foundation
import NIOCore
import PurchaseModel

/// Replaces secrets in the bodies of requests and responses.
enum SecretMask {
    /// The names of the JSON members whose texts are secrets.
    private static let names: Set<String> = [
        "password", "sharedSecret", "token", "privateKey", "apiKey", "accessToken", "secret",
    ]

    /// Returns a body as text with its secrets replaced.
    ///
    /// The result is nil for bytes that are not UTF-8, and for text that is no JSON and can contain a secret, whose place is then unknown.
    static func text(of body: ByteBuffer) -> String? {
        guard let text = String(validating: body.readableBytesView, as: UTF8.self) else { return nil }
        if JSONReader.read(Array(body.readableBytesView)) != nil { return masked(text) }
        let lowercase = text.lowercased()
        // A name can be written with escapes.
        let canHaveSecret = lowercase.contains("\\u") || names.contains { lowercase.contains($0.lowercased()) }
        return canHaveSecret ? nil : text
    }

    /// Replaces the texts of secret members of valid JSON.
    private static func masked(_ text: String) -> String {
        var masked = ""
        var rest = text.utf8[...]
        // The part of `rest` before `copied` is in `masked` already.
        var copied = rest.startIndex
        while let member = nextString(&rest) {
            guard names.contains(unescaped(text[member])), let value = value(&rest) else { continue }
            masked += text[copied..<value.lowerBound] + "•••"
            copied = value.upperBound
        }
        return masked + text[copied...]
    }

    private static func unescaped(_ name: Substring) -> String {
        guard name.contains("\\") else { return String(name) }
        return (try? JSONDecoder().decode(String.self, from: Data("\"\(name)\"".utf8))) ?? String(name)
    }

    /// Returns the content of the next string literal, and moves behind it; nil at the end of the text.
    private static func nextString(_ rest: inout Substring.UTF8View) -> Range<String.Index>? {
        guard let start = rest.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
        rest = rest[rest.index(after: start)...]
        return string(&rest)
    }

    /// Returns the content up to the next quotation mark, or to the end of a truncated text.
    private static func string(_ rest: inout Substring.UTF8View) -> Range<String.Index> {
        let start = rest.startIndex
        while let byte = rest.first {
            if byte == UInt8(ascii: "\"") { break }
            rest = rest.dropFirst(byte == UInt8(ascii: "\\") ? 2 : 1)
        }
        let range = start..<rest.startIndex
        rest = rest.dropFirst()
        return range
    }

    /// Returns the string literal after a colon; nil if another value follows.
    private static func value(_ rest: inout Substring.UTF8View) -> Range<String.Index>? {
        func skipBlanks() {
            rest = rest.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        }
        skipBlanks()
        guard rest.first == UInt8(ascii: ":") else { return nil }
        rest = rest.dropFirst()
        skipBlanks()
        guard rest.first == UInt8(ascii: "\"") else { return nil }
        rest = rest.dropFirst()
        return string(&rest)
    }
}
