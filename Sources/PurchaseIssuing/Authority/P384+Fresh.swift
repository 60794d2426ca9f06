import Crypto

extension P384.Signing.PrivateKey {
    /// A new key: a random number below the curve's order, drawn again in the unlikely case that it is not.
    ///
    /// The library's own way checks each new key against its public half, which takes longer than everything else about a new
    /// store. The number comes from the same source, the machine's random numbers.
    static func fresh() -> P384.Signing.PrivateKey {
        while true {
            if let key = try? P384.Signing.PrivateKey(rawRepresentation: RandomBytes.system(48)) { return key }
        }
    }
}
