public import PurchaseModel

/// A payload that a ``SignedDataVerifier`` can verify: it states the time of signing and the environment.
///
/// The payloads of `PurchaseModel` conform. Conform a custom type to verify further members.
public protocol SignedPayload: Decodable, Hashable, Sendable {
    /// The payload's claims: app, environment, time of signing and device.
    var claims: SignedDataClaims { get }

    /// Throws a ``Refusal`` with its place when the payload contains an invalid value.
    func validate() throws(Refusal)
}

extension SignedPayload {
    /// Accepts every value that can be decoded.
    public func validate() throws(Refusal) {}
}

extension TransactionPayload: SignedPayload {
    /// App, environment, time of signing and, if a device requested the transaction, the device.
    public var claims: SignedDataClaims {
        var claims = SignedDataClaims(kind: .transaction, signedDate: signedDate, environment: environment)
        claims.bundleID = bundleId
        claims.deviceVerification = deviceVerification
        claims.deviceVerificationNonce = deviceVerificationNonce
        return claims
    }

    /// Throws when the quantity is not positive, as in receipts.
    public func validate() throws(Refusal) {
        guard quantity > 0 else {
            throw Refusal(.malformed, at: "payload.quantity", "Invalid value: `quantity` must be positive.")
        }
    }
}

extension RenewalInfoPayload: SignedPayload {
    /// Environment, time of signing and, if a device requested the renewal information, the device.
    ///
    /// Renewal information does not state its app. Compare its original transaction with that of a verified transaction.
    public var claims: SignedDataClaims {
        var claims = SignedDataClaims(kind: .renewalInfo, signedDate: signedDate, environment: environment)
        claims.deviceVerification = deviceVerification
        claims.deviceVerificationNonce = deviceVerificationNonce
        return claims
    }
}

extension AppTransactionPayload: SignedPayload {
    /// App, `appAppleId`, environment, time of signing and, if a device requested the app transaction, the device.
    public var claims: SignedDataClaims {
        var claims = SignedDataClaims(kind: .appTransaction, signedDate: receiptCreationDate, environment: receiptType)
        claims.bundleID = bundleId
        claims.appAppleID = appAppleId
        claims.deviceVerification = deviceVerification
        claims.deviceVerificationNonce = deviceVerificationNonce
        claims.signedDatePlace = "payload.receiptCreationDate"
        claims.environmentPlace = "payload.receiptType"
        return claims
    }
}

extension RealtimeRequestPayload: SignedPayload {
    /// `appAppleId`, environment and time of signing.
    public var claims: SignedDataClaims {
        var claims = SignedDataClaims(kind: .realtimeRequest, signedDate: signedDate, environment: environment)
        claims.appAppleID = appAppleId
        return claims
    }
}

extension OtherPayload: SignedPayload {
    /// Environment and time of signing, and app and `appAppleId` where they are stated.
    public var claims: SignedDataClaims {
        var claims = SignedDataClaims(kind: .other, signedDate: signedDate, environment: environment)
        claims.bundleID = bundleId
        claims.appAppleID = appAppleId
        return claims
    }
}

extension NotificationPayload {
    // This type is not a `SignedPayload`, because a notification is verified together with each nested JWS.

    /// App, `appAppleId`, environment and time of signing.
    var claims: SignedDataClaims {
        switch subject {
        case .data(let data): claims(data.environment, data.bundleId, data.appAppleId, in: "payload.data", "payload.data.environment")
        case .summary(let summary):
            claims(summary.environment, summary.bundleId, summary.appAppleId, in: "payload.summary", "payload.summary.environment")
        case .appData(let data):
            claims(data.environment, data.bundleId, data.appAppleId, in: "payload.appData", "payload.appData.environment")
        case .externalPurchaseToken(let token):
            // The only subject without a member for the environment: the identifier implies it.
            claims(
                token.environment.rawValue, token.bundleId, token.appAppleId, in: "payload.externalPurchaseToken",
                "payload.externalPurchaseToken.externalPurchaseId"
            )
        }
    }

    private func claims(
        _ environment: String, _ bundle: BundleID, _ appAppleID: Int64?, in appPlace: String, _ environmentPlace: String
    ) -> SignedDataClaims {
        var claims = SignedDataClaims(kind: .notification, signedDate: signedDate, environment: environment)
        claims.bundleID = bundle
        claims.appAppleID = appAppleID
        claims.appPlace = appPlace
        claims.environmentPlace = environmentPlace
        return claims
    }
}

/// The claims of all kinds of signed data, which checks examine.
public struct SignedDataClaims: Sendable {
    /// The kind of signed data.
    public var kind: SignedDataKind
    /// The time of signing.
    public var signedDate: Timestamp
    /// The environment, as spelled on the wire.
    public var environment: String
    /// The app; nil for kinds that do not state it.
    public var bundleID: BundleID?
    /// The app's `appAppleId`, where it is stated.
    public var appAppleID: Int64?
    /// The hash that binds the data to a device, where a device requested it.
    public var deviceVerification: String?
    /// The nonce of ``deviceVerification``, a UUID.
    public var deviceVerificationNonce: String?

    /// The place of the time of signing in the payload, for refusals.
    public var signedDatePlace = "payload.signedDate"
    /// The place of the environment in the payload, for refusals.
    public var environmentPlace = "payload.environment"
    /// The object that states `bundleId` and `appAppleId`, for refusals.
    public var appPlace = "payload"

    /// Creates claims that state neither app nor device.
    public init(kind: SignedDataKind, signedDate: Timestamp, environment: String) {
        self.kind = kind
        self.signedDate = signedDate
        self.environment = environment
    }
}

/// The kinds of signed data.
public enum SignedDataKind: String, Codable, Hashable, Sendable, CaseIterable {
    /// A transaction.
    case transaction
    /// Renewal information of a subscription.
    case renewalInfo = "renewal_info"
    /// An app transaction.
    case appTransaction = "app_transaction"
    /// A server notification.
    case notification
    /// A real-time request.
    case realtimeRequest = "realtime_request"
    /// Other data that states environment and time of signing.
    case other

    /// The kind of a payload with these members; nil for none.
    ///
    /// Signed data does not state its kind. A payload with members of several kinds is of the first one in the order below, and is decoded
    /// as that kind.
    init?(members: Set<String>) {
        if members.contains("notificationType") {
            self = .notification
        } else if members.contains("receiptType") {
            self = .appTransaction
        } else if members.contains("transactionId") {
            self = .transaction
        } else if members.contains("userLocale") {
            self = .realtimeRequest
        } else if members.contains("originalTransactionId") {
            self = .renewalInfo
        } else if members.isSuperset(of: ["signedDate", "environment"]) {
            self = .other
        } else {
            return nil
        }
    }
}
