import Foundation
import FoundationExtras
import PurchaseModel
import PurchaseProof

/// A stored signed event, as far as its row can be read.
struct StoredOriginal: Hashable, Sendable {
    /// The digest that identifies the event.
    let digest: Data
    let signedDate: Timestamp
    let receivedAt: Timestamp
    /// The signed data; nil if a part of it is missing in the database.
    let evidence: VerifiedEvent.Evidence?
    /// The digest of the receipt that contains the transaction; nil for signed transactions.
    let receiptDigest: Data?
    /// The decoded copy of the event; nil if it can't be decoded.
    let event: SignedEvent?

    /// The first characters of the digest, for messages.
    var name: String { "signed event \(Hexadecimal.encode(digest.prefix(6)))" }
}

/// The reason why a stored original can't be used.
struct OriginalDefect: Error, Hashable {
    let message: String
    /// Whether the data is signed under a root that the configuration does not trust, so that the row can be undamaged.
    var isUntrusted = false
}

/// Verifies the stored originals again, with the trusted roots.
///
/// The revocation status of certificates and the expiration of receipts were checked when the data was received, and are not checked again.
struct OriginalVerifier: Sendable {
    let signedData: SignedDataVerifier
    let receipts: ReceiptVerifier
    let transactionReceipts: TransactionReceiptVerifier

    init(_ app: BundleID, of server: PurchaseServerConfiguration) {
        let environments = server.acceptedEnvironments
        // A transaction without an app was accepted because its source named this app.
        signedData = SignedDataVerifier(roots: server.roots, bundleID: app, environments: environments).assuming(bundleID: app)
        receipts = ReceiptVerifier(roots: server.roots, bundleID: app, environments: environments)
        transactionReceipts = TransactionReceiptVerifier(roots: server.roots, bundleID: app, environments: environments)
    }

    /// Returns the event that a stored original proves.
    ///
    /// The digest of the row covers the source of the event, and the type of the product that the catalog stated for a receipt. They are
    /// recorded decisions, because no signed data states them.
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
                throw OriginalDefect(message: "its signed data or its source is not the one under whose digest it was stored.")
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
            // The receipt of one transaction has another format, and its environment is what the App Store confirmed.
            do throws(VerificationFailure) {
                let receipt = try transactionReceipts.verify(bytes)
                candidates = AppEnvironment.allCases.map { VerifiedEvent(receipt, confirmedIn: $0) }
            } catch _ { throw error.defect }
        }
        for candidate in candidates where candidate.event.transaction.originalTransactionId == purchase {
            // The type is that of the signed data, or that of the catalog when the receipt was received.
            let stated = candidate.event.transaction.type
            for type in [stated] + (stated == nil ? ProductType.allCases.map(\.rawValue) : []) {
                var event = candidate
                event.event.transaction.type = type
                if Self.isIdentified(event, by: original.digest) { return event }
            }
        }
        throw OriginalDefect(message: "its receipt does not contain the transaction under whose digest it was stored.")
    }

    private static func isIdentified(_ event: VerifiedEvent, by digest: Data) -> Bool {
        (try? SQLTransaction.identity(of: event)) == digest
    }
}

extension VerificationFailure {
    /// The defect of a stored original, whose message is the rest of a sentence.
    var defect: OriginalDefect {
        switch self {
        case .refused(let refusal):
            OriginalDefect(message: "its verification failed: \(refusal.message)", isUntrusted: refusal.reason == .untrustedRoot)
        case .indeterminate(let indeterminacy): OriginalDefect(message: "it can't be verified: \(indeterminacy.message)")
        }
    }
}
