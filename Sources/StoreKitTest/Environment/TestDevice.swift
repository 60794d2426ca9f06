import Foundation
import LocalAppStore
import Logging
import OpenStoreKit
import PurchaseModel
import StoreKit

/// A device of test sessions, in a folder of its own that goes with it.
final class TestDevice: Sendable {
    /// The device that sessions share which no test of Swift Testing made.
    ///
    /// XCTest runs one test after the other, and what an app keeps for the whole of its life goes on listening to this device. Its queue
    /// is the one that the app got before there was a session.
    static let shared = Result { try TestDevice(queue: SKPaymentQueue.withoutDevice) }

    /// The app that runs on it: the process's own, or a made-up one where a process has no bundle identifier, as on Linux.
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
        try? FileManager.default.removeItem(at: folder)
    }
}
