import PurchaseModel

/// Signed data in a notification, with its own signature.
struct InnerPart: Hashable, Sendable {
    /// The member that holds the signed data, such as `signedTransactionInfo`.
    let name: String
    let compact: String

    /// The nested JWS of a payload; none if the payload is not a notification's.
    static func parts(of payload: JSONValue?) -> [InnerPart] {
        [("data", "signedTransactionInfo"), ("data", "signedRenewalInfo"), ("appData", "signedAppTransactionInfo")].compactMap { place in
            payload?[place.0]?[place.1]?.text.map { InnerPart(name: place.1, compact: $0) }
        }
    }
}
