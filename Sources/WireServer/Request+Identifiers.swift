import Foundation
package import HTTPTypes
package import Hummingbird
import PurchaseModel
package import Wire

extension RequestContext {
    /// Returns the percent-decoded value of the path parameter `{name}`.
    ///
    /// The router itself does not decode path parameters.
    ///
    /// - Throws: ``IdentifierRefusal`` with status 400 when the value is not percent-encoded UTF-8, or is not a valid identifier.
    package func parameter(_ name: String) throws -> String {
        try identifier(try parameters.require(name), at: name)
    }
}

extension Request {
    /// Returns the percent-decoded value of a query parameter, or nil when the parameter is absent.
    ///
    /// - Throws: ``IdentifierRefusal`` with status 400 when the value is not percent-encoded UTF-8, or is not a valid identifier.
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

/// The reason why a server refuses a request because of an identifier in its URL or body.
package enum IdentifierRefusal: WireRefusal {
    /// The value of a path or query parameter is not percent-encoded UTF-8; `place` is the name of the parameter.
    case unreadable(place: String)
    /// The identifier is not valid (see `IdentifierText`); `place` is the name of a URL parameter, or a path in the JSON body.
    case malformed(place: String)

    package var status: HTTPResponse.Status { .badRequest }

    package var wireError: WireError {
        switch self {
        case .unreadable(let place):
            WireError(code: "path.unreadable", message: "The parameter \(place) in the URL is not percent-encoded UTF-8. Correct it.")
        case .malformed(let place):
            WireError(
                code: "identifier.malformed",
                message:
                    "Invalid identifier at \(place). Send at most \(IdentifierText.limit) bytes of UTF-8 without control characters."
            )
        }
    }
}
