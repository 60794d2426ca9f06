import Foundation
public import PurchaseModel

extension SignedDataVerifier {
    /// Returns what a signed transaction, renewal information, app transaction or real-time request proves.
    ///
    /// Hostile text is expected here: it throws, it never traps. Cost, with the chain seen before: little more than checking one
    /// signature of P-256.
    public func verify<Payload>(_ signed: Signed<Payload>) async throws(Unproven) -> Verified<Payload> where Payload: SignedPayload {
        try await prove(CompactForm.read(signed.compact), signed, trace: nil)
    }

    /// What signed data is worth, as a value with all three outcomes.
    public func judge<Payload>(_ signed: Signed<Payload>) async -> Verdict<Verified<Payload>> where Payload: SignedPayload {
        do { return .verified(try await verify(signed)) } catch { return Verdict(error) }
    }

    /// What signed data is worth, and how that was found out.
    ///
    /// Costs several times what `verify` does, because the chain is always proven anew.
    public func explain<Payload>(
        _ signed: Signed<Payload>
    ) async -> (verdict: Verdict<Verified<Payload>>, explanation: Explanation) where Payload: SignedPayload {
        await explaining { trace throws(Unproven) in try await prove(CompactForm.read(signed.compact), signed, trace: trace) }
    }

    func explaining<Value>(
        _ prove: (Trace) async throws(Unproven) -> Value
    ) async -> (verdict: Verdict<Value>, explanation: Explanation) {
        let trace = Trace()
        do throws(Unproven) {
            return (.verified(try await prove(trace)), trace.explanation)
        } catch {
            trace.ended(error)
            return (Verdict(error), trace.explanation)
        }
    }

    func prove<Payload: SignedPayload>(
        _ form: CompactForm, _ signed: Signed<Payload>, trace: Trace?
    ) async throws(Unproven) -> Verified<Payload> {
        let (jws, payload) = try read(form, as: Payload.self, trace: trace)
        if let place = payload.impossibility { throw .refused(Refusal(.malformed, at: place, "It states what can't be.")) }
        let claims = payload.claims
        trace?.payload(claims)
        try await prove(jws, claims, trace: trace)
        return Verified(payload: payload, original: signed)
    }

    func read<Payload: Decodable>(
        _ form: CompactForm, as type: Payload.Type, trace: Trace?
    ) throws(Unproven) -> (CompactJWS, Payload) {
        do {
            let jws = try CompactJWS(form)
            trace?.passed(
                "compact form", "ES256, \(jws.isAlone ? "one certificate" : "three certificates")",
                rule: "Three parts of base64url, header and payload JSON that can be read in one way only."
            )
            return (jws, try WireJSON.decode(type, from: Data(jws.payload)))
        } catch let refusal as Refusal {
            throw .refused(refusal)
        } catch let error as DecodingError {
            throw .refused(Refusal(.malformed, at: error.place))
        } catch {
            throw .refused(Refusal(.malformed, at: "payload"))
        }
    }
}

extension CompactForm {
    /// The parts of a compact JWS.
    static func read(_ compact: String) throws(Unproven) -> CompactForm {
        do { return try CompactForm(compact) } catch { throw .refused(error) }
    }
}

extension Trace {
    /// The step of reading a payload.
    func payload(_ claims: SignedDataClaims) {
        passed(
            "payload", "\(claims.kind.rawValue), \(claims.environment.prefix(20)), signed \(claims.signedDate)",
            rule: "It states when it was signed and where, and the chain is judged by that."
        )
    }
}
