import Foundation
import LocalAppStore
import MonkeyShop
import OpenStoreKit
import PurchaseIssuing
import PurchaseKit
import PurchaseModel
import PurchaseProtocol
import WireClient

extension TourStep {
    static let tampering = TourStep(number: 12, title: "Somebody edits the vault, and somebody forges a receipt") { stage in
        let folder = try await makeVault(stage)
        let vault = MonkeyShop.vaultPath(in: folder)
        let genuine = try Data(contentsOf: URL(filePath: vault))
        var edited = genuine
        edited[edited.count / 2] ^= 1
        try edited.write(to: URL(filePath: vault))
        let reason = await refusal(ofVaultOn: stage)
        try expect("the edited vault's refusal", reason, .vault(.tampered))

        // The user resets the vault and restores purchases; an old copy of the vault, though genuine, is not accepted.
        let phone = try await stage.launch(.first, startsVaultAnew: true)
        let outcome = await phone.shop.restore([MonkeyShopProduct.sepia])
        await phone.shop.settle()
        guard case .finished(let difference) = outcome else { throw TourFailure(expected: "a restore", found: "\(outcome)") }
        try expect("what the restore brings back", difference.gained, [MonkeyShopProduct.sepia])
        let current = try Data(contentsOf: URL(filePath: vault))
        try genuine.write(to: URL(filePath: vault))
        try expect("the old copy's refusal", await refusal(ofVaultOn: stage), .vault(.rolledBack))
        try current.write(to: URL(filePath: vault))
        let refusal = try await offerForgery(stage, to: phone)
        return Scene(
            app: "“\(reason.map { "\($0)" } ?? "")”",
            evidence: "1 bit of \(edited.count) bytes changed: tampered; anew and restored: \(difference.gained.count) product; "
                + "an old copy put back: rolled back; forged receipt: \(refusal)"
        )
    }

    /// The error of opening the app's vault; nil if it opens.
    private static func refusal(ofVaultOn stage: Stage) async -> MonkeyShopError? {
        do {
            _ = try await stage.launch(.first)
            return nil
        } catch {
            return error as? MonkeyShopError
        }
    }

    private static func makeVault(_ stage: Stage) async throws -> String {
        let phone = try await stage.launch(.first)
        _ = try await phone.own(MonkeyShopProduct.sepia)
        return phone.folder
    }

    /// A receipt that is valid except for the identity of its signer.
    private static func offerForgery(_ stage: Stage, to phone: Phone) async throws -> String {
        let now = stage.store.clock.now
        let authority = try CertificateAuthority(name: "Somebody Else", now: now)
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
        transaction.appAccountToken = stage.customer
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
        let server = WireClient(baseURL: stage.serverURL)
        do {
            let request = ContentTicketRequest(receipt: Data(forged))
            _ = try await server.call(ServerEndpoints.contentTicket, request, parameters: ["product": MonkeyShopProduct.book.rawValue])
            throw TourFailure(expected: "the forged receipt to be refused", found: "a ticket")
        } catch let WireClientError.refused(status, error) {
            try expect("the refusal's code", "\(status) \(error.code)", "403 receipt.refused")
            return "\(status) \(error.code), \(error.message)"
        }
    }
}
