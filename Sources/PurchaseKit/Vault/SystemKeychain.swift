#if canImport(Security)
    public import Foundation
    import Security

    /// The keychain of Apple's systems.
    ///
    /// Items are readable after the first unlock of the device. Items with the scope ``KeychainScope/backup`` migrate to a new device with
    /// an encrypted backup or a direct transfer (`kSecAttrAccessibleAfterFirstUnlock`), and the vault opens on that device. A backup
    /// without encryption, or in iCloud, restores these items on the same device only. Items with the scope ``KeychainScope/device`` never
    /// migrate (`kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly`).
    public struct SystemKeychain: Keychain {
        private let service: String
        private let accessGroup: String?
        private let isSynchronized: Bool

        /// Creates a keychain, without accessing the items.
        ///
        /// - Parameters:
        ///   - service: The service of the items (`kSecAttrService`), such as the bundle ID.
        ///   - accessGroup: The group of an app and its extensions that share the vault; nil for the app alone.
        ///   - isSynchronized: Whether the items are in iCloud Keychain, on all devices of the person (`kSecAttrSynchronizable`): true for
        ///     ``ExportSeal/account(_:)``, and false for a vault, whose secret differs on each device.
        public init(service: String, accessGroup: String? = nil, isSynchronized: Bool = false) {
            self.service = service
            self.accessGroup = accessGroup
            self.isSynchronized = isSynchronized
        }

        /// Returns the secret with a name; nil if there is none.
        ///
        /// - Throws: ``VaultError/storage(reason:)`` with the keychain's status, for example while the device was never unlocked.
        public func secret(_ name: String) throws(VaultError) -> Data? {
            var query = item(name)
            query[kSecReturnData] = true
            query[kSecMatchLimit] = kSecMatchLimitOne
            var result: CFTypeRef?
            let status = unsafe SecItemCopyMatching(query as CFDictionary, &result)
            switch status {
            case errSecSuccess: return result as? Data
            case errSecItemNotFound: return nil
            default: throw .storage(reason: "the keychain's item \(name) can't be read (OSStatus \(status))")
            }
        }

        /// Stores a secret under a name.
        ///
        /// - Throws: ``VaultError/storage(reason:)`` with the keychain's status.
        public func set(_ secret: Data, for name: String, scope: KeychainScope) throws(VaultError) {
            let value = self.value(secret, scope)
            var status = SecItemUpdate(item(name) as CFDictionary, value as CFDictionary)
            if status == errSecItemNotFound {
                let new = item(name).merging(value) { _, new in new }
                status = SecItemAdd(new as CFDictionary, nil)
            }
            guard status == errSecSuccess else {
                throw .storage(reason: "the keychain's item \(name) can't be written (OSStatus \(status))")
            }
        }

        /// Stores a secret under a name that has none, in one step.
        ///
        /// - Parameters:
        ///   - secret: The secret to store.
        ///   - name: The name of the secret.
        ///   - scope: The devices on which the secret is available.
        /// - Returns: The stored secret: `secret`, or the secret that was stored under the name before.
        /// - Throws: ``VaultError/storage(reason:)`` with the keychain's status.
        public func add(_ secret: Data, for name: String, scope: KeychainScope) throws(VaultError) -> Data {
            let new = item(name).merging(value(secret, scope)) { _, new in new }
            let status = SecItemAdd(new as CFDictionary, nil)
            if status == errSecDuplicateItem, let stored = try self.secret(name) { return stored }
            guard status == errSecSuccess else {
                throw .storage(reason: "the keychain's item \(name) can't be written (OSStatus \(status))")
            }
            return secret
        }

        /// The attributes of an item that contain a secret and its scope.
        private func value(_ secret: Data, _ scope: KeychainScope) -> [CFString: Any] {
            // An item of iCloud Keychain can't be bound to a device.
            let migrates = isSynchronized || scope == .backup
            return [
                kSecValueData: secret,
                kSecAttrAccessible: migrates ? kSecAttrAccessibleAfterFirstUnlock : kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
        }

        private func item(_ name: String) -> [CFString: Any] {
            var item: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: name,
                // Use the keychain of the app on macOS also, and not the user's login keychain.
                kSecUseDataProtectionKeychain: true, kSecAttrSynchronizable: isSynchronized,
            ]
            if let accessGroup { item[kSecAttrAccessGroup] = accessGroup }
            return item
        }
    }
#endif
