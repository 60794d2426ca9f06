import Foundation
import MessageSignatures
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import StoreKit
import WireClient

/// Reads signed data from StoreKit and from the server into the vault, where it determines entitlements; nothing is delivered.
struct PurchaseReader: Sendable {
    let vault: Vault
    let verifier: SignedDataVerifier
    let service: (any PurchaseService)?
    let clock: TrustedClock
    /// Reports that the server answered (nil), or why it did not.
    let serverAnswered: @Sendable (WireClientError?) async -> Void

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
            originals.insert(TransactionID("\(transaction.originalID)"))
            transactions[TransactionID("\(transaction.id)")] = transaction
        }
        await hold(signed)
        return (originals, transactions)
    }

    /// Holds the refunds and revocations of the account's history, which can be older than this app session.
    @concurrent
    func readRevocations() async {
        var signed: [SignedProof] = []
        for await result in StoreKit.Transaction.all where result.unsafePayloadValue.revocationDate != nil {
            signed.append(SignedProof(result))
        }
        await hold(signed)
    }

    /// Holds the state of a subscription.
    func read(_ status: Product.SubscriptionInfo.Status) async {
        await hold([SignedProof(status)])
    }

    /// Reads the customer's purchases from the server, and returns their original transactions; nil without an answer.
    ///
    /// Only the signed data in the answer counts, which is verified like that of StoreKit.
    @concurrent
    func readServer() async -> Set<TransactionID>? {
        guard let service else { return [] }
        let reply: EntitlementsReply
        do {
            reply = try await service.entitlements()
            await serverAnswered(nil)
        } catch {
            await serverAnswered(error)
            return nil
        }
        var signed: [SignedProof] = []
        var originals: Set<TransactionID> = []
        for evidence in reply.evidence ?? [] {
            originals.insert(evidence.originalTransactionID)
            let renewal = evidence.signedRenewalInfo.last
            signed += evidence.signedTransactions.map { SignedProof(transaction: $0, renewal: renewal) }
        }
        await hold(signed, owned: originals)
        return originals
    }

    /// Requests a lease for this device, and stores it.
    ///
    /// A lease that can't be obtained or verified changes nothing; the last one counts until it ends.
    func readLease(_ verifier: LeaseVerifier) async {
        guard let service, let deviceKey = try? await vault.deviceKey(),
            let reply = try? await service.lease(LeaseRequest(deviceKey: deviceKey.rawValue))
        else { return }
        let signed = SignedLease(reply.lease)
        guard let lease = try? verifier.verify(signed, deviceKey: deviceKey, at: clock.now) else { return }
        clock.raise(to: lease.payload.issuedAt)
        _ = try? await vault.change { _ throws(VaultError) in [.lease(signed)] }
    }

    /// Returns the claims of the lease on this device; nil if there is none that is valid.
    func lease(in contents: VaultContents, _ verifier: LeaseVerifier) async -> LeasePayload? {
        guard let signed = contents.lease, let deviceKey = try? await vault.deviceKey() else { return nil }
        return try? verifier.verify(signed, deviceKey: deviceKey, at: clock.now).payload
    }

    /// Verifies signed data, and stores what the vault does not have yet.
    ///
    /// - Parameter owned: The original transactions of purchases that belong to the customer by the server's statement.
    private func hold(_ signed: [SignedProof], owned: Set<TransactionID> = []) async {
        let known = await vault.contents
        var proofs: [VerifiedProof] = []
        // Data that the vault has to the letter was verified before.
        for signed in signed where !known.has(signed) {
            if let proof = try? await VerifiedProof(signed, verifier: verifier) { proofs.append(proof) }
        }
        for proof in proofs { clock.raise(to: proof.signedDate) }
        guard !proofs.isEmpty || !owned.isEmpty else { return }
        _ = try? await vault.change { [proofs] (contents) throws(VaultError) in
            var entries: [VaultEntry<VerifiedProof>] = []
            for proof in proofs where !contents.contains(proof) { entries.append(.proof(proof)) }
            let held = Set(contents.entitlements.keys).union(proofs.map(\.transaction.payload.originalTransactionId))
            for original in owned.sorted() where held.contains(original) && contents.attributions[original] != true {
                entries.append(.attributed(original, true))
            }
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
