public import Foundation
import PurchaseModel

/// Devices that environment variables describe, so that an unchanged program or test suite can be pointed at a store.
///
/// | variable | |
/// |---|---|
/// | `OPENSTOREKIT_STORE_URL` | the store's base address, such as `http://127.0.0.1:8080`; without it there is no device |
/// | `OPENSTOREKIT_BUNDLE_ID` | the app |
/// | `OPENSTOREKIT_APP_VERSION` | its version; `1.0` unless given |
/// | `OPENSTOREKIT_ROOTS` | the path of a file with the store's root certificates as PEM |
/// | `OPENSTOREKIT_FOLDER` | where the device keeps its state; a new temporary folder unless given, which is a new device at each launch |
/// | `OPENSTOREKIT_ACCOUNT`, `OPENSTOREKIT_PASSWORD` | who signs in when the automatic user is asked |
/// | `OPENSTOREKIT_INTERFACE` | `automatic` (unless given) or `terminal` |
extension Device {
    /// The device of this process's environment, opened at the first access.
    static let ofProcess = Result { () throws(DeviceError) -> Device? in try Device.fromEnvironment() }

    /// Opens the device that an environment describes.
    ///
    /// - Returns: nil when the environment names no store.
    /// - Throws: ``DeviceError/environment(name:reason:)`` for a missing or invalid variable, or the errors of opening a device.
    public static func fromEnvironment(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(DeviceError) -> Device? {
        guard let configuration = try DeviceConfiguration(environment: environment) else { return nil }
        return try Device(configuration)
    }
}

extension DeviceConfiguration {
    /// Reads a configuration; nil when the environment names no store.
    init?(environment: [String: String]) throws(DeviceError) {
        func value(_ name: String) -> String? {
            environment["OPENSTOREKIT_\(name)"].flatMap { $0.isEmpty ? nil : $0 }
        }
        func required(_ name: String, _ reason: String) throws(DeviceError) -> String {
            guard let value = value(name) else { throw .environment(name: "OPENSTOREKIT_\(name)", reason: reason) }
            return value
        }
        guard let text = value("STORE_URL") else { return nil }
        guard let storeURL = HTTPURL(text), !storeURL.hasQuery else {
            throw .environment(name: "OPENSTOREKIT_STORE_URL", reason: "is no address such as http://127.0.0.1:8080")
        }
        let bundleID = try required("BUNDLE_ID", "is not set; it says which app runs, such as com.example.app")
        let rootsPath = try required(
            "ROOTS", "is not set; it is the path of a PEM file with the store's root, which the store's description has as rootCertificate")
        guard let roots = try? String(contentsOfFile: rootsPath, encoding: .utf8) else {
            throw .environment(name: "OPENSTOREKIT_ROOTS", reason: "names a file that can't be read")
        }
        let credentials = try Self.credentials(value("ACCOUNT"), value("PASSWORD"))
        let interface: any StoreInterface
        switch value("INTERFACE") ?? "automatic" {
        case "automatic": interface = AutomaticInterface(credentials)
        case "terminal": interface = TerminalInterface()
        default: throw .environment(name: "OPENSTOREKIT_INTERFACE", reason: "is neither automatic nor terminal")
        }
        let temporary = FileManager.default.temporaryDirectory.appending(path: "OpenStoreKit-\(UUID().uuidString)")
        self.init(
            storeURL: storeURL, bundleID: BundleID(bundleID), appVersion: value("APP_VERSION") ?? "1.0",
            folder: value("FOLDER") ?? temporary.path(percentEncoded: false), rootsPEM: roots, interface: interface)
    }

    private static func credentials(_ account: String?, _ password: String?) throws(DeviceError) -> Credentials? {
        switch (account, password) {
        case (let account?, let password?): return Credentials(account: AccountID(account), password: password)
        case (nil, nil): return nil
        case (_?, nil): throw .environment(name: "OPENSTOREKIT_PASSWORD", reason: "is not set, and OPENSTOREKIT_ACCOUNT is")
        case (nil, _?): throw .environment(name: "OPENSTOREKIT_ACCOUNT", reason: "is not set, and OPENSTOREKIT_PASSWORD is")
        }
    }
}
