import Crypto

extension P384.Signing.PrivateKey {
    /// Generates a private key from bytes of the system's random number generator.
    ///
    /// In the unlikely case that the bytes are not a valid private key, the method tries again with new bytes. It is faster than the
    /// initializer `P384.Signing.PrivateKey()` of swift-crypto, which checks the consistency of each new key pair. The check would take
    /// longer than the rest of the creation of a local store.
    static func generate() -> P384.Signing.PrivateKey {
        while true {
            if let key = try? P384.Signing.PrivateKey(rawRepresentation: RandomBytes.system(48)) { return key }
        }
    }
}
