package import HTTPTypes
import PurchaseModel
package import PurchaseProtocol

/// An error that knows how it looks on the wire.
///
/// Each target has closed error enums of its own and maps each in one exhaustive `switch`, in a file called
/// `…+Wire.swift`; the enums themselves know nothing of HTTP.
package protocol WireRefusal: Error {
    /// The HTTP status: 4xx for the caller's fault, 503 for "ask again later".
    var status: HTTPResponse.Status { get }
    /// The code and the sentence.
    var wireError: WireError { get }
    /// After how many seconds the same call may succeed; nil when that is not known.
    var retryAfterSeconds: Int? { get }
}

extension WireRefusal {
    /// Not known.
    package var retryAfterSeconds: Int? { nil }
}
