public import Foundation
import PurchaseModel
import StoreKit

extension Purchases {
    /// Exports the customer's purchases for another device of the same person.
    ///
    /// The file contains the signed transactions and renewal info that the vault has, except those of consumables, and the server's latest
    /// lease with the balances, if ``PurchasesConfiguration/leaseVerifier`` is set. Unsigned data, such as the app's own data and credits
    /// without a server, is not exported.
    ///
    /// - Parameter seal: The secret that opens the file.
    /// - Returns: The file, about a kilobyte for each transaction.
    /// - Throws: ``ExportError``.
    public func exportPurchases(sealedTo seal: ExportSeal) async throws(ExportError) -> Data {
        await prepareVault()
        let vault = configuration.vault
        // Request a lease first, so that the export contains the current balances if a network is available.
        if let leases = configuration.leaseVerifier { try? await parts.reader.readLease(leases) }
        return try await SealedExport.seal(vault.contents.exported(for: configuration.customer), to: seal, bundleID: vault.bundleID)
    }

    /// Adds the purchases of an export to the vault; no network is needed.
    ///
    /// Each signature is verified. Entitlements take effect immediately; consumables and credits are not delivered again. The balances that
    /// the server has signed are shown, and debits are refused with ``DebitError/notReconciled`` until the server confirms the balances.
    ///
    /// Purchases of another customer, or of another App Store account, are not added. If a purchase has no `appAccountToken`, or the
    /// app has no customers, and the account can't be read without a network, the entitlement is active until the account can be read.
    ///
    /// - Parameters:
    ///   - export: The bytes of the exported file.
    ///   - seal: The secret that opens the file.
    /// - Throws: ``ExportError``, without adding any purchase.
    @discardableResult
    public func importPurchases(_ export: Data, sealedTo seal: ExportSeal) async throws(ExportError) -> PurchaseImport {
        await prepareVault()
        let entries = try await SealedExport.open(export, sealedTo: seal, bundleID: configuration.vault.bundleID)
        let result: PurchaseImport
        do { result = try await parts.importer.add(entries) } catch { throw .vault(error) }
        await refresh()
        return result
    }

    /// Returns the `appTransactionId` of the account that is signed in to the store; nil if the account can't be read now.
    nonisolated static func account() async -> String? {
        guard case .verified(let transaction) = try? await AppTransaction.shared, !transaction.appTransactionID.isEmpty else { return nil }
        return transaction.appTransactionID
    }
}

extension VaultContents {
    /// Returns the entries of an export: the proofs of a customer's purchases except consumables, and the lease, which states the balances.
    fileprivate func exported(for customer: CustomerID?) -> [VaultEntry] {
        let proofs = proofs.filter { !$0.facts.isConsumable && belongs($0.facts.id, to: customer) }
            .sorted { ($0.facts.purchaseDate, $0.facts.id) < ($1.facts.purchaseDate, $1.facts.id) }
        return proofs.map { .proof($0) } + [lease].compactMap { $0.map { .lease($0) } }
    }
}
