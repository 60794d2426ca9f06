import ArgumentParser
import PurchaseModel
import PurchaseProof
import PurchaseServer

/// Whose signatures count.
struct TrustOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Certificates to trust besides Apple's roots, PEM or DER; may be given several times. They never count for production.",
            valueName: "file"
        )
    )
    var root: [String] = []

    @Flag(help: "Accept what Xcode's own certificate signed. Anybody can sign with it.")
    var acceptXcode = false

    @Option(help: "Ask whether a certificate was revoked: off, soft (go on when nobody answers) or hard (then unknown).")
    var revocation = RevocationOption.off

    /// The roots that count.
    ///
    /// - Throws: A usage error for a file that can't be read or holds no root.
    func roots() throws -> TrustedRoots {
        var roots = acceptXcode ? TrustedRoots.apple.acceptingXcode() : .apple
        for path in root {
            let bytes = try InputSource.file(path).read()
            let isPEM = bytes[...].firstRange(of: Array("-----BEGIN".utf8)) != nil
            let pem = isPEM ? String(decoding: bytes, as: UTF8.self) : PEMText.encode(bytes, label: "CERTIFICATE")
            do {
                roots = try roots.trusting(pem, in: Set(AppEnvironment.allCases).subtracting([.production]))
            } catch {
                throw ValidationError("\(path) can't be trusted: \(error). Give a root certificate as PEM or DER.")
            }
        }
        return roots
    }

    /// Whether and how strictly it is asked if certificates were revoked.
    func revocationRule() -> Revocation {
        switch revocation {
        case .off: .off
        case .soft: .soft(RevocationChecker(transport: OCSPOverHTTP()))
        case .hard: .hard(RevocationChecker(transport: OCSPOverHTTP()))
        }
    }
}
