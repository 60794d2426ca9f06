public import PurchaseModel

extension Refusal {
    /// What can be wrong with signed bytes.
    public enum Reason: Hashable, Sendable {
        /// They are not what they should be, from the place on that the refusal names.
        case malformed
        /// They exceed a limit, which is named here.
        case tooLarge(limit: Int)
        /// An algorithm that is not accepted, or a header member that tries to choose its own key.
        case algorithm(String)
        /// The signature does not match the content: something was changed, or another key signed it.
        case signature
        /// No root that counts for the environment leads to the signer.
        case untrustedRoot
        /// The certificates do not form the chain that they should: number, order, links, or what they may be used for.
        case chain
        /// Leaf or intermediate lacks Apple's marker for purchases.
        case marker
        /// A certificate was not valid at the time at which the data says it was signed.
        case validity
        /// A certificate of the chain was revoked.
        case revoked
        /// Genuine, for another app.
        case foreignBundle(BundleID)
        /// Genuine, for another app; this is its number in the App Store, nil when the data names none.
        case foreignApp(Int64?)
        /// Genuine, for another version of the app.
        case foreignVersion(String)
        /// Genuine, from another environment; ask the server of that environment.
        case foreignEnvironment(String)
        /// Genuine, for another device; refresh it.
        case foreignDevice
        /// Genuine, but its validity has ended.
        case expired(Timestamp)
        /// Genuine, but made too long ago for this use.
        case tooOld(Timestamp)

        /// The reason as one stable word, for scripts.
        public var code: String {
            switch self {
            case .malformed: "malformed"
            case .tooLarge: "too_large"
            case .algorithm: "algorithm"
            case .signature: "signature"
            case .untrustedRoot: "untrusted_root"
            case .chain: "chain"
            case .marker: "marker"
            case .validity: "validity"
            case .revoked: "revoked"
            case .foreignBundle: "foreign_bundle"
            case .foreignApp: "foreign_app"
            case .foreignVersion: "foreign_version"
            case .foreignEnvironment: "foreign_environment"
            case .foreignDevice: "foreign_device"
            case .expired: "expired"
            case .tooOld: "too_old"
            }
        }

        /// The reason as a sentence.
        public var sentence: String {
            switch self {
            case .malformed: "It is not signed data of this kind."
            case .tooLarge(let limit): "It exceeds the limit of \(limit)."
            case .algorithm(let name): "It uses \(name), which is not accepted."
            case .signature: "The signature does not match the content."
            case .untrustedRoot: "No root that counts for its environment leads to its signer."
            case .chain: "Its certificates do not form a chain for purchases."
            case .marker: "A certificate lacks the marker for purchases."
            case .validity: "A certificate was not valid when it says it was signed."
            case .revoked: "A certificate of its chain was revoked."
            case .foreignBundle(let bundle): "It is for another app, \(bundle)."
            case .foreignApp(let number): "It is for another app, \(number.map { "number \($0)" } ?? "without a number")."
            case .foreignVersion(let version): "It is for another version of the app, \(version)."
            case .foreignEnvironment(let environment): "It is from another environment, \(environment)."
            case .foreignDevice: "It was issued for another device."
            case .expired(let date): "Its validity ended \(date)."
            case .tooOld(let date): "It is too old for this use: it was made \(date)."
            }
        }
    }
}
