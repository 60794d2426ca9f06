/// Turns receipt bytes into facts, or says what is wrong with them.
public struct ReceiptVerifier: Sendable {
    /// Creates a verifier. Taking the first check apart from the rest makes a verifier that checks nothing impossible to write.
    public init(roots: TrustedRoots, _ first: any ReceiptCheck, _ rest: any ReceiptCheck...) {
        fatalError("stub")
    }

    /// Returns what the receipt proves. Hostile bytes are expected here: they throw, they never trap.
    @concurrent
    public func verify(_ bytes: [UInt8]) async throws(ReceiptError) -> VerifiedReceipt {
        fatalError("stub")
    }
}
