import ArgumentParser
import Foundation
import PurchaseModel
import PurchaseProtocol

/// Fetches an account's receipt, as the account's device does.
struct StoreReceiptCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "receipt",
        abstract: "Fetch the app receipt of an account, as a device of it gets it.",
        discussion: """
            It is printed in base64, as apps post it to their servers; with --json it is under receipt.

              tillroll store receipt jane@example.com
              tillroll store receipt jane@example.com --expired
              tillroll store receipt jane@example.com --transaction 2000000000000001

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @OptionGroup var target: AccountTarget
    @Option(help: "The account's password.") var password = "secret"
    @Option(help: "The app; without it the store's first one.") var bundleID: String?
    @Option(help: "The app's version on the device.") var appVersion = "1.0"
    @Option(help: ArgumentHelp("The device for which it is good.", valueName: "uuid")) var device = "00112233-4455-6677-8899-aabbccddeeff"
    @Option(help: "Only of this transaction, as receipts of iOS 6 were.") var transaction: String?
    @Flag(help: "A receipt whose validity has ended.") var expired = false
    @Flag(help: "A receipt that was revoked.") var revoked = false
    @Flag(help: "A receipt of an app that an organization bought in volume.") var volumePurchase = false
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> ReceiptReply {
        let request = SignInRequest(
            account: target.account, password: password, device: DeviceID(device), bundleID: try await store.app(bundleID),
            appVersion: appVersion)
        let phone = StoreClient(store.address, token: try await store.call(DeviceEndpoints.signIn, request).token)
        if let transaction {
            return try await phone.call(DeviceEndpoints.transactionReceipt, FinishRequest(transaction: TransactionID(transaction)))
        }
        let wish = ReceiptRequest(expired: expired, revoked: revoked, volumePurchase: volumePurchase)
        return try await phone.call(DeviceEndpoints.receipt, wish)
    }

    func lines(_ answer: ReceiptReply, _ style: TerminalStyle) -> [String] {
        [answer.receipt.base64EncodedString()]
    }
}
