import Foundation
import LocalAppStore
import MonkeyShop
import MonkeyShopBackend
import OpenStoreKit
import PurchaseKit
import PurchaseModel
import StoreControl

/// The receipt that a request for the book sends to the server.
enum ContentProof: String, Codable, Sendable {
    /// The receipt of the app on the phone, if any.
    case ownReceipt = "own"
    /// The receipt of the app with one changed bit.
    case changedReceipt = "changed"
    /// A receipt of another app, signed by the same App Store.
    case foreignReceipt = "foreign"
}

extension ShopWorld {
    /// Sends a receipt to the server, and requests the book for the owner of a phone.
    ///
    /// A changed receipt and a receipt of another app are sent for a customer without purchases, because the phone's owner can own the
    /// book.
    ///
    /// - Returns: The sentences that describe the server's answer.
    @concurrent
    func requestContent(with proof: ContentProof, from environment: PhoneEnvironment) async throws -> [Phrase] {
        guard let credentials = proof == .ownReceipt ? environment.credentials : strangerCredentials else {
            return ["This person has no account on the server."]
        }
        let client = BackendClient(serverURL, .app(credentials)) { [messages] in messages.add($0) }
        var reasons: [Phrase] = [
            proof == .ownReceipt ? "The server does not send the book." : "This receipt alone gives no access to the book."
        ]
        if let receipt = try await receipt(proof, on: environment) {
            if try await client.submit(receipt: receipt)?.status == "refused" { reasons.append(Self.refusal(of: proof)) }
        } else if proof == .changedReceipt {
            return ["This phone has no receipt yet."]
        }
        do {
            let token = try await client.downloadToken(for: MonkeyShopBook.receipts.product)
            return ["The server sends \(token.file), \(token.length) bytes."]
        } catch BackendClient.Failure.refused(_, let code, let message) {
            switch code {
            case "content.refunded": reasons.append("The purchase was refunded.")
            case "content.not-bought": reasons.append("There is no purchase of the book.")
            default: reasons.append(Phrase(message))
            }
            return reasons
        }
    }

    private static func refusal(of proof: ContentProof) -> Phrase {
        switch proof {
        case .ownReceipt: "The receipt is refused."
        case .changedReceipt: "The receipt is refused: its signature is invalid."
        case .foreignReceipt: "The receipt is refused: it belongs to another app."
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
        case .foreignReceipt: return try await otherApp.receipt(of: environment.person, in: self)
        }
    }
}

/// Another app of the same App Store, whose receipts the server refuses.
actor OtherApp {
    private static let bundleID: BundleID = "com.example.parrotshop"

    /// The receipts of the app by account; each receipt is requested once.
    private var receipts: [AccountID: Task<Data, any Error>] = [:]

    /// Returns a person's receipt of the app.
    func receipt(of person: ShopWorld.Person, in world: ShopWorld) async throws -> Data {
        if let task = receipts[person.account] { return try await task.value }
        let task = Task { try await Self.fetchReceipt(of: person, in: world) }
        receipts[person.account] = task
        do { return try await task.value } catch {
            receipts[person.account] = nil
            throw error
        }
    }

    private static func fetchReceipt(of person: ShopWorld.Person, in world: ShopWorld) async throws -> Data {
        try await world.control.setApp(bundleID) { _ in }
        let credentials = Credentials(account: person.account, password: ShopWorld.Person.password)
        let device = try Device(
            DeviceConfiguration(
                storeURL: world.storeURL, bundleID: bundleID, appVersion: "1.0", folder: world.folder(of: "other-app-\(person.name)"),
                rootsPEM: world.store.rootsPEM, interface: ScriptedInterface(credentials)), logger: world.logger)
        try await device.signIn(credentials)
        try await LaunchedApp.refreshReceipt(on: device)
        return try Data(contentsOf: device.receiptURL)
    }
}
