public import PurchaseModel

/// The reason for refusing data, and its place in the data.
///
/// Two refusals are equal when their reasons and places are equal; offset and detail are for people.
public struct Refusal: Error, Sendable {
    /// The reason.
    public let reason: Reason
    /// The place of the reason, such as `SignedData.certificates`, `receipt.17[3].1704` or `header.x5c[0]`.
    public let place: String
    /// The offset of the place in the file, in bytes, if known.
    public let offset: Int?
    /// Additional information as a sentence that contains no data; may be empty.
    public let detail: String

    /// Creates a refusal, for custom checks.
    ///
    /// - Parameters:
    ///   - reason: The reason; ``Reason/custom(_:)`` when no other fits.
    ///   - place: The place of the reason, in the notation of other places.
    ///   - offset: The offset of the place in the file, in bytes.
    ///   - detail: Additional information. Include no data, because the refusal can become public.
    public init(_ reason: Reason, at place: String, offset: Int? = nil, _ detail: String = "") {
        self.reason = reason
        self.place = place
        self.offset = offset
        self.detail = detail
    }

    /// The reason as a sentence, for the developer of the program that sent the data.
    public var message: String {
        detail.isEmpty ? "\(reason.message) (\(place))" : "\(reason.message) \(detail) (\(place))"
    }
}

extension Refusal: Hashable {
    /// Compares reason and place.
    public static func == (one: Refusal, other: Refusal) -> Bool {
        one.reason == other.reason && one.place == other.place
    }

    /// Hashes reason and place.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(reason)
        hasher.combine(place)
    }
}

extension Refusal {
    /// The reasons for which data is refused.
    public enum Reason: Hashable, Sendable {
        /// The data is malformed, or contains an invalid value, at the refusal's place.
        case malformed
        /// The data exceeds this limit.
        case tooLarge(limit: Int)
        /// The algorithm is not accepted, or a header member selects another key.
        case algorithm(String)
        /// The signature does not match the content.
        case signature
        /// The certificates do not chain to a root that is trusted in the environment.
        case untrustedRoot
        /// The certificates do not form a valid chain: number, order, issuers, or key usage.
        case chain
        /// The leaf or the intermediate certificate lacks Apple's marker extension for purchases.
        case marker
        /// A certificate was not valid at the time of signing.
        case validity
        /// A certificate of the chain is revoked.
        case revoked
        /// The data is authentic and for another app.
        case foreignBundle(BundleID)
        /// The data is authentic and for another app; the value is its `appAppleId`, nil when the data states none.
        case foreignApp(Int64?)
        /// The data is authentic and for another version of the app.
        case foreignVersion(String)
        /// The data is authentic and from another environment; send it to the server of that environment.
        case foreignEnvironment(String)
        /// The data is authentic and for another device; refresh it.
        case foreignDevice
        /// The data is authentic and has expired.
        case expired(Timestamp)
        /// The data is authentic and older than the maximum age.
        case tooOld(Timestamp)
        /// A custom check refuses the data, with the code of the check.
        case custom(String)

        /// A stable identifier of the reason, for scripts.
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
            case .custom(let code): code
            }
        }

        /// The reason as a sentence.
        public var message: String {
            switch self {
            case .malformed: "The data is malformed."
            case .tooLarge(let limit): "The data exceeds the limit of \(limit)."
            case .algorithm(let name): "The algorithm or header member \(name) is not accepted."
            case .signature: "The signature does not match the content."
            case .untrustedRoot: "The certificates do not chain to a root that is trusted in the environment."
            case .chain: "The certificates do not form a valid chain."
            case .marker: "A certificate lacks the marker extension for purchases."
            case .validity: "A certificate was not valid at the time of signing."
            case .revoked: "A certificate of the chain is revoked."
            case .foreignBundle(let bundle): "The data is for another app, \(bundle)."
            case .foreignApp(let number): "The data is for another app, \(number.map { "appAppleId \($0)" } ?? "without an appAppleId")."
            case .foreignVersion(let version): "The data is for another version of the app, \(version)."
            case .foreignEnvironment(let environment): "The data is from another environment, \(environment)."
            case .foreignDevice: "The data is for another device."
            case .expired(let date): "The data expired \(date)."
            case .tooOld(let date): "The data exceeds the maximum age: its date is \(date)."
            case .custom(let code): "The check \(code) refuses the data."
            }
        }
    }
}
