import Crypto
import FoundationExtras
import PurchaseModel

/// A root certificate, the environments in which it is trusted, and its verified-chain cache.
///
/// The type is a class, because every verification iterates over all roots, and copying a structure with a certificate would retain each of
/// the certificate's parts.
final class TrustedRoot: Sendable {
    let fingerprint: RootFingerprint
    /// The certificate of a configured root; nil for a root that only its fingerprint identifies, such as Apple's roots.
    let certificate: ParsedCertificate?
    /// The chains to this root that were verified, for data from all environments.
    let cache: VerifiedChainCache

    // These are Booleans instead of a set, because a lookup in a set would hash the environment's raw value in every verification.
    private let trustedInProduction: Bool
    private let trustedInSandbox: Bool
    private let trustedInXcode: Bool
    private let trustedInLocalTesting: Bool

    convenience init(_ fingerprint: RootFingerprint, in environments: Set<AppEnvironment>) {
        self.init(fingerprint, nil, in: environments, cache: VerifiedChainCache())
    }

    convenience init(_ certificate: ParsedCertificate, in environments: Set<AppEnvironment>) {
        self.init(RootFingerprint(of: certificate.encoded), certificate, in: environments, cache: VerifiedChainCache())
    }

    /// Creates a root from two roots with the same fingerprint, trusted in the environments of both.
    convenience init(_ first: TrustedRoot, and second: TrustedRoot) {
        let environments = AppEnvironment.allCases.filter { first.isTrusted(in: $0) || second.isTrusted(in: $0) }
        self.init(first.fingerprint, first.certificate ?? second.certificate, in: Set(environments), cache: first.cache)
    }

    private init(
        _ fingerprint: RootFingerprint, _ certificate: ParsedCertificate?, in environments: Set<AppEnvironment>, cache: VerifiedChainCache
    ) {
        self.fingerprint = fingerprint
        self.certificate = certificate
        self.cache = cache
        trustedInProduction = environments.contains(.production)
        trustedInSandbox = environments.contains(.sandbox)
        trustedInXcode = environments.contains(.xcode)
        trustedInLocalTesting = environments.contains(.localTesting)
    }

    /// Returns whether the root is trusted in an environment.
    func isTrusted(in environment: AppEnvironment) -> Bool {
        switch environment {
        case .production: trustedInProduction
        case .sandbox: trustedInSandbox
        case .xcode: trustedInXcode
        case .localTesting: trustedInLocalTesting
        }
    }

    /// The parsed certificate of the root, from the configuration or from a chain in the cache; nil when neither contains it.
    var known: ParsedCertificate? {
        certificate ?? cache.first { _ in true }?.parsed.last
    }
}

/// The environment of data whose certificate chain is verified.
enum DataEnvironment: Hashable {
    /// The data states the environment, or the caller does.
    case known(AppEnvironment)
    /// The data states none, as data that the App Store signed in 2021: it is from production or from the sandbox.
    case unknown

    /// The environments from which data without an environment can be.
    static let unstated: [AppEnvironment] = [.production, .sandbox]

    /// Returns whether a root is trusted in the environment, or in one of the possible environments.
    func trusts(_ root: TrustedRoot) -> Bool {
        switch self {
        case .known(let environment): root.isTrusted(in: environment)
        case .unknown: root.isTrusted(in: .production) || root.isTrusted(in: .sandbox)
        }
    }

    /// The environment as text for explanations.
    var name: String {
        switch self {
        case .known(let environment): environment.rawValue
        case .unknown: "Production or Sandbox"
        }
    }
}

/// The fingerprint of a root certificate: the SHA-256 of its DER encoding.
struct RootFingerprint: Hashable, Sendable {
    private let bytes: [UInt8]

    /// The fingerprint of Apple Root CA (2006-2035), the root of app receipts and transaction receipts.
    static let appleRootCA = RootFingerprint(
        0xB0B1_730E_CBC7_FF45, 0x0514_2C49_F129_5E6E, 0xDA6B_CAED_7E2C_68C5, 0xBE91_B5A1_1001_F024
    )
    /// The fingerprint of Apple Root CA - G3 (2014-2039), the root of the App Store's JWS.
    static let appleRootCAG3 = RootFingerprint(
        0x6334_3ABF_B89A_6A03, 0xEBB5_7E9B_3F5F_A7BE, 0x7C4F_5C75_6F30_17B3, 0xA8C4_88C3_653E_9179
    )
    /// The fingerprint of the self-signed certificate (2020-2040) with which every Xcode signs receipts in StoreKit testing.
    static let storeKitTest = RootFingerprint(
        0xFF0B_A36E_721D_2DB7, 0x41D2_AA11_E611_2EF7, 0x8BF7_131B_46C7_F035, 0xB008_91D0_45C8_64FE
    )

    /// Computes the fingerprint of a certificate in DER.
    init(of certificate: [UInt8]) {
        bytes = Array(SHA256.hash(data: certificate))
    }

    private init(_ words: UInt64...) {
        bytes = words.flatMap { word in stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) } }
    }

    /// The fingerprint in upper-case hexadecimal with colons, as certificate tools print it.
    var description: String {
        Hexadecimal.encode(bytes, uppercase: true, separator: ":")
    }
}
