import ArgumentParser
import PurchaseModel
import PurchaseProof
import PurchaseServer

/// The trusted roots, and whether the command requests the revocation status.
struct TrustOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Root certificates to trust in addition to Apple's, PEM or DER; repeatable. They are never trusted in production.",
            valueName: "file"
        )
    )
    var root: [String] = []

    @Flag(help: "Accept data that Xcode's certificate signed. Anyone can sign with it.")
    var acceptXcode = false

    @Option(
        help: "Request the revocation status of the certificates: off, soft (ignore an unavailable status) or hard (indeterminate then).")
    var revocation = RevocationOption.off

    /// The trusted roots.
    ///
    /// - Throws: A usage error if a file can't be read or holds no root.
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

    /// Whether the command requests the revocation status.
    func revocationRule() -> Revocation {
        switch revocation {
        case .off: .off
        case .soft: .soft(RevocationChecker(transport: OCSPOverHTTP()))
        case .hard: .hard(RevocationChecker(transport: OCSPOverHTTP()))
        }
    }
}
