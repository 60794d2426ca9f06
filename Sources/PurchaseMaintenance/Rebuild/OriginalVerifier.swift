import Foundation
import FoundationExtras
import PurchaseModel
import PurchaseProof
import PurchaseServer
import PurchaseStorage

extension StoredOriginal {
    /// The event's name in messages, with the first characters of the digest.
    var name: String { "signed event \(Hexadecimal.encode(digest.prefix(6)))" }
}

/// The reason why a stored original can't be used.
struct OriginalDefect: Error, Hashable {
    let message: String
    /// Whether the configuration does not trust the root of the signature; the row may be intact.
    var isUntrusted = false
}

/// Verifies the stored originals again with the trusted roots.
///
/// The verifier does not check the revocation status of certificates or the expiration of receipts, which the server checked on arrival.
struct OriginalVerifier: Sendable {
    let signedData: SignedDataVerifier
    /// The verifier of notifications; one with an unknown subject can lack its app and its environment.
    let notifications: SignedDataVerifier
    let receipts: ReceiptVerifier
    let transactionReceipts: TransactionReceiptVerifier

    init(_ app: BundleID, of server: PurchaseServerConfiguration) {
        let environments = server.acceptedEnvironments
        // Accept a transaction without a bundle identifier, because its source named this app.
        signedData = SignedDataVerifier(roots: server.roots, bundleID: app, environments: environments).assuming(bundleID: app)
        notifications = signedData.assuming(environment: server.environment)
        receipts = ReceiptVerifier(roots: server.roots, bundleID: app, environments: environments)
        transactionReceipts = TransactionReceiptVerifier(roots: server.roots, bundleID: app, environments: environments)
    }

    /// Verifies a stored original, and returns the event.
    ///
    /// The digest of the row covers the event's source, and for a receipt the product type from the catalog. The server stores the source
    /// and the product type, because no signed data contains these values.
    func verify(_ original: StoredOriginal, of purchase: TransactionID) async throws(OriginalDefect) -> VerifiedEvent {
        switch original.evidence {
        case nil:
            throw OriginalDefect(message: "its signed data is missing in the database.")
        case .transaction(let transaction, let renewalInfo)?:
            guard let source = original.event?.source else {
                throw OriginalDefect(message: "its decoded copy, which states its source, can't be read.")
            }
            let event: VerifiedEvent?
            do throws(VerificationFailure) {
                let verified = try await signedData.verify(transaction)
                var renewal: VerifiedRenewalInfo?
                if let renewalInfo { renewal = try await signedData.verify(renewalInfo) }
                event = VerifiedEvent(verified, renewal, source: source)
            } catch { throw error.defect }
            guard let event, event.event.transaction.originalTransactionId == purchase else {
                throw OriginalDefect(message: "its signed data belongs to another purchase.")
            }
            guard Self.isIdentified(event, by: original.digest) else {
                throw OriginalDefect(message: "its signed data or its source does not match the stored digest.")
            }
            return event
        case .receipt(let bytes)?:
            return try await verify(receipt: bytes, original, of: purchase)
        }
    }

    private func verify(
        receipt bytes: [UInt8], _ original: StoredOriginal, of purchase: TransactionID
    ) async throws(OriginalDefect) -> VerifiedEvent {
        var candidates: [VerifiedEvent]
        do throws(VerificationFailure) {
            let receipt = try await receipts.verify(bytes)
            candidates = receipt.payload.purchases.filter { $0.originalTransactionID == purchase }.map { VerifiedEvent($0, in: receipt) }
        } catch {
            // Try the format of a receipt of one transaction (iOS 6), which does not state the environment that the App Store confirmed.
            do throws(VerificationFailure) {
                let receipt = try transactionReceipts.verify(bytes)
                candidates = AppEnvironment.allCases.map { VerifiedEvent(receipt, confirmedIn: $0) }
            } catch _ { throw error.defect }
        }
        for candidate in candidates where candidate.event.transaction.originalTransactionId == purchase {
            // Try each product type if the signed data states none, because the type came from the catalog when the receipt arrived.
            let stated = candidate.event.transaction.type
            for type in [stated] + (stated == nil ? ProductType.allCases.map(\.rawValue) : []) {
                var event = candidate
                event.event.transaction.type = type
                if Self.isIdentified(event, by: original.digest) { return event }
            }
        }
        throw OriginalDefect(message: "its receipt contains no transaction that matches the stored digest.")
    }

    private static func isIdentified(_ event: VerifiedEvent, by digest: Data) -> Bool {
        (try? SQLTransaction.identities(of: event))?.contains(digest) == true
    }
}

extension VerificationFailure {
    /// The defect of a stored original, with a message that continues a sentence.
    var defect: OriginalDefect {
        switch self {
        case .refused(let refusal):
            OriginalDefect(message: "its verification failed: \(refusal.message)", isUntrusted: refusal.reason == .untrustedRoot)
        case .indeterminate(let indeterminacy): OriginalDefect(message: "it can't be verified: \(indeterminacy.message)")
        }
    }
}
