import Foundation
import PurchaseModel
import PurchaseProof

extension Device {
    /// The number that goes into the device verification of signed data.
    var verificationID: UUID? { UUID(uuidString: id.rawValue) }

    /// Verifies what the store signed, and gives it StoreKit's form; nil for what has no such form.
    ///
    /// A copy that says for which device it was made must have been made for this one.
    @concurrent
    func result<Value: SignedValue>(_ signed: Signed<Value.Payload>) async -> VerificationResult<Value>? {
        do throws(Unproven) {
            return result(try await verified(signed))
        } catch {
            return unverified(signed, VerificationFault(error))
        }
    }

    /// Gives StoreKit's form to what was verified already; nil for what has no such form.
    func result<Value: SignedValue>(_ verified: Verified<Value.Payload>) -> VerificationResult<Value>? {
        if let fault = simulatedFailures.verification { return unverified(verified.original, fault) }
        do throws(Unproven) {
            try checkDevice(verified.payload)
        } catch {
            return unverified(verified.original, VerificationFault(error))
        }
        return Value(verified.payload, signed: verified.original, origin: Origin(self)).map { .verified($0) }
    }

    /// Gives StoreKit's form to what could not be verified; nil for what can't even be read.
    func unverified<Value: SignedValue>(_ signed: Signed<Value.Payload>, _ fault: VerificationFault) -> VerificationResult<Value>? {
        guard let payload = signed.unverifiedPayload, let value = Value(payload, signed: signed, origin: Origin(self))
        else { return nil }
        return .unverified(value, VerificationResult<Value>.VerificationError(simulatedFailures.verification ?? fault))
    }

    private func verified<Payload: SignedPayload>(_ signed: Signed<Payload>) async throws(Unproven) -> Verified<Payload> {
        try await session.dataVerifier.verify(signed)
    }

    private func checkDevice(_ payload: some SignedPayload) throws(Unproven) {
        let claims = payload.claims
        guard claims.deviceVerification != nil, let verificationID else { return }
        do throws(Refusal) {
            try DeviceVerificationCheck(verificationID).examine(claims)
        } catch { throw .refused(error) }
    }
}
