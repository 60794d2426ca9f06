import Foundation
package import Hummingbird
import PurchaseModel

extension RequestContext {
    /// The value of the path parameter `{name}`, percent-decoded; the router does not decode it.
    ///
    /// - Throws: A refusal with status 400 if the percent-encoding is invalid or not UTF-8, or if the text is not a valid identifier.
    package func parameter(_ name: String) throws -> String {
        try identifier(try parameters.require(name), at: name)
    }
}

extension Request {
    /// The value of a query parameter, percent-decoded; nil if the parameter is absent.
    ///
    /// - Throws: A refusal with status 400 if the percent-encoding is invalid or not UTF-8, or if the text is not a valid identifier.
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
