import Foundation
import Hummingbird
import LocalAppStore
import MonkeyShop
import MonkeyShopBackend
import OpenStoreKit
import PurchaseKit
import PurchaseModel
import StoreControl

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

        // Reset the vault and restore the purchase, so that the old copy of the vault opens as a vault from a backup.
        let phone = try await tour.launch(.first, resetsVault: true)
        let outcome = await phone.restore([MonkeyShopProduct.sepia])
        guard case .completed(let difference) = outcome else { throw TourFailure(expected: "a restore", found: "\(outcome)") }
        try expect("the restored products", difference.gained, [MonkeyShopProduct.sepia])
        try genuine.write(to: URL(filePath: vault))
        let copy = try await MonkeyShop.openVault(in: folder)
        try expect("the detection of the old copy", await copy.isRestoredFromBackup, true)
        try expect("the purchase in the old copy", await copy.owns(MonkeyShopProduct.sepia), true)
        let refusal = try await submitForgery(tour, to: phone)
        return StepResult(
            app: "“\(reason.map { "\($0)" } ?? "")”",
            evidence: "1 bit of \(edited.count) bytes changed: tampering detected; reset and restored: \(difference.gained.count) product; "
                + "old copy of the vault: no debit until the server has confirmed the balance; forged receipt: \(refusal)"
        )
    }

    /// Launches the app, and returns the error of the edited vault; nil if the vault opens.
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

    /// Sends a receipt of another store to the server, which does not trust the signer, and returns the refusal.
    private static func submitForgery(_ tour: TourEnvironment, to phone: AppSession) async throws -> String {
        let forged = try await receiptOfAnotherStore(tour)
        let result = try await tour.client.submit(receipt: forged, of: phone.device.id)
        try expect("the result of the forged receipt", result?.status, "refused")
        try expect("the refusal's code", result?.code, "proof.refused")
        return "\(result?.code ?? ""), \(result?.message ?? "")"
    }

    /// Buys the book in a store with another root certificate, and returns the receipt.
    ///
    /// The step runs a second `LocalAppStore`, because no other public API of the package issues receipts.
    private static func receiptOfAnotherStore(_ tour: TourEnvironment) async throws -> Data {
        let folder = "\(tour.folder)/another-store"
        try SampleFiles.createFolder(folder)
        let store = try await SampleBackend.store(in: folder, logger: tour.logger)
        func application(_ onServerRunning: @escaping @Sendable (Int) async -> Void) -> some ApplicationProtocol {
            store.application(hostname: "127.0.0.1", port: 0, onServerRunning: onServerRunning)
        }
        return try await withRunningApplication(application, tour.logger) { port in
            let storeURL = HTTPURL(loopbackPort: port)
            let account = TourAccount.adult
            let control = StoreClient(url: storeURL)
            try await control.createAccount(account.id, password: account.password)
            try await control.buy(MonkeyShopProduct.book, for: account.id, appAccountToken: tour.customer)
            let device = try Device(
                DeviceConfiguration(
                    storeURL: storeURL, bundleID: MonkeyShopSample.bundleID, appVersion: MonkeyShopSample.version,
                    folder: "\(folder)/phone", rootsPEM: store.rootsPEM, interface: AutomaticInterface(TourDevice.first.credentials)),
                logger: tour.logger)
            try await device.signIn(TourDevice.first.credentials)
            try await LaunchedApp.refreshReceipt(on: device)
            return try Data(contentsOf: device.receiptURL)
        }
    }
}
