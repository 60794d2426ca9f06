import ArgumentParser
import Foundation
import FoundationExtras
import PurchaseModel
import PurchaseProof
import PurchaseServer

/// The command-line options for checks of both receipts and JWS.
struct CheckOptions: ParsableArguments {
    @Option(help: "Refuse data for apps with another bundle ID.")
    var bundleID: String?

    @Option(help: "Accept only this environment: production, sandbox or xcode; repeatable (default: all).")
    var environment: [EnvironmentOption] = []

    @Option(help: "Refuse data that is older than this time span, such as 90s, 15m, 12h or 30d.")
    var maxAge: AgeOption?

    /// The accepted environments; all by default.
    var environments: Set<AppEnvironment> {
        environment.isEmpty ? Set(AppEnvironment.allCases) : Set(environment.map(\.environment))
    }

    /// The check that refuses data of environments that are not accepted.
    var environmentCheck: EnvironmentCheck {
        EnvironmentCheck(environments)
    }

    /// The check that refuses data of other apps; nil without `--bundle-id`.
    var bundleCheck: BundleCheck? {
        bundleID.map { BundleCheck(BundleID($0)) }
    }
}

/// The command-line options for checks of receipts.
struct ReceiptCheckOptions: ParsableArguments {
    @Option(help: "Refuse receipts for another version of the app.")
    var appVersion: String?

    @Option(help: "Refuse receipts for devices other than this identifierForVendor, or MAC address of a Mac.")
    var device: DeviceOption?
}

/// The command-line options for checks of JWS.
struct SignedDataCheckOptions: ParsableArguments {
    @Option(help: "Refuse production data with another appAppleId.")
    var appID: Int64?

    @Option(help: ArgumentHelp("The bundle ID of transactions without a bundle ID, which are otherwise refused.", valueName: "bundle-id"))
    var assumeBundleID: String?

    @Option(help: "The environment of data without an environment, such as data of 2021: production or sandbox (default: unknown).")
    var assumeEnvironment: EnvironmentOption?

    @Option(
        help: ArgumentHelp("Refuse data for devices with another AppStore.deviceVerificationID.", valueName: "uuid"),
        transform: { text in
            guard let identifier = UUID(uuidString: text) else { throw ValidationError("\(text) is not a UUID.") }
            return identifier
        }
    )
    var deviceVerificationID: UUID?
}

/// The command-line options for the trusted roots and the revocation status.
struct TrustOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Root certificates to trust in addition to Apple's, PEM or DER, but never in production; repeatable.",
            valueName: "file"
        )
    )
    var root: [String] = []

    @Flag(help: "Accept data that Xcode's certificate signed. Anyone can sign with that certificate.")
    var acceptXcode = false

    @Option(
        help: "Check the certificates' revocation status: off, soft (ignore an unavailable status) or hard (indeterminate if unavailable).")
    var revocation = RevocationOption.off

    /// Returns Apple's roots and the roots that the options add.
    ///
    /// - Throws: A usage error if a file can't be read or contains no root certificate.
    func roots() throws -> TrustedRoots {
        var roots = acceptXcode ? TrustedRoots.apple.acceptingXcode() : .apple
        for path in root {
            let bytes = try InputSource.file(path).read()
            let isPEM = bytes[...].firstRange(of: Array("-----BEGIN".utf8)) != nil
            let pem = isPEM ? String(decoding: bytes, as: UTF8.self) : PEMText.encode(bytes, label: "CERTIFICATE")
            do {
                roots = try roots.trusting(pem, in: Set(AppEnvironment.allCases).subtracting([.production]))
            } catch {
                throw ValidationError("\(path) can't be trusted: \(Self.reason(of: error)) Give a root certificate as PEM or DER.")
            }
        }
        return roots
    }

    /// Prints on standard error how to trust another root, if data is refused because of its root and no option names a root.
    func advise(on report: Report) {
        guard root.isEmpty, report.members.contains(where: { $0.name == "reason" && $0.value.text == "untrusted_root" }) else { return }
        StandardError.line("Only Apple's roots are trusted. If a local store has signed the data, name its root certificate with --root.")
    }

    private static func reason(of error: TrustError) -> String {
        switch error {
        case .notARoot(let reason): reason
        case .productionTrustsAppleOnly: "Production trusts Apple's roots only."
        }
    }

    /// Returns the rule of `--revocation`, with an OCSP client if a status is requested.
    func revocationRule() -> Revocation {
        switch revocation {
        case .off: .off
        case .soft: .soft(RevocationChecker(transport: OCSPOverHTTP()))
        case .hard: .hard(RevocationChecker(transport: OCSPOverHTTP()))
        }
    }
}

/// The value of `--revocation`: whether the revocation status is checked, and whether an unavailable status is ignored.
enum RevocationOption: String, ExpressibleByArgument, CaseIterable, Sendable {
    case off, soft, hard
}
