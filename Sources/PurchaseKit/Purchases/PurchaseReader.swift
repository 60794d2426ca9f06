import Foundation
import MessageSignatures
import PurchaseModel
import PurchaseProof
import ServerProtocol
import StoreKit
import Wire

/// Reads signed data from StoreKit and from the server into the vault.
///
/// The data determines entitlements, without a delivery.
///
/// Only an unfinished transaction or a person's choice leads to a delivery, so that a launch does not download the content of all earlier
/// purchases.
struct PurchaseReader: Sendable {
    let vault: Vault
    let session: PurchasesSession
    let verifier: SignedDataVerifier
    let service: (any PurchaseService)?
    let clock: TrustedClock
    /// Reports the result of a request to the server: the error, or nil after a success.
    let serverAnswered: @Sendable (WireClientError?) async -> Void

    /// The seconds by which the date of a new signature must exceed the stored date; limits the number of writes that store a date only.
    private static let timeInterval: Int64 = 3_600

    /// Reads the transactions that currently entitle the customer, and the statuses of subscriptions.
    @concurrent
    func readCurrent() async {
        var signed: [SignedProof] = []
        for await result in StoreKit.Transaction.currentEntitlements { signed.append(SignedProof(result)) }
        for await group in Product.SubscriptionInfo.Status.all { signed += group.statuses.map { SignedProof($0) } }
        await hold(signed)
    }

    /// Reads the complete history of the account, and returns the original transactions and the transactions by their identifier.
    @concurrent
    func readAll() async -> (originals: Set<TransactionID>, transactions: [TransactionID: StoreKit.Transaction]) {
        await readCurrent()
        var signed: [SignedProof] = []
        var originals: Set<TransactionID> = []
        var transactions: [TransactionID: StoreKit.Transaction] = [:]
        for await result in StoreKit.Transaction.all {
            let transaction = result.unsafePayloadValue
            signed.append(SignedProof(result))
            originals.insert(transaction.originalTransactionID)
            transactions[transaction.transactionID] = transaction
        }
        await hold(signed)
        return (originals, transactions)
    }

    /// Stores refunds, revocations and reversals from the account's history, including those before this app session.
    @concurrent
    func readRevocations() async {
        let contents = await vault.contents
        var signed: [SignedProof] = []
        for await result in StoreKit.Transaction.all {
            let transaction = result.unsafePayloadValue
            let wasRevoked = contents.facts(of: transaction.transactionID)?.isRevoked ?? false
            if transaction.revocationDate != nil || wasRevoked { signed.append(SignedProof(result)) }
        }
        await hold(signed)
    }

    /// Stores the transaction and the renewal info of a subscription's status.
    func read(_ status: Product.SubscriptionInfo.Status) async {
        await hold([SignedProof(status)])
    }

    /// The server's answer about the customer's purchases.
    struct ServerReading: Sendable {
        /// The original transactions of the purchases; nil without an answer.
        var purchases: Set<TransactionID>?
        /// The reason why the purchases or the lease could not be read; nil for a complete answer.
        var failure: WireClientError?
    }

    /// Reads the customer's purchases from the server.
    ///
    /// Only the signed data in the answer is used, after the same verification as StoreKit's data.
    ///
    /// - Parameter leases: The verifier of leases; a new lease is requested unless a recent lease states the same entitlements.
    @concurrent
    func readServer(_ leases: LeaseVerifier? = nil) async -> ServerReading {
        guard let service else { return ServerReading(purchases: []) }
        let reply: EntitlementsReply
        do {
            reply = try await service.entitlements()
            await serverAnswered(nil)
        } catch {
            await serverAnswered(error)
            return ServerReading(failure: error)
        }
        var signed: [SignedProof] = []
        var originals: Set<TransactionID> = []
        for evidence in reply.evidence ?? [] {
            originals.insert(evidence.originalTransactionID)
            let renewal = evidence.signedRenewalInfo.last
            signed += evidence.signedTransactions.map { SignedProof(transaction: $0, renewal: renewal) }
        }
        await hold(signed, owned: originals)
        guard let leases, await !hasLease(of: reply.entitlements, leases) else { return ServerReading(purchases: originals) }
        do {
            try await readLease(leases)
            return ServerReading(purchases: originals)
        } catch {
            // Report the error, because the customer can't use granted entitlements without a lease.
            await serverAnswered(error)
            return ServerReading(purchases: originals, failure: error)
        }
    }

