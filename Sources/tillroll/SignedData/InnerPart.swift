import PurchaseModel

/// Signed data that lies in a notification and has a signature of its own.
struct InnerPart: Hashable, Sendable {
    /// The member that holds it, such as `signedTransactionInfo`.
    let name: String
    let compact: String

    /// What lies in a payload; nothing in one that is no notification.
    static func parts(of payload: JSONValue?) -> [InnerPart] {
        [("data", "signedTransactionInfo"), ("data", "signedRenewalInfo"), ("appData", "signedAppTransactionInfo")].compactMap { place in
            payload?[place.0]?[place.1]?.text.map { InnerPart(name: place.1, compact: $0) }
        }
    }
}
