import OpenStoreKit
package import PurchaseModel
import PurchaseProof

extension Device {
    /// Verifies signed data and converts it to a StoreKit value; returns nil if StoreKit can't represent the data.
    ///
    /// Signed data with a device verification is verified only if its device verification belongs to this device.
    @concurrent
    func result<Value: SignedValue>(_ signed: Signed<Value.Payload>) async -> VerificationResult<Value>? {
        do throws(VerificationFailure) {
            return result(try await verify(signed))
        } catch {
            return unverified(signed, VerificationFault(error))
        }
    }

    /// Converts verified data to a StoreKit value; returns nil if StoreKit can't represent the data.
    ///
    /// The result is unverified if the data was signed for another device, or if a test simulates a verification error.
    func result<Value: SignedValue>(_ verified: Verified<Value.Payload>) -> VerificationResult<Value>? {
        if let fault = simulatedFailures.verification { return unverified(verified.original, fault) }
        do throws(VerificationFailure) {
            try checkDevice(verified.payload)
        } catch {
            return unverified(verified.original, VerificationFault(error))
        }
        return Value(verified.payload, signed: verified.original, origin: Origin(self)).map { .verified($0) }
    }

    /// Converts unverified data to a StoreKit value; returns nil if the data can't be decoded.
    ///
    /// - Parameter fault: The reason why the data is unverified, which is used unless a test simulates another reason.
    func unverified<Value: SignedValue>(_ signed: Signed<Value.Payload>, _ fault: VerificationFault) -> VerificationResult<Value>? {
        guard let payload = signed.unverifiedPayload, let value = Value(payload, signed: signed, origin: Origin(self))
        else { return nil }
        return .unverified(value, VerificationResult<Value>.VerificationError(simulatedFailures.verification ?? fault))
    }

    /// Verifies a signed transaction and converts it to a `Transaction`; returns nil if StoreKit can't represent the transaction.
    package func transaction(_ signed: SignedTransaction) async -> VerificationResult<Transaction>? {
        await result(signed)
    }
}
