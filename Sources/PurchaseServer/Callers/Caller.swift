import Foundation
import HTTPTypes
import Hummingbird
import PurchaseModel
import PurchaseStorage

/// The sender of a request with a valid API key.
struct Caller: Sendable {
    /// The services of the app to which the key belongs.
    let app: AppServices
    let key: APIKeyRecord
    /// The digest of the request's customer token; nil for a missing or malformed token.
    var tokenDigest: Data?

    /// Whether the caller is a backend or an operator, which can act for every customer of the app.
    var isBackend: Bool { key.kind != .publishable }
}

extension ServerContext {
    /// Returns the caller of the request if the API key has the given scope.
    ///
    /// - Throws: ``CallerRefusal`` if the request has no API key, or the key lacks the scope.
    func caller(_ scope: APIKeyScope) throws(CallerRefusal) -> Caller {
        guard let caller else { throw .missingKey }
        guard caller.key.scopes.contains(scope) else { throw .missingScope(scope) }
        return caller
    }
}

extension Request {
    /// Returns the customer whom a request identifies; nil for a request without a customer.
    ///
    /// An app identifies its customer by a customer token. A backend can also identify any customer by a UUID or an alias.
    ///
    /// - Throws: ``CallerRefusal`` if the header is invalid, or an app identifies a customer without a token.
    func customerReference(of caller: Caller) throws(CallerRefusal) -> CustomerReference? {
        if headers[.customerToken] != nil {
            guard headers[.customer] == nil, let digest = caller.tokenDigest else { throw .invalidCustomer }
            return .token(digest)
        }
        guard let text = headers[.customer] else { return nil }
        guard caller.isBackend else { throw .missingCustomerToken }
        guard let name = text.removingPercentEncoding, let reference = CustomerReference(name) else { throw .invalidCustomer }
        return reference
    }

    /// Returns the customer whom a request identifies.
    ///
    /// - Throws: ``CallerRefusal`` if the request identifies no customer.
    func requiredCustomer(of caller: Caller) throws(CallerRefusal) -> CustomerReference {
        if let reference = try customerReference(of: caller) { return reference }
        throw caller.isBackend ? .missingCustomer : .missingCustomerToken
    }
}
