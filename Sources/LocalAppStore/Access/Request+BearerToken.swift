import HTTPTypes
import Hummingbird

extension Request {
    /// The token of `Authorization: Bearer` (RFC 6750, section 2.1); nil without one.
    var bearerToken: String? {
        guard let header = headers[.authorization], header.lowercased().hasPrefix("bearer ") else { return nil }
        return String(header.dropFirst("bearer ".count))
    }
}
