/// Carries questions about certificates to those who answer them.
///
/// There is no HTTP here: whoever has a client sends the request as the body of a POST with the type `application/ocsp-request`
/// and returns the body of an answer with status 200. Addresses come from certificates that a trusted root vouches for; Apple's
/// are plain `http`, which is fine, because answers are signed.
public protocol OCSPTransport: Sendable {
    /// The answer from an address.
    ///
    /// Must end soon when its task is cancelled, for that is how a deadline is kept. Refuse bodies of more than
    /// ``RevocationChecker/maximumAnswer`` bytes while reading.
    ///
    /// - Throws: When nobody answers, or with anything but success.
    func answer(to request: [UInt8], from address: String) async throws -> [UInt8]
}
