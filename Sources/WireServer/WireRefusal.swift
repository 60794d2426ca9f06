package import HTTPTypes
import PurchaseModel
package import Wire

/// An error that defines the HTTP response with which a server reports it to the client.
///
/// Each target has its own error enumerations, which are independent of HTTP. A file named `…+Wire.swift` conforms such an enumeration to
/// this protocol with one exhaustive `switch`.
package protocol WireRefusal: Error {
    /// The HTTP status of the response: 4xx for an error of the client, 503 for a retryable error.
    var status: HTTPResponse.Status { get }
    /// The error code and the message in the body of the response.
    var wireError: WireError { get }
    /// The number of seconds after which the same request can succeed; nil when the number is unknown.
    var retryAfterSeconds: Int? { get }
    /// The message in the log for the operator, who has to act; nil for an error that concerns the client only.
    var operatorMessage: String? { get }
}

extension WireRefusal {
    /// The default value, nil, because the number of seconds is unknown.
    package var retryAfterSeconds: Int? { nil }

    /// The default value, nil, because most errors concern the client only.
    package var operatorMessage: String? { nil }
}
