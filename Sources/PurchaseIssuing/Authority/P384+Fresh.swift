import Crypto

extension P384.Signing.PrivateKey {
    /// A new key: a random number below the curve's order, drawn again in the unlikely case that the number is not below it.
    ///
    /// The library's initializer checks each new key against its public key, which takes longer than the rest of creating a store. The
    /// number comes from the same source, the system's random number generator.
    static func fresh() -> P384.Signing.PrivateKey {
        while true {
            if let key = try? P384.Signing.PrivateKey(rawRepresentation: RandomBytes.system(48)) { return key }
        }
    }
}
