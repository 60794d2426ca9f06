import Foundation
package import Hummingbird
import PurchaseModel

extension RequestContext {
    /// What stands in the path for `{name}`, with its percent-encoding removed, which the router leaves in.
    ///
    /// - Throws: A refusal with status 400 when the encoding is none, or not of UTF-8, or when the text can be no identifier.
    package func parameter(_ name: String) throws -> String {
        try identifier(try parameters.require(name), at: name)
    }
}

extension Request {
    /// The value of a name in the address's query, with its percent-encoding removed; nil when the name is not there.
    ///
    /// - Throws: A refusal with status 400 when the encoding is none, or not of UTF-8, or when the text can be no identifier.
    package func query(_ name: String) throws -> String? {
        for pair in (uri.query ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.first == name[...] { return try identifier(parts.count == 2 ? String(parts[1]) : "", at: name) }
        }
        return nil
    }
}

private func identifier(_ encoded: String, at place: String) throws -> String {
    guard let text = encoded.removingPercentEncoding else { throw IdentifierRefusal.unreadable(place: place) }
    guard IdentifierText.isValid(text) else { throw IdentifierRefusal.malformed(place: place) }
    return text
}
