import Foundation
import LocalAppStore
import MonkeyShop
import OpenStoreKit
import PurchaseKit
import PurchaseModel
import PurchaseProtocol
import WireClient

/// What a request for the book proves to the server.
enum ContentProof: String, Codable, Sendable {
    /// The receipt of the app on the phone, if there is one.
    case ownReceipt = "own"
    /// That receipt with one changed bit.
    case changedReceipt = "changed"
    /// The receipt of another app, which the same App Store has signed.
    case foreignReceipt = "foreign"
}

extension ShopWorld {
    /// Sends a receipt to the server, and requests the book as the person with a phone.
    ///
    /// - Returns: What the server says.
    func requestContent(with proof: ContentProof, from phone: any VisitorPhone) async throws -> Phrase {
        let environment = await phone.environment
        guard let credentials = environment.credentials else { return "The server does not know this person." }
        let client = ServerClient(serverURL: serverURL, credentials: credentials, clock: store.clock)
        var reason: String?
        if let receipt = try await receipt(proof, on: environment) {
            let request = SubmitPurchasesRequest(proofs: [PurchaseProofInput(receipt: receipt)])
            let reply = try await messages.record("submit the receipt", request) { () async throws(WireClientError) in
                try await client.call(ServerEndpoints.purchases, request)
            }
            reason = reply.results.first?.message
        } else if proof == .changedReceipt {
            return "This phone has no receipt yet."
        }
        do throws(WireClientError) {
            let book = MonkeyShopBook.receipts.product.rawValue
            let token = try await messages.record("request the book", Empty()) { () async throws(WireClientError) in
                try await client.call(ServerEndpoints.downloadToken, Empty(), parameters: ["product": book])
            }
            return "The server sends \(token.file), \(token.length) bytes."
        } catch {
            guard case .refused(_, let refusal) = error else { throw error }
            return "The server sends nothing. \([reason, refusal.message].compactMap { $0 }.joined(separator: " "))"
        }
    }

    private func receipt(_ proof: ContentProof, on environment: PhoneEnvironment) async throws -> Data? {
        let own = FileManager.default.contents(atPath: Device.receiptURL(in: environment.folder).path(percentEncoded: false))
        switch proof {
        case .ownReceipt: return own
        case .changedReceipt:
            guard var changed = own, !changed.isEmpty else { return nil }
            changed[changed.count / 2] ^= 1
            return changed
        case .foreignReceipt: return try await receiptOfOtherApp(for: environment.person)
        }
    }

    /// Returns a person's receipt of another app.
    private func receiptOfOtherApp(for person: Person) async throws -> Data {
        let app: BundleID = "com.example.parrotshop"
        _ = try await control(ControlEndpoints.setApp, AppRequest(), ["bundle": app.rawValue])
        let credentials = Credentials(account: person.account, password: Person.password)
        let device = try Device(
            DeviceConfiguration(
                storeURL: storeURL, bundleID: app, appVersion: "1.0", folder: folder(of: "other-app"), rootsPEM: store.rootsPEM,
                interface: ScriptedInterface(credentials)), logger: logger)
        try await device.signIn(credentials)
        try await device.refreshReceipt(ReceiptRequest())
        return try Data(contentsOf: device.receiptURL)
    }
}