    /// Verifies signed data, and stores the data that is new to the vault.
    ///
    /// - Parameter owned: The original transactions of the customer's purchases according to the server; nil for data from StoreKit.
    func hold(_ signed: [SignedProof], owned: Set<TransactionID>? = nil) async {
        let known = await vault.contents
        var proofs: [VerifiedProof] = []
        // Skip data that is in the vault, because such data was verified before storage. If an import assigned purchases to another
        // account, verify all data again, because the purchases can belong to this account.
        for signed in signed where !known.has(signed) || !known.foreign.isEmpty {
            if let proof = try? await VerifiedProof(signed, verifier: verifier) { proofs.append(proof) }
        }
        for proof in proofs { clock.raise(to: proof.signedDate) }
        guard !proofs.isEmpty || owned != nil else { return }
        _ = try? await vault.change(in: session) { [proofs, session] (contents) throws(VaultError) in
            var entries: [VaultEntry] = []
            for proof in proofs where !contents.contains(proof) { entries.append(.proof(try StoredProof(proof))) }
            // If no proof is new, store only the latest signature date, so that the trusted clock continues from this date after a
            // relaunch.
            let latest = proofs.map(\.signedDate).max()
            if let latest, latest > (contents.time?.adding(seconds: Self.timeInterval) ?? Timestamp(milliseconds: .min)) {
                entries.append(.time(latest))
            }
            // Assign purchases that the store lists to the store's account, even if an import assigned the purchases to another account.
            if owned == nil {
                let listed = Set(proofs.map(\.transaction.payload.originalTransactionId))
                if !contents.foreign.isDisjoint(with: listed) { entries.append(.foreign(contents.foreign.subtracting(listed).sorted())) }
                if !contents.unconfirmed.isDisjoint(with: listed) {
                    entries.append(.unconfirmed(contents.unconfirmed.subtracting(listed).sorted()))
                }
            }
            guard let owned, contents.customer == session.customer else { return entries }
            let new = Set(proofs.map(\.transaction.payload.originalTransactionId))
            for original in owned.sorted() where contents.hasEntitlement(original) || new.contains(original) {
                guard contents.attributions[original] != true else { continue }
                entries.append(.attributed(original, true))
            }
            // Record another customer as the owner of each purchase that the server no longer lists.
            for original in contents.listed.subtracting(owned).sorted() where contents.attributions[original] != false {
                entries.append(.attributed(original, false))
            }
            if contents.listed != owned { entries.append(.listed(owned.sorted())) }
            return entries
        }
    }
}

extension SignedProof {
    init(_ result: VerificationResult<StoreKit.Transaction>) {
        self.init(transaction: SignedTransaction(result.jwsRepresentation), renewal: nil)
    }

    init(_ status: Product.SubscriptionInfo.Status) {
        self.init(
            transaction: SignedTransaction(status.transaction.jwsRepresentation),
            renewal: SignedRenewalInfo(status.renewalInfo.jwsRepresentation))
    }
}

extension LeasePayload {
    /// The date from which another lease is requested, after half of the duration.
    var renewalDate: Timestamp { issuedAt.adding(milliseconds: duration / 2) }

    /// The milliseconds between two requests for another lease: an hour, or less for a short lease.
    var renewalInterval: Int64 { min(Self.longestRenewalInterval, duration / 8) }

    /// The maximum number of milliseconds between two requests for another lease.
    static var longestRenewalInterval: Int64 { 3_600_000 }

    /// The duration of the lease in milliseconds.
    var duration: Int64 { expires.milliseconds(since: issuedAt) }
}
