import Foundation
import MonkeyShop
import MonkeyShopBackend
import OpenStoreKit
import PurchaseKit
import PurchaseModel

extension TourStep {
    static let newPhone = TourStep(number: 15, title: "A new phone opens the old phone's export, without a network") { tour in
        let (export, balance) = try await export(tour)

        try await tour.setAirplaneMode(true, on: .new)
        let phone = try await tour.launch(.new)
        try expect("the refusal of a wrong passphrase", await refusal(of: "wrong passphrase", export, by: phone), .cannotBeOpened)
        let added = try await phone.app.run { shop async throws(ExportError) in
            try await shop.add(export, passphrase: passphrase)
        }
        await phone.app.waitUntilIdle()
        let state = await phone.shop.purchases.state
        try expect("the filter", state.status(of: filter).isOwned, true)
        try expect("the balance with the server's signature", state.balance(of: .credits), balance)
        let refusal = await refusedDebit(by: phone)
        try expect("the refusal of a debit", refusal, .notReconciled)
        await phone.app.close()

        try await tour.setAirplaneMode(false, on: .new)
        let online = try await tour.launch(.new)
        try expect(
            "the debit with a network",
            try await online.app.run { shop async throws(DebitError) in try await shop.spend(1, for: "new phone") }, .confirmed)
        try expect("the balance on the server", try await tour.client.credits(), balance - 1)
        return StepResult(
            app: "Without a network: the filter is unlocked, \(balance) credits are shown; “\(refusal.map { "\($0)" } ?? "")”",
            evidence: "export of \(export.count) bytes: \(added.added) transactions with the store's signatures, the balance with the "
                + "server's signature; wrong passphrase refused; debit refused until the server confirmed the balance, then accepted"
        )
    }

    private static let passphrase = "monkey island ladder"
    private static let filter = EntitlementName(MonkeyShopProduct.sepia.rawValue)

    /// Exports the purchases of the first phone, and returns the file and the balance on the server.
    private static func export(_ tour: TourEnvironment) async throws -> (file: Data, balance: Int64) {
        let phone = try await tour.launch(.first)
        for product in [MonkeyShopProduct.sepia, MonkeyShopProduct.credits5] { _ = try await phone.buyIfNeeded(product) }
        let file = try await phone.app.run { shop async throws(ExportError) in try await shop.export(passphrase: passphrase) }
        let balance = try await tour.client.credits()
        await phone.app.close()
        return (file, balance)
    }

    /// Opens an export with a passphrase, and returns the error; nil if the export opens.
    private static func refusal(of passphrase: String, _ export: Data, by phone: AppSession) async -> ExportError? {
        do {
            _ = try await phone.app.run { shop async throws(ExportError) in try await shop.add(export, passphrase: passphrase) }
            return nil
        } catch {
            return error
        }
    }

    /// Debits one credit, and returns the error; nil if the debit succeeds.
    private static func refusedDebit(by phone: AppSession) async -> DebitError? {
        do {
            _ = try await phone.app.run { shop async throws(DebitError) in try await shop.spend(1, for: "new phone") }
            return nil
        } catch {
            return error
        }
    }
}
