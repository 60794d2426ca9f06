import Foundation
import PrivateFiles
import PurchaseModel
import Synchronization

/// The identity and the settings of a device, in memory and on disk.
final class DeviceState: Sendable {
    private struct Values {
        var identity: DeviceIdentity
        var settings: DeviceSettings
    }

    /// The time for which a process waits until another one has changed a file of the device.
    ///
    /// A process that opens the journal can hold the lock for ten seconds, until the process before it has exited.
    private static let lockSeconds = 30

    private let folder: String
    private let identityFile: DeviceFile<DeviceIdentityRecord>
    private let settingsFile: DeviceFile<DeviceSettingsRecord>
    private let values: Mutex<Values>
    /// The identity that this process has read or written last; the lock is held during each write of a file, so that a write never delays
    /// a reader of ``values``.
    private let writing: Mutex<DeviceIdentity>
    /// The device's identifier, which is created at the first launch.
    let device: DeviceID

    init(folder: String, step: @escaping @Sendable (DeviceStep) -> Void) throws(DeviceError) {
        self.folder = folder
        identityFile = DeviceFile(path: folder + "/identity.json", step: step)
        settingsFile = DeviceFile(path: folder + "/settings.json", step: step)
        let settings = try settingsFile.read() ?? DeviceSettings()
        let file = identityFile
        // Two processes that start at the same time must obtain the same identifier, to which receipts are bound.
        let identity = try DeviceState.locking(folder) { () throws(DeviceError) -> DeviceIdentity in
            if let known = try file.read() { return known }
            let new = DeviceIdentity(device: DeviceID(UUID()))
            try file.write(new)
            return new
        }
        device = identity.device
        writing = Mutex(identity)
        values = Mutex(Values(identity: identity, settings: settings))
    }

    var settings: DeviceSettings { values.withLock { $0.settings } }
    var session: DeviceIdentity.Session? { values.withLock { $0.identity.session } }
    var appTransaction: SignedAppTransaction? { values.withLock { $0.identity.appTransaction } }
    /// The account that signed in last; nil after signing out.
    var owner: AccountID? { values.withLock { $0.identity.owner ?? $0.identity.session?.account } }

    /// Runs a closure while no other process changes the files of the device.
    ///
    /// - Throws: The error of the closure, or ``DeviceError/storage(reason:)`` if the folder can't be locked.
    private static func locking<Value>(_ folder: String, _ body: () throws(DeviceError) -> Value) throws(DeviceError) -> Value {
        do {
            return try LockedFile.withFolder(folder, seconds: lockSeconds) { try body() }
        } catch let error as DeviceError {
            throw error
        } catch {
            throw .storage(reason: "\(folder) can't be locked (\(error)); check its permissions, and end other processes of the app")
        }
    }

    /// Changes the settings on disk, and then in memory; the settings that another process has written are kept.
    ///
    /// - Returns: The new settings.
    /// - Throws: ``DeviceError/storage(reason:)`` if the settings can't be written; they then stay unchanged.
    @discardableResult
    func change(_ body: (inout DeviceSettings) -> Void) throws(DeviceError) -> DeviceSettings {
        try writing.withLock { _ throws(DeviceError) in
            let changed = try Self.locking(folder) { () throws(DeviceError) -> DeviceSettings in
                var new = try settingsFile.read() ?? settings
                body(&new)
                try settingsFile.write(new)
                return new
            }
            values.withLock { $0.settings = changed }
            return changed
        }
    }

    /// Starts the session of an account that has signed in.
    ///
    /// - Throws: ``DeviceError/storage(reason:)`` if the session can't be written; the session then exists in memory only.
    func begin(_ session: DeviceIdentity.Session) throws(DeviceError) {
        try changeIdentity(alsoIfNotWritten: true, replacingSession: true) { identity in
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
        try changeIdentity(replacingSession: true) { identity in
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
    /// A session that another process of the app has begun or ended since stays on disk, unless this change begins or ends one, too.
    ///
    /// - Parameters:
    ///   - alsoIfNotWritten: Whether the identity in memory changes even if it can't be written to disk.
    ///   - replacingSession: Whether the change begins or ends a session, and replaces that of another process.
    ///   - body: Changes the identity.
    private func changeIdentity(
        alsoIfNotWritten: Bool = false, replacingSession: Bool = false, _ body: (inout DeviceIdentity) -> Void
    ) throws(DeviceError) {
        try writing.withLock { last throws(DeviceError) in
            let memory = values.withLock { $0.identity }
            var identity = memory
            body(&identity)
            let known = last
            do throws(DeviceError) {
                let written = try Self.locking(folder) { () throws(DeviceError) -> DeviceIdentity? in
                    let stored = try identityFile.read() ?? known
                    let isKnown =
                        stored.device == known.device && stored.owner == known.owner && stored.session?.token == known.session?.token
                    guard isKnown || replacingSession else { return nil }
                    var new = identity
                    // Another process of the same session can have stored something else, such as the app transaction.
                    if isKnown, memory == known {
                        new = stored
                        body(&new)
                    }
                    try identityFile.write(new)
                    return new
                }
                if let written { (last, identity) = (written, written) }
            } catch {
                if alsoIfNotWritten { values.withLock { $0.identity = identity } }
                throw error
            }
            values.withLock { $0.identity = identity }
        }
    }
}
