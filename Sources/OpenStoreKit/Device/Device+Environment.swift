public import Foundation
import PurchaseModel

/// Devices that environment variables configure, so that a program or test suite can use a local store without changes to its code.
///
/// | variable | value |
/// |---|---|
/// | `OPENSTOREKIT_STORE_URL` | the store's base address, such as `http://127.0.0.1:8080`; if not set, no device is opened |
/// | `OPENSTOREKIT_BUNDLE_ID` | the app's bundle ID |
/// | `OPENSTOREKIT_APP_VERSION` | the app's version; `1.0` by default |
/// | `OPENSTOREKIT_ROOTS` | the path of a file with the store's root certificates in PEM |
/// | `OPENSTOREKIT_FOLDER` | the folder of the device's state; by default a new temporary folder, and thus a new device, at each launch |
/// | `OPENSTOREKIT_ACCOUNT`, `OPENSTOREKIT_PASSWORD` | the account with which the automatic user signs in |
/// | `OPENSTOREKIT_INTERFACE` | the user of the store's sheets: `automatic` (simulated, the default) or `terminal` (a person) |
extension Device {
    /// The device that the environment variables of this process configure, opened at the first access; nil if they configure no store.
    static let environmentDevice = Result { () throws(DeviceError) -> Device? in try Device.fromEnvironment() }

    /// Opens the device that environment variables configure.
    ///
    /// - Parameter environment: The environment variables, by name.
    /// - Returns: nil if `OPENSTOREKIT_STORE_URL` is not set.
    /// - Throws: ``DeviceError/environment(name:reason:)`` if a variable is missing or invalid; ``DeviceError/storage(reason:)`` or
    ///   ``DeviceError/roots(reason:)`` if the device can't be opened.
    public static func fromEnvironment(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(DeviceError) -> Device? {
        guard let configuration = try DeviceConfiguration(environment: environment) else { return nil }
        return try Device(configuration)
    }
}

extension DeviceConfiguration {
    /// Creates a configuration from environment variables; returns nil if `OPENSTOREKIT_STORE_URL` is not set.
    ///
    /// - Throws: ``DeviceError/environment(name:reason:)`` if a variable is missing or invalid.
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
            throw .environment(
                name: "OPENSTOREKIT_STORE_URL",
                reason: "is not an HTTP address; set it to the store's base address, such as http://127.0.0.1:8080")
        }
        let bundleID = try required("BUNDLE_ID", "is not set; set it to the app's bundle ID, such as com.example.app")
        let rootsPath = try required(
            "ROOTS", "is not set; set it to the path of a PEM file with the store's root certificate (rootCertificate in GET /store)")
        guard let roots = try? String(contentsOfFile: rootsPath, encoding: .utf8) else {
            throw .environment(
                name: "OPENSTOREKIT_ROOTS", reason: "names the file \(rootsPath), which can't be read; set it to the path of a PEM file")
        }
        let credentials = try Self.credentials(value("ACCOUNT"), value("PASSWORD"))
        let interface: any StoreInterface
        switch value("INTERFACE") ?? "automatic" {
        case "automatic": interface = AutomaticInterface(credentials)
        case "terminal": interface = TerminalInterface()
        default: throw .environment(name: "OPENSTOREKIT_INTERFACE", reason: "must be automatic or terminal")
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
        case (_?, nil): throw .environment(name: "OPENSTOREKIT_PASSWORD", reason: "is not set, but OPENSTOREKIT_ACCOUNT is; set both")
        case (nil, _?): throw .environment(name: "OPENSTOREKIT_ACCOUNT", reason: "is not set, but OPENSTOREKIT_PASSWORD is; set both")
        }
    }
}
