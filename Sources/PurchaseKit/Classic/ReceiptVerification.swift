public import Foundation
public import PurchaseModel
public import PurchaseProof

/// The verification of the app's receipt file on the device, without a network.
///
/// ```swift
/// let receipt = ReceiptVerification(
///     roots: roots, bundleID: "com.example.app", environments: [.production], appVersion: "1.2", device: device,
///     receipt: { Bundle.main.appStoreReceiptURL.flatMap { try? Data(contentsOf: $0) } })
/// ```
public struct ReceiptVerification: Sendable {
    /// The state of the receipt file.
    public enum Status: Sendable {
        /// The App Store signed the receipt for this app and this device.
        case verified(VerifiedReceipt)
        /// The device has no receipt; request a receipt refresh.
        case missing
        /// The receipt is damaged, forged, expired, or of another app or device; request a receipt refresh.
        case refused(Refusal)
        /// The receipt could not be verified completely, because the revocation status of a certificate is not available.
        case indeterminate
    }

    private let verifier: ReceiptVerifier
    private let receipt: @Sendable () async -> Data?

    /// Creates the verification with the checks of a verifier.
    ///
    /// - Parameters:
    ///   - verifier: The verifier. To accept only receipts of this device, create the verifier with a `DeviceHashCheck`.
    ///   - receipt: Returns the bytes of the receipt file; nil if the device has no receipt.
    public init(verifier: ReceiptVerifier, receipt: @escaping @Sendable () async -> Data?) {
        self.verifier = verifier
        self.receipt = receipt
    }

    /// Creates the verification with checks of the app, its version, the device and the expiration date.
    ///
    /// - Parameters:
    ///   - roots: The root certificates to trust.
    ///   - bundleID: The bundle identifier of the app, as a constant, because a manipulated bundle can state any identifier.
    ///   - environments: The environments to accept.
    ///   - appVersion: The version of the app, as a constant; nil to accept the receipt of another version, as after an update.
    ///   - device: The device's `identifierForVendor`.
    ///   - clock: The clock whose time is compared with the expiration date.
    ///   - receipt: Returns the bytes of the receipt file; nil if the device has no receipt.
    public init(
        roots: TrustedRoots, bundleID: BundleID, environments: Set<AppEnvironment>, appVersion: String?, device: DeviceID,
        clock: any WallClock = SystemWallClock(), receipt: @escaping @Sendable () async -> Data?
    ) {
        var checks: [any ReceiptCheck] = [DeviceHashCheck(device), ExpiryCheck(clock: clock)]
        if let appVersion { checks.append(VersionCheck(appVersion)) }
        self.init(
            verifier: ReceiptVerifier(roots: roots, bundleID: bundleID, environments: environments, checks: checks), receipt: receipt)
    }

    /// Reads and verifies the receipt file.
    @concurrent
    public func status() async -> Status {
        guard let data = await receipt() else { return .missing }
        do {
            return .verified(try await verifier.verify(Array(data)))
        } catch .refused(let refusal) {
            return .refused(refusal)
        } catch {
            return .indeterminate
        }
    }
}

/// The outcome of a receipt refresh; each call returns exactly one outcome.
public enum ReceiptRefreshOutcome: Hashable, Sendable {
    /// The device has the latest receipt.
    ///
    /// `added` lists the products that were delivered because this device lacked the purchase; `undelivered` lists the products that could
    /// not be delivered yet. A repeated refresh does not deliver a purchase again.
    case refreshed(added: [ProductID], undelivered: [ProductID])
    /// The user canceled the sign-in; show no message.
    case canceled
    /// The refresh failed, or the new receipt could not be verified.
    case failed(PurchaseFailure)
}
