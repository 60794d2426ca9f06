public import PurchaseModel

/// The result of a verification that refuses the data: the reason, and the part of the data that the reason concerns.
///
/// Two refusals are equal when their reasons and places are equal. The offset and the detail are for people, and are not compared.
public struct Refusal: Error, Sendable {
    /// The reason for which the data is refused.
    public let reason: Reason
    /// The path of the part of the data that the reason concerns, such as `SignedData.certificates`, `receipt.17[3].1704` or
    /// `header.x5c[0]`.
    public let place: String
    /// The offset of the error in bytes, from the beginning of the file, or of the decoded part (such as a JWS payload) that contains the
    /// error; nil when it is unknown.
    public let offset: Int?
    /// A sentence that adds to the reason, and that contains none of the refused data; empty when there is nothing to add.
    public let detail: String

    /// Creates a refusal, which a custom check can throw.
    ///
    /// - Parameters:
    ///   - reason: The reason for which the data is refused; ``Reason/custom(_:)`` when no other reason fits.
    ///   - place: The path of the part of the data that the reason concerns, such as `receipt.3` or `payload.appAccountToken`.
    ///   - offset: The offset of the error in bytes, from the beginning of the file or of the decoded part that contains the error; nil
    ///     when it is unknown.
    ///   - detail: A sentence that adds to the reason; empty for none. Include none of the refused data, because the refusal can become
    ///     public.
    public init(_ reason: Reason, at place: String, offset: Int? = nil, _ detail: String = "") {
        self.reason = reason
        self.place = place
        self.offset = offset
        self.detail = detail
    }

    /// The reason, the detail and the place as text, for the developer of the program that sent the data.
    public var message: String {
        detail.isEmpty ? "\(reason.message) (\(place))" : "\(reason.message) \(detail) (\(place))"
    }
}

extension Refusal: Hashable {
    /// Returns whether two refusals have the same reason and place.
    public static func == (one: Refusal, other: Refusal) -> Bool {
        one.reason == other.reason && one.place == other.place
    }

    /// Hashes the reason and the place.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(reason)
        hasher.combine(place)
    }
}

extension Refusal {
    /// The reasons for which data is refused.
    public enum Reason: Hashable, Sendable {
        /// The data is malformed, or contains an invalid value, at the place that the refusal names.
        case malformed
        /// The data is authentic, but lacks a member that identifies its app; the value is the name of the member, such as `bundleId`.
        ///
        /// Where the source of the data names the app, ``SignedDataVerifier/assuming(bundleID:environment:)`` accepts it.
        case missingMember(String)
        /// The data exceeds a limit of the verifier: a size in bytes, a number of elements, or a nesting depth, according to the place.
        case tooLarge(limit: Int)
        /// The JWS header names an algorithm that is not accepted, or has a member that is not allowed; the value is the name of the
        /// algorithm or of the member.
        case algorithm(String)
        /// The signature does not match the content.
        case signature
        /// The certificates do not chain to a root that is trusted in the environment that the data states.
        case untrustedRoot
        /// The certificates do not form a valid chain, because of their number, order, issuers, signatures or key usages.
        case chain
        /// The leaf or the intermediate certificate lacks the extension by which Apple marks certificates for signing purchases.
        case marker
        /// A certificate was not valid at the time of signing.
        case validity
        /// A certificate of the chain is revoked.
        case revoked
        /// The data is authentic, but for another app; the value is the bundle identifier that the data states.
        case foreignBundle(BundleID)
        /// The data is authentic, but for another app; the value is the `appAppleId` that the data states, or nil when the data states no
        /// `appAppleId`.
        case foreignApp(Int64?)
        /// The data is authentic, but for another version of the app; the value is the version that the data states.
        case foreignVersion(String)
        /// The data is authentic, but from an environment that the verifier does not accept; the value is the name of that environment.
        ///
        /// Send the data to the server of that environment.
        case foreignEnvironment(String)
        /// The data is authentic, but bound to another device.
        ///
        /// Refresh the receipt, or request the signed data again, on the device.
        case foreignDevice
        /// The data is authentic, but expired at this date.
        case expired(Timestamp)
        /// The data is authentic, but older than the maximum age of an ``AgeCheck``; the value is the date of the data.
        case tooOld(Timestamp)
        /// A custom check refuses the data; the value is the code that the check defines.
        case custom(String)

        /// A stable identifier of the reason, such as `untrusted_root`, for scripts.
        public var code: String {
            switch self {
            case .malformed: "malformed"
            case .missingMember: "missing_member"
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

        /// The reason as a sentence, for developers.
        public var message: String {
            switch self {
            case .malformed: "The data is malformed."
            case .missingMember(let name): "The data is authentic, but lacks the member \(name)."
            case .tooLarge(let limit): "The data exceeds a limit: at most \(limit) bytes, elements or levels of nesting are allowed."
            case .algorithm(let name): "The JWS header states an algorithm or member that is not accepted: \(name)."
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
            case .expired(let date): "The data expired at \(date)."
            case .tooOld(let date): "The data exceeds the maximum age: its date is \(date)."
            case .custom(let code): "The custom check \(code) refuses the data."
            }
        }
    }
}
