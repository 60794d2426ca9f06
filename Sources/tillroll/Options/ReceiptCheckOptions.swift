import ArgumentParser
import PurchaseModel
import PurchaseProof

/// What a receipt has to say to be accepted.
struct ReceiptCheckOptions: ParsableArguments {
    @Option(help: "Refuse receipts for another app.")
    var bundleID: String?

    @Option(help: "Refuse receipts for another version of the app.")
    var appVersion: String?

    @Option(help: "Refuse other environments: production, sandbox or xcode; may be given several times.")
    var environment: [EnvironmentOption] = []

    @Option(help: "Refuse receipts for another device: the UUID of an iPhone's app, or the network address of a Mac.")
    var device: DeviceOption?

    @Option(help: "Refuse receipts that were made longer ago, such as 90s, 15m, 12h or 30d.")
    var maxAge: AgeOption?

    /// The environments that are accepted.
    var environments: Set<AppEnvironment> {
        environment.isEmpty ? Set(AppEnvironment.allCases) : Set(environment.map(\.environment))
    }

    /// The checks of a receipt, in the order in which they are made.
    var checks: (first: any ReceiptCheck, rest: [any ReceiptCheck]) {
        var rest: [any ReceiptCheck] = []
        if let bundleID { rest.append(BundleCheck(BundleID(bundleID))) }
        if let appVersion { rest.append(VersionCheck(appVersion)) }
        if let device { rest.append(DeviceHashCheck(guid: device.bytes)) }
        rest.append(ExpiryCheck(clock: SystemWallClock()))
        if let maxAge { rest.append(AgeCheck(seconds: maxAge.seconds, clock: SystemWallClock())) }
        return (EnvironmentCheck(environments), rest)
    }
}
