package import HTTPTypes
import PurchaseModel
package import PurchaseProtocol

/// An error with a defined wire format.
///
/// Each target has its own closed error enums, and maps each in one exhaustive `switch` in a file called `…+Wire.swift`; the enums
/// themselves are independent of HTTP.
package protocol WireRefusal: Error {
    /// The HTTP status: 4xx for an error of the client, 503 for a retryable error.
    var status: HTTPResponse.Status { get }
    /// The error code and the message.
    var wireError: WireError { get }
    /// The number of seconds after which the same call may succeed; nil if unknown.
    var retryAfterSeconds: Int? { get }
}

extension WireRefusal {
    /// Unknown.
    package var retryAfterSeconds: Int? { nil }
}
