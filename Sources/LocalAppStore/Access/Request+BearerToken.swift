import HTTPTypes
import Hummingbird

extension Request {
    /// The token in the request's `Authorization: Bearer` header (RFC 6750, section 2.1); nil if the request has no such header.
    var bearerToken: String? {
        guard let header = headers[.authorization], header.lowercased().hasPrefix("bearer ") else { return nil }
        return String(header.dropFirst("bearer ".count))
    }
}
