public import PurchaseModel

/// A payload that can be judged: it says when it was signed, and where it belongs.
public protocol SignedPayload: Decodable, Hashable, Sendable {
    /// What it says about where it belongs.
    var claims: SignedDataClaims { get }

    /// Where it states what can't be, such as a purchase of nothing; nil where it does not.
    var impossibility: String? { get }
}

extension SignedPayload {
    /// Nothing it states is impossible.
    public var impossibility: String? { nil }
}

extension TransactionPayload: SignedPayload {
    /// States app, environment, date and, on a device, the device.
    public var claims: SignedDataClaims {
        var claims = SignedDataClaims(kind: .transaction, signedDate: signedDate, environment: environment)
        claims.bundleID = bundleId
        claims.deviceVerification = deviceVerification
        claims.deviceVerificationNonce = deviceVerificationNonce
        return claims
    }

    /// As in receipts: nothing, or less than nothing, can't be bought, and must not be added to what somebody has.
    public var impossibility: String? { quantity > 0 ? nil : "payload.quantity" }
}

extension RenewalInfoPayload: SignedPayload {
    /// States environment, date and, on a device, the device.
    ///
    /// It does not name its app. It is about the app whose subscription it belongs to: take it from where a verified transaction
    /// or notification came from.
    public var claims: SignedDataClaims {
        var claims = SignedDataClaims(kind: .renewalInfo, signedDate: signedDate, environment: environment)
        claims.deviceVerification = deviceVerification
        claims.deviceVerificationNonce = deviceVerificationNonce
        return claims
    }
}

extension AppTransactionPayload: SignedPayload {
    /// States app, its number, environment, date and, on a device, the device.
    public var claims: SignedDataClaims {
        var claims = SignedDataClaims(kind: .appTransaction, signedDate: receiptCreationDate, environment: receiptType)
        claims.bundleID = bundleId
        claims.appAppleID = appAppleId
        claims.deviceVerification = deviceVerification
        claims.deviceVerificationNonce = deviceVerificationNonce
        claims.datePlace = "payload.receiptCreationDate"
        claims.environmentPlace = "payload.receiptType"
        return claims
    }
}

extension RealtimeRequestPayload: SignedPayload {
    /// States the app's number, environment and date.
    public var claims: SignedDataClaims {
        var claims = SignedDataClaims(kind: .realtimeRequest, signedDate: signedDate, environment: environment)
        claims.appAppleID = appAppleId
        return claims
    }
}

extension OtherPayload: SignedPayload {
    /// States environment and date, and maybe app and number.
    public var claims: SignedDataClaims {
        var claims = SignedDataClaims(kind: .other, signedDate: signedDate, environment: environment)
        claims.bundleID = bundleId
        claims.appAppleID = appAppleId
        return claims
    }
}

extension NotificationPayload {
    // No `SignedPayload`: a notification is not verified until what is inside is.

    /// States app, its number, environment and date, whichever its subject is.
    var claims: SignedDataClaims {
        switch subject {
        case .data(let data): claims(data.environment, data.bundleId, data.appAppleId, in: "payload.data", "payload.data.environment")
        case .summary(let summary):
            claims(summary.environment, summary.bundleId, summary.appAppleId, in: "payload.summary", "payload.summary.environment")
        case .appData(let data):
            claims(data.environment, data.bundleId, data.appAppleId, in: "payload.appData", "payload.appData.environment")
        case .externalPurchaseToken(let token):
            // The only subject that does not state its environment: it shows in the identifier.
            claims(
                token.environment.rawValue, token.bundleId, token.appAppleId, in: "payload.externalPurchaseToken",
                "payload.externalPurchaseToken.externalPurchaseId"
            )
        }
    }

    private func claims(
        _ environment: String, _ bundle: BundleID, _ number: Int64?, in subject: StaticString, _ environmentPlace: StaticString
    ) -> SignedDataClaims {
        var claims = SignedDataClaims(kind: .notification, signedDate: signedDate, environment: environment)
        claims.bundleID = bundle
        claims.appAppleID = number
        claims.subject = subject
        claims.environmentPlace = environmentPlace
        return claims
    }
}
