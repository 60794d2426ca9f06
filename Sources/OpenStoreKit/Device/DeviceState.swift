import Foundation
import PurchaseModel
import Synchronization

/// The identity and the settings of a device, in memory and on disk.
final class DeviceState: Sendable {
    private struct Values {
        var identity: DeviceIdentity
        var settings: DeviceSettings
    }

    private let identityFile: DeviceFile<DeviceIdentityRecord>
    private let settingsFile: DeviceFile<DeviceSettingsRecord>
    private let values: Mutex<Values>
    /// The lock of the files, which is held during a write, so that a write never delays a reader of ``values``.
    private let writing = Mutex(())
    /// The device's identifier, which is created at the first launch.
    let device: DeviceID

    init(folder: String, step: @escaping @Sendable (DeviceStep) -> Void) throws(DeviceError) {
        identityFile = DeviceFile(path: folder + "/identity.json", step: step)
        settingsFile = DeviceFile(path: folder + "/settings.json", step: step)
        let settings = try settingsFile.read() ?? DeviceSettings()
        let identity: DeviceIdentity
        if let known = try identityFile.read() {
            identity = known
        } else {
            identity = DeviceIdentity(device: DeviceID(UUID()))
            try identityFile.write(identity)
        }
        device = identity.device
        values = Mutex(Values(identity: identity, settings: settings))
    }

    var settings: DeviceSettings { values.withLock { $0.settings } }
    var session: DeviceIdentity.Session? { values.withLock { $0.identity.session } }
    var appTransaction: SignedAppTransaction? { values.withLock { $0.identity.appTransaction } }
    /// The account that signed in last; nil after signing out.
    var owner: AccountID? { values.withLock { $0.identity.owner ?? $0.identity.session?.account } }

    /// Changes the settings on disk, and then in memory.
    ///
    /// - Returns: The new settings.
    /// - Throws: ``DeviceError/storage(reason:)`` if the settings can't be written; they then stay unchanged.
    @discardableResult
    func change(_ body: (inout DeviceSettings) -> Void) throws(DeviceError) -> DeviceSettings {
        try writing.withLock { _ throws(DeviceError) in
            var settings = settings
            body(&settings)
            try settingsFile.write(settings)
            values.withLock { $0.settings = settings }
            return settings
        }
    }

    /// Starts the session of an account that has signed in.
    ///
    /// - Throws: ``DeviceError/storage(reason:)`` if the session can't be written; the session then exists in memory only.
    func begin(_ session: DeviceIdentity.Session) throws(DeviceError) {
        try changeIdentity(alsoIfNotWritten: true) { identity in
            if identity.owner != session.account { identity.appTransaction = nil }
            identity.session = session
            identity.owner = session.account
        }
    }

    /// Ends the session with a token that the store has refused; the account still owns the device.
    ///
    /// - Throws: ``DeviceError/storage(reason:)`` if the change can't be written; the session then ends in memory only.
    func end(_ token: String) throws(DeviceError) {
        try changeIdentity(alsoIfNotWritten: true) { identity in
            if identity.session?.token == token { identity.session = nil }
        }
    }

    /// Ends the session, so that no account owns the device.
    ///
    /// - Throws: ``DeviceError/storage(reason:)`` if the change can't be written; the account then stays signed in.
    func signOut() throws(DeviceError) {
        try changeIdentity { identity in
            identity.session = nil
            identity.owner = nil
            identity.appTransaction = nil
        }
    }

    /// Stores the owner's app transaction.
    func save(_ appTransaction: SignedAppTransaction) throws(DeviceError) {
        try changeIdentity { $0.appTransaction = appTransaction }
    }

    /// Stores the app version for which the store issued the receipt on this device.
    func setReceiptVersion(_ appVersion: String) throws(DeviceError) {
        try changeIdentity { $0.session?.appVersion = appVersion }
    }

    /// Stores the account's storefront.
    ///
    /// - Returns: Whether the country or region has changed.
    func update(_ storefront: PurchaseModel.Storefront) throws(DeviceError) -> Bool {
        guard let known = session?.storefront, known != storefront else { return false }
        try changeIdentity { $0.session?.storefront = storefront }
        return known.countryCode != storefront.countryCode
    }

    /// Writes a changed identity to disk, and then changes the identity in memory.
    ///
    /// - Parameter alsoIfNotWritten: Whether the identity in memory changes even if it can't be written to disk.
    private func changeIdentity(
        alsoIfNotWritten: Bool = false, _ body: (inout DeviceIdentity) -> Void
    ) throws(DeviceError) {
        try writing.withLock { _ throws(DeviceError) in
            var identity = values.withLock { $0.identity }
            body(&identity)
            do throws(DeviceError) {
                try identityFile.write(identity)
            } catch {
                if alsoIfNotWritten { values.withLock { $0.identity = identity } }
                throw error
            }
            values.withLock { $0.identity = identity }
        }
    }
}
