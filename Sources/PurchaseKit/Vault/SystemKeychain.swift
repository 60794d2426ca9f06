#if canImport(Security)
    public import Foundation
    import Security

    /// The keychain of Apple's systems.
    ///
    /// Items are readable after the first unlock of the device, and are in no backup for another device
    /// (`kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly`), so that a vault opens on another device through an export only.
    public struct SystemKeychain: Keychain {
        private let service: String
        private let accessGroup: String?

        /// Refers to the app's items, without accessing them.
        ///
        /// - Parameters:
        ///   - service: The service of the items (`kSecAttrService`), such as the bundle ID.
        ///   - accessGroup: The group of an app and its extensions that share the vault; nil for the app alone.
        public init(service: String, accessGroup: String? = nil) {
            self.service = service
            self.accessGroup = accessGroup
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
        public func set(_ secret: Data, for name: String) throws(VaultError) {
            let value: [CFString: Any] = [
                kSecValueData: secret, kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            var status = SecItemUpdate(item(name) as CFDictionary, value as CFDictionary)
            if status == errSecItemNotFound {
                let new = item(name).merging(value) { _, new in new }
                status = SecItemAdd(new as CFDictionary, nil)
            }
            guard status == errSecSuccess else {
                throw .storage(reason: "the keychain's item \(name) can't be written (OSStatus \(status))")
            }
        }

        private func item(_ name: String) -> [CFString: Any] {
            var item: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: name,
                // On macOS, too, the items are those of the app and not of the user's login keychain.
                kSecUseDataProtectionKeychain: true,
            ]
            if let accessGroup { item[kSecAttrAccessGroup] = accessGroup }
            return item
        }
    }
#endif
