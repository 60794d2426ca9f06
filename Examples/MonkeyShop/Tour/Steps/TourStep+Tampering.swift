import Foundation
import LocalAppStore
import MonkeyShop
import OpenStoreKit
import PurchaseIssuing
import PurchaseKit
import PurchaseModel
import ServerProtocol
import Wire
import WireClient

extension TourStep {
    static let tampering = TourStep(number: 12, title: "An edited vault and a forged receipt are refused") { tour in
        let folder = try await createVault(tour)
        let vault = MonkeyShop.vaultPath(in: folder)
        let genuine = try Data(contentsOf: URL(filePath: vault))
        var edited = genuine
        edited[edited.count / 2] ^= 1
        try edited.write(to: URL(filePath: vault))
        let reason = await refusal(ofVaultOn: tour)
        try expect("the edited vault's refusal", reason, .vault(.tampered))

        // After the user has reset the vault and restored purchases, an old copy of the vault opens as one from a backup.
        let phone = try await tour.launch(.first, resetsVault: true)
        let outcome = await phone.shop.restore([MonkeyShopProduct.sepia])
        await phone.shop.waitUntilIdle()
        guard case .completed(let difference) = outcome else { throw TourFailure(expected: "a restore", found: "\(outcome)") }
        try expect("the restored products", difference.gained, [MonkeyShopProduct.sepia])
        try genuine.write(to: URL(filePath: vault))
        let copy = try await MonkeyShop.openVault(in: folder, of: MonkeyShopSample.bundleID)
        try expect("the discovery of the old copy", await copy.isRestoredFromBackup, true)
        try expect("the purchase in the old copy", await copy.owns(MonkeyShopProduct.sepia), true)
        let refusal = try await submitForgery(tour, to: phone)
        return StepResult(
            app: "“\(reason.map { "\($0)" } ?? "")”",
            evidence: "1 bit of \(edited.count) bytes changed: tampering detected; reset and restored: \(difference.gained.count) product; "
                + "old copy of the vault: no debit until the server has confirmed the balance; forged receipt: \(refusal)"
        )
    }

    /// Launches the app, and returns the error of opening its vault; nil if the vault opens.
    private static func refusal(ofVaultOn tour: TourEnvironment) async -> MonkeyShopError? {
        do {
            _ = try await tour.launch(.first)
            return nil
        } catch {
            return error as? MonkeyShopError
        }
    }

    private static func createVault(_ tour: TourEnvironment) async throws -> String {
        let phone = try await tour.launch(.first)
        _ = try await phone.buyIfNeeded(MonkeyShopProduct.sepia)
        return phone.folder
    }

    /// Sends the server a receipt whose signer it does not trust, and returns the refusal.
    private static func submitForgery(_ tour: TourEnvironment, to phone: AppSession) async throws -> String {
        let now = tour.store.clock.now
        let authority = try CertificateAuthority(name: "Unrelated Authority", now: now)
        var transaction = TransactionPayload(
            transactionId: "2000000000009999",
            originalTransactionId: "2000000000009999",
            bundleId: MonkeyShopSample.bundleID,
            productId: MonkeyShopProduct.book,
            purchaseDate: now,
            originalPurchaseDate: now,
            quantity: 1,
            type: ProductType.nonConsumable.rawValue,
            signedDate: now,
            environment: AppEnvironment.sandbox.rawValue
        )
        transaction.appAccountToken = tour.customer
        let forged = try ReceiptIssuer(authority: authority).issue(
            ReceiptContent(
                bundleID: MonkeyShopSample.bundleID,
                appVersion: MonkeyShopSample.version,
                environment: .sandbox,
                device: phone.device.id,
                creationDate: now,
                purchases: [ReceiptContent.Purchase(transaction: transaction, type: .nonConsumable)]
            )
        )
        let request = SubmitPurchasesRequest(proofs: [PurchaseProofInput(receipt: Data(forged))], vendorID: phone.device.id)
        let result = try await tour.callServer(ServerEndpoints.purchases, request).results.first
        try expect("the result of the forged receipt", result?.status, .refused)
        try expect("the refusal's code", result?.code, "proof.refused")
        return "\(result?.code ?? ""), \(result?.message ?? "")"
    }
}
