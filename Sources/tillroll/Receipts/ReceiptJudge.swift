import PurchaseModel
import PurchaseProof

/// The verifiers of receipts that a command's options ask for: of those of apps, and of those of iOS 6 transactions.
struct ReceiptJudge: Sendable {
    let receipts: ReceiptVerifier

    init(roots: TrustedRoots, revocation: Revocation, _ checks: CheckOptions, _ own: ReceiptCheckOptions) {
        var rest: [any ReceiptCheck] = []
        if let check = checks.bundleCheck { rest.append(check) }
        if let version = own.appVersion { rest.append(VersionCheck(version)) }
        if let device = own.device { rest.append(DeviceHashCheck(guid: device.bytes)) }
        rest.append(ExpiryCheck(clock: SystemWallClock()))
        if let age = checks.maxAge { rest.append(AgeCheck(seconds: age.seconds, clock: SystemWallClock())) }
        receipts = ReceiptVerifier(roots: roots, revocation: revocation, checks.environmentCheck, rest)
    }
}
