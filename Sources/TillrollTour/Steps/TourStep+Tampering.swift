import Foundation
import LocalAppStore
import MonkeyShop
import OpenStoreKit
import PurchaseIssuing
import PurchaseKit
import PurchaseModel
import WireClient

extension TourStep {
    static let tampering = TourStep(number: 12, title: "Somebody edits the vault, and somebody forges a receipt") { stage in
        let folder = try await makeVault(stage)
        let vault = MonkeyShop.vaultPath(in: folder)
        let genuine = try Data(contentsOf: URL(filePath: vault))
        var edited = genuine
        edited[edited.count / 2] ^= 1
        try edited.write(to: URL(filePath: vault))
        var reason: MonkeyShopError?
        do {
            _ = try await stage.launch(.first)
        } catch let error as MonkeyShopError {
            reason = error
        }
        try expect("the edited vault's refusal", reason, .vault(.tampered))
        try genuine.write(to: URL(filePath: vault))

        let phone = try await stage.launch(.first)
        let refusal = try await offerForgery(stage, to: phone)
        return Scene(
            app: "“\(reason.map { "\($0)" } ?? "")”",
            evidence: "1 bit of \(edited.count) bytes changed: vault refused (tampered), restored copy opens; forged receipt: \(refusal)"
        )
    }

    private static func makeVault(_ stage: Stage) async throws -> String {
        let phone = try await stage.launch(.first)
        _ = try await phone.own(MonkeyShopProduct.sepia)
        return phone.folder
    }

    /// A receipt that is right in every way but for who signed it.
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
