import PurchaseModel

extension SignedDataVerifier {
    /// What a compact JWS is worth, whichever kind of signed data it is.
    public func judgeAny(_ compact: String) async -> SignedDataReport {
        await report(compact, trace: nil)
    }

    /// What a compact JWS is worth, whichever kind of signed data it is, and how that was found out.
    public func explainAny(_ compact: String) async -> SignedDataReport {
        await report(compact, trace: Trace())
    }

    private func report(_ compact: String, trace: Trace?) async -> SignedDataReport {
        var kind: SignedDataKind?
        var payload: [UInt8]?
        let verdict: Verdict<VerifiedSignedData>
        do throws(Unproven) {
            let form = try CompactForm.read(compact)
            (kind, payload) = (form.kind, form.payload)
            verdict = .verified(try await prove(form, compact, trace: trace))
        } catch {
            trace?.ended(error)
            verdict = Verdict(error)
        }
        return SignedDataReport(kind: kind, verdict: verdict, payload: payload, explanation: trace?.explanation ?? Explanation())
    }

    private func prove(_ form: CompactForm, _ compact: String, trace: Trace?) async throws(Unproven) -> VerifiedSignedData {
        switch form.kind {
        case .transaction: .transaction(try await prove(form, SignedTransaction(compact), trace: trace))
        case .renewalInfo: .renewalInfo(try await prove(form, SignedRenewalInfo(compact), trace: trace))
        case .appTransaction: .appTransaction(try await prove(form, SignedAppTransaction(compact), trace: trace))
        case .notification: .notification(try await prove(form, SignedNotification(compact), trace: trace))
        case .realtimeRequest: .realtimeRequest(try await prove(form, SignedRealtimeRequest(compact), trace: trace))
        case .other: .other(try await prove(form, SignedOther(compact), trace: trace))
        case nil: throw .refused(Refusal(.malformed, at: "payload", "It is of no kind that is known here."))
        }
    }
}

extension CompactForm {
    /// The kind of signed data that the payload's members show.
    var kind: SignedDataKind? {
        SignedDataKind(members: Set(payloadMembers.members.map { payloadMembers.text($0.name) }))
    }
}
