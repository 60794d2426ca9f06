import Crypto

extension P384.Signing.PrivateKey {
    /// Generates a private key from bytes of the system's random number generator.
    ///
    /// In the unlikely case that the bytes are not a valid private key, the function tries again with new bytes. The function avoids
    /// the initializer `P384.Signing.PrivateKey()` of swift-crypto, because the initializer checks each new key against the public
    /// key, and the check takes longer than the rest of creating a store.
    static func generate() -> P384.Signing.PrivateKey {
        while true {
            if let key = try? P384.Signing.PrivateKey(rawRepresentation: RandomBytes.system(48)) { return key }
        }
    }
}
