package import HTTPTypes
import PurchaseModel
package import PurchaseProtocol

/// An error with a defined wire format.
///
/// Each target has its own closed error enumerations, which are independent of HTTP. A file named `…+Wire.swift` maps each enumeration
/// in one exhaustive `switch`.
package protocol WireRefusal: Error {
    /// The HTTP status: 4xx for an error of the client, 503 for a retryable error.
    var status: HTTPResponse.Status { get }
    /// The error code and the message.
    var wireError: WireError { get }
    /// The number of seconds after which the same call may succeed; nil if unknown.
    var retryAfterSeconds: Int? { get }
}

extension WireRefusal {
    /// The default value, nil: the delay is unknown.
    package var retryAfterSeconds: Int? { nil }
}
