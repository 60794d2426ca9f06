import Foundation
import Hummingbird
import LocalAppStore
import Logging
import MonkeyShop
import MonkeyShopBackend
import OpenStoreKit
import PurchaseKit
import PurchaseModel
import PurchaseProof
import PurchaseServer
import StoreControl

/// The App Store, the developer's server and the phones of one visitor, separate from all other visitors.
///
/// The store and the server listen on two loopback ports, and keep their files in one folder.
struct ShopWorld: Sendable {
    /// A person with an account of the App Store.
    struct Person: Hashable, Sendable {
        let name: String
        let account: AccountID
        /// The customer ID of the person on the developer's server.
        let customer: CustomerID
        /// Whether a parent must approve each purchase.
        var isChild = false

        static let jane = Person(name: "Jane", account: "jane@example.com", customer: SampleBackend.customer)
        static let sam = Person(
            name: "Sam", account: "sam@example.com", customer: "6ba7b811-9dad-11d1-80b4-00c04fd430c8", isChild: true)
        static let all = [jane, sam]

        /// Returns the person with an account; Jane if the account is unknown.
        static func with(_ account: AccountID) -> Person { all.first { $0.account == account } ?? .jane }

        static let password = "ladder"
    }

    let folder: String
    let store: LocalAppStore
    let storeURL: HTTPURL
    let serverURL: HTTPURL
    /// The messages of the visitor's phones, and the store's notifications to the server.
    let messages = Messages()
    private let credentials: [Person: ServerCredentials]
    /// The credentials of a customer without purchases.
    let strangerCredentials: ServerCredentials
    /// The path of the executable that runs each phone's app in a separate process; nil to run the apps in this process.
    let appExecutable: String?
    let logger: Logger
    let otherApp = OtherApp()

    /// Starts a store and a server with the files of a folder, runs `body`, and stops the store and the server.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder; a later start continues with the same files.
    ///   - appExecutable: The path of the executable that runs each phone's app in a separate process; nil to run the apps in this process.
    ///   - logger: The log of the store, the server and the devices.
    static func with(
        folder: String, appExecutable: String? = nil, logger: Logger, _ body: @Sendable (ShopWorld) async -> Void
    ) async throws {
        let store = try await SampleBackend.store(in: folder, logger: logger)
        func application(_ onServerRunning: @escaping @Sendable (Int) async -> Void) -> some ApplicationProtocol {
            store.application(hostname: "127.0.0.1", port: 0, onServerRunning: onServerRunning)
        }
        try await withRunningApplication(application, logger) { port in
            let storeURL = HTTPURL(loopbackPort: port)
            for person in Person.all {
                try await SampleBackend.createAccount(
                    person.account, password: Person.password, askToBuyEnabled: person.isChild, in: StoreClient(url: storeURL))
            }
            try await with(store, at: storeURL, in: folder, appExecutable, logger, body)
        }
    }

    /// Starts a server for a running store, runs `body`, and stops the server.
    private static func with(
        _ store: LocalAppStore, at storeURL: HTTPURL, in folder: String, _ appExecutable: String?, _ logger: Logger,
        _ body: @Sendable (ShopWorld) async -> Void
    ) async throws {
        let server = try await SampleBackend.server(for: store, at: storeURL, in: folder, logger: logger)
        func application(_ onServerRunning: @escaping @Sendable (Int) async -> Void) -> some ApplicationProtocol {
            server.application(hostname: "127.0.0.1", port: 0, onServerRunning: onServerRunning)
        }
        try await withRunningApplication(application, logger) { port in
            let serverURL = HTTPURL(loopbackPort: port)
            try await store.setNotificationURL(serverURL.text + SampleBackend.notificationPath)
            let keys = try await SampleBackend.keys(of: server, in: folder)
            var credentials: [Person: ServerCredentials] = [:]
            let stranger: CustomerID = "5c2f7a90-1d3e-4b68-9a47-0e6f8b2d1c35"
            for person in Person.all { credentials[person] = try await keys.credentials(for: person.customer, at: serverURL) }
            await body(
                ShopWorld(
                    folder: folder, store: store, storeURL: storeURL, serverURL: serverURL, credentials: credentials,
                    strangerCredentials: try await keys.credentials(for: stranger, at: serverURL),
                    appExecutable: appExecutable,
                    logger: logger))
        }
    }

    func environment(of phone: String, _ person: Person) -> PhoneEnvironment {
        PhoneEnvironment(
            person: person, folder: folder(of: phone), storeURL: storeURL, serverURL: serverURL, rootsPEM: store.rootsPEM,
            credentials: credentials[person], clock: store.clock, messages: messages, logger: logger)
    }

    /// Verifies signed data as the app does, and explains each step.
    func explain(_ signed: [String]) async -> [VerificationExplanation] {
        guard let roots = try? TrustedRoots.apple(and: store.rootsPEM, in: [.sandbox]) else { return [] }
        let verifier = SignedDataVerifier(roots: roots, bundleID: MonkeyShopSample.bundleID, environments: [.sandbox])
        var explanations: [VerificationExplanation] = []
        for compact in signed { explanations.append(await verifier.explainAny(compact).explanation) }
        return explanations
    }

    /// Changes the storefront, which determines the language and the currency of the store's responses.
    func setStorefront(_ code: String) async throws {
        try await store.changeCatalog { catalog in
            var settings = catalog.settings
            (settings.storefront, settings.locale) = (code, nil)
            return try catalog.setting(settings)
        }
    }

    /// Adds the winter hat, which the server's list already contains, to the App Store's catalog.
    func sellWinterHat() async throws {
        try await store.changeCatalog { catalog in
            try catalog.setting(
                CatalogProduct(
                    id: MonkeyShopProduct.winterHat, type: .nonConsumable, referenceName: "Winter hat", internalID: "4D4F0015",
                    price: Money(milliunits: 3_990, currency: catalog.storefront.currency),
                    localizations: [
                        CatalogLocalization(locale: "en_US", name: "Winter hat", summary: "Wool in the colors of ripe bananas"),
                        CatalogLocalization(locale: "de", name: "Wintermütze", summary: "Wolle in den Farben reifer Bananen"),
                    ]))
        }
    }

    /// Refunds an account's latest purchase that is not refunded yet; returns false if there is no such purchase.
    func refundLatestPurchase(of account: AccountID) async throws -> Bool {
        let latest = try await control.transactions(of: account).last {
            $0.summary.kind == "purchase" && $0.summary.payload.revocationDate == nil
        }
        guard let latest else { return false }
        return try await control.refund(latest.summary.payload.transactionId)
    }

    /// Records the store's notifications to the server that are not recorded yet.
    func recordNotifications() async {
        guard let deliveries = try? await control.notifications() else { return }
        for delivery in deliveries where delivery.attempts > 0 && messages.isNew(delivery.notificationUUID) {
            let details = try? await control.notification(delivery.notificationUUID)
            let title = [delivery.type, delivery.subtype].compactMap { $0 }.joined(separator: " · ")
            messages.add(
                .storeToServer, title, delivery.delivered ? "200" : "no answer", isFailure: !delivery.delivered,
                details?.body.map { Data($0.utf8) }, nil)
        }
    }

    /// The path of the folder with a phone's files.
    func folder(of phone: String) -> String { "\(folder)/\(phone)" }

    var control: StoreClient { StoreClient(url: storeURL) }
}
