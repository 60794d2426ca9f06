public import PurchaseModel

/// A payload type of signed data that a ``SignedDataVerifier`` can verify.
///
/// The payload must state the time of signing, and should state the environment. The payload types of the module `PurchaseModel` conform to this
/// protocol. Conform a custom type to decode members that those types do not have.
public protocol SignedPayload: Decodable, Hashable, Sendable {
    /// The app, the environment, the time of signing and the device that the payload states.
    var claims: SignedDataClaims { get }

    /// Checks the values of the decoded payload.
    ///
    /// - Throws: A ``Refusal`` with the place of the value, when a value is invalid.
    func validate() throws(Refusal)
}

extension SignedPayload {
    /// Accepts every payload that can be decoded.
    public func validate() throws(Refusal) {}
}

extension TransactionPayload: SignedPayload {
    /// The app, the environment and the time of signing, and the device if a device requested the transaction.
    public var claims: SignedDataClaims {
        var claims = SignedDataClaims(kind: .transaction, signedDate: signedDate, environment: environment)
        claims.bundleID = statedBundleID
        claims.missingMember = statedBundleID == nil ? "bundleId" : nil
        claims.deviceVerification = deviceVerification
        claims.deviceVerificationNonce = deviceVerificationNonce
        return claims
    }

    /// Checks that the quantity is positive.
    ///
    /// - Throws: ``Refusal/Reason/malformed`` when the quantity is zero or negative.
    public func validate() throws(Refusal) {
        guard quantity > 0 else {
            throw Refusal(.malformed, at: "payload.quantity", "Invalid value: `quantity` must be positive.")
        }
    }
}

extension RenewalInfoPayload: SignedPayload {
    /// The environment and the time of signing, and the device if a device requested the renewal information.
    ///
    /// Renewal information does not state its app. To know that the information is for your app, compare its original transaction
    /// identifier with that of a verified transaction.
    public var claims: SignedDataClaims {
        var claims = SignedDataClaims(kind: .renewalInfo, signedDate: signedDate, environment: environment)
        claims.deviceVerification = deviceVerification
        claims.deviceVerificationNonce = deviceVerificationNonce
        return claims
    }
}

extension AppTransactionPayload: SignedPayload {
    /// The app with its `appAppleId`, the environment and the time of signing, and the device if a device requested the app transaction.
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
    /// The app's `appAppleId`, the environment and the time of signing.
    public var claims: SignedDataClaims {
        var claims = SignedDataClaims(kind: .realtimeRequest, signedDate: signedDate, environment: environment)
        claims.appAppleID = appAppleId
        return claims
    }
}

extension OtherPayload: SignedPayload {
    /// The environment and the time of signing, and the app and its `appAppleId` if the payload states them.
    public var claims: SignedDataClaims {
        var claims = SignedDataClaims(kind: .other, signedDate: signedDate, environment: environment)
        claims.bundleID = bundleId
        claims.appAppleID = appAppleId
        return claims
    }
}

extension NotificationPayload {
    // This type is not a `SignedPayload`, because a notification is verified together with each nested JWS.

    /// The app with its `appAppleId`, the environment and the time of signing.
    var claims: SignedDataClaims {
        switch subject {
        case .data(let data): claims(data.environment, data.bundleId, data.appAppleId, in: "payload.data", "payload.data.environment")
        case .summary(let summary):
            claims(summary.environment, summary.bundleId, summary.appAppleId, in: "payload.summary", "payload.summary.environment")
        case .appData(let data):
            claims(data.environment, data.bundleId, data.appAppleId, in: "payload.appData", "payload.appData.environment")
        case .externalPurchaseToken(let token):
            // A notification about an external purchase token has no member for the environment. The token's identifier implies it.
            claims(
                token.environment.rawValue, token.bundleId, token.appAppleId, in: "payload.externalPurchaseToken",
                "payload.externalPurchaseToken.externalPurchaseId"
            )
        case .unknown(let unknown): claims(of: unknown)
        }
    }

    /// Returns the claims of a notification that can lack its app and its environment.
    private func claims(of unknown: UnknownNotificationSubject) -> SignedDataClaims {
        let bundleID = unknown.bundleId ?? unclaimInfo?.bundleId
        var claims = claims(
            unknown.environment ?? unclaimInfo?.environment ?? "", bundleID, unknown.appAppleId ?? unclaimInfo?.appAppleId, in: "payload",
            "payload.environment")
        if bundleID == nil { claims.missingMember = "bundleId" }
        return claims
    }

    private func claims(
        _ environment: String, _ bundle: BundleID?, _ appAppleID: Int64?, in appPlace: String, _ environmentPlace: String
    ) -> SignedDataClaims {
        var claims = SignedDataClaims(kind: .notification, signedDate: signedDate, environment: environment)
        claims.bundleID = bundle
        claims.appAppleID = appAppleID
        claims.appPlace = appPlace
        claims.environmentPlace = environmentPlace
        return claims
    }
}

/// The values that several kinds of signed data have in common, and that a ``SignedDataCheck`` can examine.
public struct SignedDataClaims: Sendable {
    /// The kind of signed data, such as a transaction.
    public var kind: SignedDataKind
    /// The time of signing that the payload states.
    public var signedDate: Timestamp
    /// The environment that the payload states, in the App Store's spelling, such as `Sandbox`; empty when it states none.
    public var environment: String
    /// The app's bundle identifier; nil when the payload does not state it.
    public var bundleID: BundleID?
    /// The name of a member that every payload of the kind should have and this payload lacks, such as `bundleId`; nil for none.
    ///
    /// A verifier refuses the data with ``Refusal/Reason/missingMember(_:)`` after it has verified the signature.
    public var missingMember: String?
    /// The app's `appAppleId`; nil when the payload does not state it.
    public var appAppleID: Int64?
    /// The hash that binds the data to a device, in base64; nil when the data is bound to no device.
    public var deviceVerification: String?
    /// The UUID that ``deviceVerification`` covers; nil when the data is bound to no device.
    public var deviceVerificationNonce: String?

    /// The path of the time of signing in the payload, for the place of a refusal.
    public var signedDatePlace = "payload.signedDate"
    /// The path of the environment in the payload, for the place of a refusal.
    public var environmentPlace = "payload.environment"
    /// The path of the JSON object with the members `bundleId` and `appAppleId`, for the place of a refusal.
    public var appPlace = "payload"

    /// Creates claims without an app and without a device.
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
    /// An App Store Server Notification.
    case notification
    /// A real-time request of the Retention Messaging API.
    case realtimeRequest = "realtime_request"
    /// Data of another kind that states its environment and its time of signing.
    case other

    /// Derives the kind of signed data from the names of its payload's members; nil for no known kind.
    ///
    /// Signed data does not state its kind. A payload with members of several kinds gets the first of these kinds in the order of the
    /// initializer's conditions, and is decoded as that kind.
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
