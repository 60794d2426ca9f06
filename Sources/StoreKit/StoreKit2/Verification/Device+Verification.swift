import OpenStoreKit
package import PurchaseModel
import PurchaseProof

extension Device {
    /// Verifies what the store signed, and gives it StoreKit's form; nil for what has no such form.
    ///
    /// A copy that says for which device it was made must have been made for this one.
    @concurrent
    func result<Value: SignedValue>(_ signed: Signed<Value.Payload>) async -> VerificationResult<Value>? {
        do throws(VerificationFailure) {
            return result(try await verify(signed))
        } catch {
            return unverified(signed, VerificationFault(error))
        }
    }

    /// Gives StoreKit's form to what was verified already; nil for what has no such form.
    func result<Value: SignedValue>(_ verified: Verified<Value.Payload>) -> VerificationResult<Value>? {
        if let fault = simulatedFailures.verification { return unverified(verified.original, fault) }
        do throws(VerificationFailure) {
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

    /// A transaction that the store signed, in StoreKit's form.
    package func transaction(_ signed: SignedTransaction) async -> VerificationResult<Transaction>? {
        await result(signed)
    }
}
