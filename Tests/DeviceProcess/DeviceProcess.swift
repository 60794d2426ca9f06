import Foundation
import Logging
import OpenStoreKit
import PurchaseModel
import StoreKit

/// A device in a process of its own, which plays one script and can lose its power at any write and any call.
///
/// Arguments: store, file of roots, folder, account, script, and the moment of the power cut: a line that an earlier run printed as
/// `step …`, or nothing.
@main struct DeviceProcess {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst().map { String($0) }
        guard arguments.count >= 5, let storeURL = HTTPURL(arguments[0]), let script = Script(rawValue: arguments[4]) else { throw Usage() }
        let moments = Moments(cut: arguments.count > 5 ? arguments[5] : nil)
        let device = try Device(
            DeviceConfiguration(
                storeURL: storeURL, bundleID: "com.example.monkeyshop", appVersion: "1.0", folder: arguments[2],
                rootsPEM: String(decoding: try Data(contentsOf: URL(filePath: arguments[1])), as: UTF8.self),
                interface: AutomaticInterface(Credentials(account: AccountID(arguments[3]), password: "ladder"))
            ),
            nil, RetryPolicy(), ContinuousClock(), Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() }
        ) { moments.pass($0) }
        try await Device.$current.withValue(device) { try await script.play(device) }
        moments.print("left \(device.paymentQueue.transactions.count)")
    }

    struct Usage: Error {}
}
