import Foundation
import LocalAppStore
import Logging
import OpenStoreKit
import PrivateFiles
import PurchaseModel
import StoreKit

/// A device for test sessions, with a temporary folder that is deleted when the device is deallocated.
final class TestDevice: Sendable {
    /// The device shared by sessions that were created outside of Swift Testing.
    ///
    /// XCTest runs tests one after another, so they can share a device. An app's long-lived observers and listeners stay connected to this
    /// device across tests. The device adopts the payment queue that the app accessed before the first session.
    static let shared = Result { try TestDevice(queue: SKPaymentQueue.withoutDevice) }

    /// The bundle ID of the device's app: that of the process, or a placeholder when the process has none, as on Linux.
    static var bundleID: BundleID {
        Bundle.main.bundleIdentifier.map { BundleID($0) } ?? LocalAppStoreConfiguration.defaultBundleID
    }

    static let appVersion = "1.0"
    static let logger = Logger(label: "OpenStoreKitTest") { _ in SwiftLogNoOpLogHandler() }

    let device: Device
    let transport = InProcessTransport()
    private let folder: URL

    init(queue: SKPaymentQueue? = nil) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "OpenStoreKitTest-\(UUID().uuidString)")
        let configuration = DeviceConfiguration(
            storeURL: HTTPURL(loopbackPort: 80), bundleID: Self.bundleID, appVersion: Self.appVersion, folder: folder.path,
            rootsPEM: try InProcessStore.sharedRootsPEM, interface: SessionInterface())
        device = try Device(configuration, transport, RetryPolicy(), ContinuousClock(), Self.logger, queue: queue) { _ in }
    }

    deinit {
        try? PrivateFiles.removeFolder(folder.path)
    }
}
