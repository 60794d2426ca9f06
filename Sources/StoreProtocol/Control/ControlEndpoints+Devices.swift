public import PurchaseModel
package import Wire

extension ControlEndpoints {
    /// Lists the devices on which accounts signed in, and the devices with restricted purchases.
    package static let devices = Endpoint<Empty, DevicesReply>(.get, "/control/v1/devices")
}

/// The devices of a store.
package struct DevicesReply: Codable, Hashable, Sendable {
    /// The devices, the device with the newest sign-in first; at most 1,000.
    package var devices: [DeviceDescription]

    /// Creates a reply.
    package init(devices: [DeviceDescription]) {
        self.devices = devices
    }
}

/// A device on which an account signed in, or whose purchases are restricted.
public struct DeviceDescription: Codable, Hashable, Sendable {
    /// The device's identifier, a UUID (`identifierForVendor`).
    public var device: DeviceID
    /// Whether purchases are restricted on the device.
    public var isRestricted: Bool
    /// The accounts that signed in on the device, sorted by name.
    public var accounts: [AccountID]
    /// The apps in which accounts signed in on the device, sorted by bundle identifier.
    public var bundleIDs: [BundleID]
    /// The date of the device's latest request, by the store's clock; nil for no request since the store started.
    public var lastSeen: Timestamp?

    /// Creates a description.
    package init(device: DeviceID, isRestricted: Bool, accounts: [AccountID], bundleIDs: [BundleID], lastSeen: Timestamp?) {
        self.device = device
        self.isRestricted = isRestricted
        self.accounts = accounts
        self.bundleIDs = bundleIDs
        self.lastSeen = lastSeen
    }
}
