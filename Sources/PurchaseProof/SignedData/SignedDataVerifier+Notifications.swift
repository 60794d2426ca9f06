public import PurchaseModel

extension SignedDataVerifier {
    /// Returns what a signed notification proves, together with the signed data inside.
    ///
    /// The parts inside have signatures of their own and are verified like any others; they must be of the notification's app
    /// and environment.
    public func verify(_ signed: SignedNotification) async throws(Unproven) -> VerifiedNotification {
        try await prove(CompactForm.read(signed.compact), signed, trace: nil)
    }

    /// What a signed notification is worth, as a value with all three outcomes.
    public func judge(_ signed: SignedNotification) async -> Verdict<VerifiedNotification> {
        do { return .verified(try await verify(signed)) } catch { return Verdict(error) }
    }

    /// What a signed notification is worth, and how that was found out.
    public func explain(
        _ signed: SignedNotification
    ) async -> (verdict: Verdict<VerifiedNotification>, explanation: Explanation) {
        await explaining { trace throws(Unproven) in try await prove(CompactForm.read(signed.compact), signed, trace: trace) }
    }

    func prove(_ form: CompactForm, _ signed: SignedNotification, trace: Trace?) async throws(Unproven) -> VerifiedNotification {
        let (jws, payload) = try read(form, as: NotificationPayload.self, trace: trace)
        let claims = payload.claims
        trace?.payload(claims)
        try await prove(jws, claims, trace: trace)
        let notification = Verified(payload: payload, original: signed)
        switch payload.subject {
        case .data(let data):
            return VerifiedNotification(
                notification: notification,
                transaction: try await prove(data.signedTransactionInfo, "data.signedTransactionInfo", of: claims, trace: trace),
                renewalInfo: try await prove(data.signedRenewalInfo, "data.signedRenewalInfo", of: claims, trace: trace)
            )
        case .appData(let data):
            return VerifiedNotification(
                notification: notification,
                appTransaction: try await prove(data.signedAppTransactionInfo, "appData.signedAppTransactionInfo", of: claims, trace: trace)
            )
        case .summary, .externalPurchaseToken:
            return VerifiedNotification(notification: notification)
        }
    }

    /// Verifies signed data that a notification holds, if it holds it.
    private func prove<Payload: SignedPayload>(
        _ signed: Signed<Payload>?, _ part: StaticString, of outer: SignedDataClaims, trace: Trace?
    ) async throws(Unproven) -> Verified<Payload>? {
        guard let signed else { return nil }
        trace?.passed("\(part)", "there", rule: "What a notification holds is signed by itself and verified like any other.")
        do throws(Unproven) {
            let verified = try await prove(CompactForm.read(signed.compact), signed, trace: trace)
            let inner = verified.payload.claims
            guard inner.environment == outer.environment else {
                throw .refused(Refusal(.foreignEnvironment(inner.environment), at: "\(inner.environmentPlace)"))
            }
            if let bundle = inner.bundleID, bundle != outer.bundleID {
                throw .refused(Refusal(.foreignBundle(bundle), at: "\(inner.subject).bundleId"))
            }
            return verified
        } catch { throw error.inside(part) }
    }
}
