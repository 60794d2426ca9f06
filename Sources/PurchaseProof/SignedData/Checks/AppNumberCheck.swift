import PurchaseModel

/// Refuses signed data of production for another app, by the app's number in the App Store.
///
/// App transactions, notifications and real-time requests state it; for the last it is the only thing that names the app.
public struct AppNumberCheck: SignedDataCheck {
    private let number: Int64

    /// Creates the check for one app.
    public init(_ number: Int64) {
        self.number = number
    }

    /// Names what is looked at.
    public var name: String { "app number" }

    /// The rule: production's number is ours.
    public var rule: String { "What is of production and states an app's number is for app \(number)." }

    /// The number that is stated.
    public func saw(_ claims: SignedDataClaims) -> String { claims.appAppleID.map { "\($0)" } ?? "none is stated" }

    /// Throws ``Refusal/Reason/foreignApp(_:)`` unless the number is ours.
    ///
    /// The sandbox and Xcode state none, or one that means nothing, so only data of production is asked.
    public func examine(_ claims: SignedDataClaims) throws(Refusal) {
        switch claims.kind {
        case .transaction, .renewalInfo: return
        case .other where claims.appAppleID == nil: return
        case .appTransaction, .notification, .realtimeRequest, .other: break
        }
        guard claims.environment == AppEnvironment.production.rawValue, claims.appAppleID != number else { return }
        throw Refusal(.foreignApp(claims.appAppleID), at: "\(claims.subject).appAppleId")
    }
}
