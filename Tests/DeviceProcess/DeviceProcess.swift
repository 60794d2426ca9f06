import Foundation
import Logging
import OpenStoreKit
import PurchaseModel
import StoreKit

/// A program that runs one ``Script`` on a device, and that can be killed at any write and any request.
///
/// Arguments: the store's URL, the file of trusted roots, the device's folder, the account, the script, and optionally the kill point:
/// the text after `step ` of a line that an earlier run printed.
@main struct DeviceProcess {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst().map { String($0) }
        guard arguments.count >= 5, let storeURL = HTTPURL(arguments[0]), let script = Script(rawValue: arguments[4]) else { throw Usage() }
        let killPoints = KillPoints(cut: arguments.count > 5 ? arguments[5] : nil)
        let device = try Device(
            DeviceConfiguration(
                storeURL: storeURL, bundleID: "com.example.monkeyshop", appVersion: "1.0", folder: arguments[2],
                rootsPEM: String(decoding: try Data(contentsOf: URL(filePath: arguments[1])), as: UTF8.self),
                interface: User(credentials: Credentials(account: AccountID(arguments[3]), password: "ladder"))
            ),
            nil, RetryPolicy(), ContinuousClock(), Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() }
        ) { killPoints.reach($0) }
        try await Device.$current.withValue(device) { try await script.run(device) }
        killPoints.print("unfinished \(device.paymentQueue.transactions.count)")
    }

    struct Usage: Error {}
}

/// A user who signs in, confirms every sheet, redeems an offer code, and upgrades the magazine.
struct User: StoreInterface {
    let credentials: Credentials

    func signIn() async -> Credentials? { credentials }

    func confirm(_ sheet: ConfirmationSheet) async -> Bool { true }

    func offerCode() async -> String? { "FRIENDS" }

    func refundReason(_ sheet: RefundSheet) async -> ConsumptionRequestReason? { nil }

    func manage(_ sheet: SubscriptionsSheet) async -> SubscriptionsSheet.Change? {
        guard let magazine = sheet.subscriptions.first(where: { $0.productID == "com.example.monkeyshop.magazine" }) else { return nil }
        return .change(magazine.transaction, to: "com.example.monkeyshop.magazine.gold")
    }
}
