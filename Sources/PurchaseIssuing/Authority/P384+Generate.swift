import Crypto

extension P384.Signing.PrivateKey {
    /// Generates a key from random bytes, and repeats in the unlikely case that the number is not below the curve's order.
    ///
    /// The library's initializer checks each new key against its public key, which takes longer than the rest of creating a store. The
    /// bytes come from the same source, the system's random number generator.
    static func generate() -> P384.Signing.PrivateKey {
        while true {
            if let key = try? P384.Signing.PrivateKey(rawRepresentation: RandomBytes.system(48)) { return key }
        }
    }
}
