public import Foundation
import MessageSignatures
import PurchaseModel
import PurchaseProof
import Synchronization

/// The result of an import of purchases into the vault.
public struct PurchaseImport: Hashable, Sendable {
    /// The number of transactions that were added, without those that the vault had before.
    public internal(set) var added = 0
    /// The number of transactions of other customers or accounts, which were not added.
    public internal(set) var foreign = 0
    /// The number of transactions whose signatures could not be verified, which were not added.
    public internal(set) var unverified = 0
    /// The date of the imported balances, which are shown until the server's confirmation; nil without balances.
    public internal(set) var balancesDate: Date?
}

/// Adds the signed data of an export to the vault.
struct PurchaseImporter: Sendable {
    let vault: Vault
    let session: PurchasesSession
    let verifier: SignedDataVerifier
    let leaseVerifier: LeaseVerifier?
    let hasServer: Bool
    let clock: TrustedClock
    /// Returns the `appTransactionId` of the account that is signed in to the store; nil if the account can't be read now.
    let account: @Sendable () async -> String?

    /// The maximum length of a JWS header in bytes; the App Store's headers have about four kilobytes.
    private static let maximumHeaderLength = 64 << 10

    /// The owner of an imported transaction.
    private enum Owner {
        case customer
        case other
        /// The export is the only evidence that the purchase belongs to the person.
        case unconfirmed
    }

    /// Verifies the signatures of an export's entries, and adds the customer's purchases and balances.
    ///
    /// Unsigned entries are ignored, because anyone with the passphrase can write unsigned entries.
    @concurrent
    func add(_ entries: [VaultEntry]) async throws(VaultError) -> PurchaseImport {
        var result = PurchaseImport()
        var (proofs, unconfirmed): ([VerifiedProof], Set<TransactionID>) = ([], [])
        var signatures: Set<UInt64> = []
        let account = await account()
        for case .proof(let stored) in entries where signatures.insert(stored.facts.signature).inserted {
            guard stored.hasHeaders(upTo: Self.maximumHeaderLength),
                let proof = try? await VerifiedProof(stored.signedProof, verifier: verifier)
            else {
                result.unverified += 1
                continue
            }
            let payload = proof.transaction.payload
            switch owner(of: payload, account) {
            case .other:
                result.foreign += 1
                continue
            case .unconfirmed: unconfirmed.insert(payload.originalTransactionId)
            case .customer: break
            }
            proofs.append(proof)
        }
        for proof in proofs { clock.raise(to: proof.signedDate) }
        let balances = entries.compactMap { if case .lease(let lease) = $0 { statement(in: lease) } else { nil } }.last
        let counted = Mutex(result)
        try await vault.change(in: session, isOfCustomer: true) { [proofs, unconfirmed] (contents) throws(VaultError) in
            var entries: [VaultEntry] = []
            let known = Set(contents.proofs.map(\.facts.original))
            for proof in proofs where !contents.contains(proof) {
                entries.append(.proof(try StoredProof(proof)))
                counted.withLock { $0.added += 1 }
            }
            let open = contents.unconfirmed.union(unconfirmed.subtracting(known))
            if open != contents.unconfirmed { entries.append(.unconfirmed(open.sorted())) }
            if let latest = proofs.map(\.signedDate).max(), latest > contents.time ?? Timestamp(milliseconds: .min) {
                entries.append(.time(latest))
            }
            // Prefer balances that the server has sent to this device over imported balances.
            if let balances, contents.statement == nil {
                entries += [.statement(balances.statement), .balancesImported]
                counted.withLock { $0.balancesDate = balances.date.date }
            }
            return entries
        }
        return counted.withLock { $0 }
    }

    /// Decides whether unconfirmed imported purchases belong to the store's account; does nothing while the account can't be read.
    @concurrent
    func confirm() async {
        guard await !vault.contents.unconfirmed.isEmpty, let account = await account() else { return }
        _ = try? await vault.change(in: session) { (contents) throws(VaultError) in
            let foreign = contents.proofs.filter { proof in
                contents.unconfirmed.contains(proof.facts.original) && proof.event?.transaction.appTransactionId != account
            }.map(\.facts.original)
            return [.foreign(contents.foreign.union(foreign).sorted()), .unconfirmed([])]
        }
    }

    // Require the store's account for a purchase without a customer; otherwise, anyone could import the purchases of an export.
    private func owner(of payload: TransactionPayload, _ account: String?) -> Owner {
        if let customer = session.customer, let token = payload.appAccountToken { return token == customer ? .customer : .other }
        guard let account else { return .unconfirmed }
        return payload.appTransactionId == account ? .customer : .other
    }

    /// Returns the balances in a lease of the customer, even if the lease is expired or of another device; nil in an app without a server.
    private func statement(in lease: SignedLease) -> (statement: CreditStatement, date: Timestamp)? {
        guard hasServer, let payload = try? leaseVerifier?.verifyIssuance(of: lease), payload.customer == session.customer,
            let balances = payload.balances
        else { return nil }
        let pairs = balances.map { ($0.currency, CreditStatement.Balance(amount: $0.amount, isFrozen: $0.isFrozen)) }
        return (CreditStatement(balances: Dictionary(pairs) { first, _ in first }), payload.issuedAt)
    }
}

extension StoredProof {
    /// Returns whether each JWS header of the proof has at most a number of bytes.
    fileprivate func hasHeaders(upTo length: Int) -> Bool {
        [transaction, renewal].allSatisfy { ($0?.header.utf8.count ?? 0) <= length }
    }
}
