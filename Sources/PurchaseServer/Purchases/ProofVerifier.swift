import Foundation
import PurchaseModel
package import PurchaseProof
package import PurchaseStorage
package import ServerProtocol
import Wire

/// Verifies the proofs of purchases that apps and backends submit.
package struct ProofVerifier: Sendable {
    /// A verified proof, with the events of its purchases.
    package struct Proof: Sendable {
        package let events: [VerifiedEvent]
        /// The attribution of a claim by an app's customer; nil if the proof supports no claim.
        let attribution: PurchaseRecord.Attribution?
    }

    let signedData: SignedDataVerifier
    /// The verifier of the transactions that ``lookup`` returns.
    let answeredData: SignedDataVerifier
    let receipts: ReceiptAuthority
    let transactionReceipts: TransactionReceiptVerifier
    let lookup: TransactionLookup?
    /// Whether signed transactions are confirmed with the App Store Server API.
    var confirmation = TransactionConfirmation.off

    /// Verifies a proof locally, and then with the App Store as the configuration requires.
    ///
    /// - Parameters:
    ///   - input: The proof.
    ///   - request: The request, which contains the device's identifiers.
    package func verify(_ input: PurchaseProofInput, in request: SubmitPurchasesRequest) async throws(ProofRefusal) -> Proof {
        let members = [
            input.signedTransaction != nil, input.receipt != nil, input.transactionReceipt != nil, input.transactionID != nil,
        ]
        guard members.count(where: { $0 }) == 1 else { throw .ambiguous }
        if let signed = input.signedTransaction { return try await confirm(signed, request.deviceVerificationID) }
        do throws(VerificationFailure) {
            if let receipt = input.receipt { return try await verify(receipt: [UInt8](receipt), request.vendorID) }
            if let receipt = input.transactionReceipt {
                return try await verify(transactionReceipt: [UInt8](receipt))
            }
        } catch { throw .unverified(error) }
        guard let lookup else { throw .lookupNotConfigured }
        let signed = try await lookup.transaction(input.transactionID ?? "")
        do throws(VerificationFailure) { return try await verify(signed, by: answeredData) } catch { throw .unverified(error) }
    }

    /// Verifies a signed transaction locally, and then requests its newest version from the App Store as the configuration requires.
    private func confirm(_ signed: SignedTransaction, _ deviceVerificationID: UUID?) async throws(ProofRefusal) -> Proof {
        let proof: Proof
        do throws(VerificationFailure) { proof = try await verify(signed, by: signedData, deviceVerificationID) } catch {
            throw .unverified(error)
        }
        guard confirmation != .off, let lookup, let event = proof.events.first?.event,
            lookup.environment.canBe(event.transaction.environment)
        else { return proof }
        do throws(ProofRefusal) {
            let newest = try await lookup.transaction(event.transaction.transactionId)
            let confirmed: Proof
            do throws(VerificationFailure) { confirmed = try await verify(newest, by: answeredData) } catch { throw .unverified(error) }
            guard confirmed.events.first?.event.transaction.transactionId == event.transaction.transactionId else { throw .lookupFailed }
            return Proof(events: confirmed.events, attribution: proof.attribution)
        } catch {
            // Accept the signature alone in the mode `soft` if the App Store does not answer.
            guard confirmation == .soft, error.isIndeterminate else { throw error }
            return proof
        }
    }

    private func verify(
        _ signed: SignedTransaction, by verifier: SignedDataVerifier, _ deviceVerificationID: UUID? = nil
    ) async throws(VerificationFailure) -> Proof {
        let transaction = try await verifier.verify(signed)
        guard let event = VerifiedEvent(transaction, source: "app") else { return Proof(events: [], attribution: nil) }
        let isOfDevice = deviceVerificationID.map { DeviceVerificationCheck($0).matches(transaction.payload) } ?? false
        return Proof(events: [event], attribution: isOfDevice ? .deviceVerification : nil)
    }

    private func verify(receipt bytes: [UInt8], _ vendorID: DeviceID?) async throws(VerificationFailure) -> Proof {
        let confirmed = try await receipts.verify(bytes)
        let isOfDevice = vendorID.map { DeviceHashCheck($0).matches(confirmed.receipt.payload) } ?? false
        return Proof(events: confirmed.events, attribution: isOfDevice ? .deviceVerification : nil)
    }

    /// Verifies the receipt of one transaction.
    ///
    /// The App Store must confirm the receipt, because the signature does not cover the environment. The receipt contains the device
    /// identifier in clear text. A device identifier in the request is no proof, because the identifier can be from a copy of the receipt.
    private func verify(transactionReceipt bytes: [UInt8]) async throws(VerificationFailure) -> Proof {
        let receipt = try transactionReceipts.verify(bytes)
        return Proof(events: try await receipts.confirm(receipt).events, attribution: .firstSubmission)
    }
}

extension DeviceVerificationCheck {
    /// Returns whether a transaction was issued to the device.
    fileprivate func matches(_ transaction: TransactionPayload) -> Bool {
        var claims = SignedDataClaims(kind: .transaction, signedDate: transaction.signedDate, environment: transaction.environment)
        claims.deviceVerification = transaction.deviceVerification
        claims.deviceVerificationNonce = transaction.deviceVerificationNonce
        do throws(Refusal) { try examine(claims) } catch { return false }
        return true
    }
}

/// The reason why the server does not accept a proof.
package enum ProofRefusal: Error, Equatable {
    /// The proof does not have exactly one of the four members.
    case ambiguous
    /// The verification failed, or is indeterminate.
    case unverified(VerificationFailure)
    /// The server can't look up an identifier without a key of the App Store Server API.
    case lookupNotConfigured
    /// The App Store has no record of the transaction, or the request has no customer.
    case unknownTransaction
    /// The App Store Server API returned no result.
    case lookupFailed
    /// The customer has sent too many identifiers to look up.
    case lookupLimit
    /// The quantity of a transaction is not from 1 to 10, or its credits exceed 64 bits.
    case quantity

    /// The result of the proof in the response to the client.
    package var result: ProofResult {
        switch self {
        case .ambiguous:
            refused("proof.ambiguous", "Send exactly one of signedTransaction, receipt, transactionReceipt and transactionID.")
        case .unverified(.refused(let refusal)):
            refused("proof.refused", "The proof was refused. \(refusal.message)")
        case .unverified(.indeterminate(let indeterminacy)):
            indeterminate("proof.indeterminate", "The proof can't be verified now. Send the proof again later. \(indeterminacy.message)")
        case .lookupNotConfigured:
            refused("proof.lookup-not-configured", "The server can't look up transactions. Send the signed transaction or the receipt.")
        case .unknownTransaction:
            refused("proof.unknown-transaction", "The App Store has no transaction of this app and this customer with this identifier.")
        case .lookupLimit:
            indeterminate("proof.lookup-limit", "Too many transactions were looked up. Send the signed transaction, or try again later.")
        case .lookupFailed:
            indeterminate("proof.indeterminate", "The App Store returned no result. Send the proof again later.")
        case .quantity:
            refused("proof.refused", "The transaction was refused. The quantity must be from 1 to 10.")
        }
    }

    /// Whether a repeated request may have another result.
    package var isIndeterminate: Bool { result.status == .indeterminate }

    private func refused(_ code: String, _ message: String) -> ProofResult {
        ProofResult(status: .refused, error: WireError(code: code, message: message))
    }

    private func indeterminate(_ code: String, _ message: String) -> ProofResult {
        ProofResult(status: .indeterminate, error: WireError(code: code, message: message))
    }
}
