/// The outcome of a verification.
///
/// An outcome is *indeterminate* when a revocation status, or another fact that the verification depends on, was unavailable. An
/// indeterminate outcome grants nothing and revokes nothing.
///
/// Methods that throw a ``VerificationFailure`` return the verified value, and throw the other two outcomes.
public enum VerificationOutcome<Value: Sendable>: Sendable {
    /// The data is authentic and passes every check.
    case verified(Value)
    /// The data is invalid, or is not for this app, environment or device.
    ///
    /// Verifying the same data again gives the same outcome.
    case refused(Refusal)
    /// The outcome depends on a fact that is unavailable.
    ///
    /// Verify the data again later.
    case indeterminate(Indeterminacy)

    /// Creates the outcome of a verification that failed.
    public init(_ failure: VerificationFailure) {
        self =
            switch failure {
            case .refused(let refusal): .refused(refusal)
            case .indeterminate(let indeterminacy): .indeterminate(indeterminacy)
            }
    }

    /// Returns the verified value.
    ///
    /// - Throws: This outcome as a ``VerificationFailure``, when the data is refused or the outcome is indeterminate.
    public func get() throws(VerificationFailure) -> Value {
        switch self {
        case .verified(let value): return value
        case .refused(let refusal): throw .refused(refusal)
        case .indeterminate(let indeterminacy): throw .indeterminate(indeterminacy)
        }
    }
}

extension VerificationOutcome: Equatable where Value: Equatable {}
extension VerificationOutcome: Hashable where Value: Hashable {}

/// The outcome of a verification that failed: the data is refused, or the outcome is indeterminate.
public typealias VerificationFailure = VerificationOutcome<Never>

extension VerificationOutcome: Error where Value == Never {}

extension VerificationOutcome where Value == Never {
    /// The reason for the failure, as a sentence for developers.
    ///
    /// The sentence contains short values of the data at most, such as a bundle identifier, a version or a date.
    public var message: String {
        switch self {
        case .refused(let refusal): refusal.message
        case .indeterminate(let indeterminacy): indeterminacy.message
        }
    }

    /// Returns this failure of a nested JWS as a failure of the JWS that contains it, with the name of the member before the place.
    func nested(in member: String) -> VerificationFailure {
        switch self {
        case .refused(let refusal):
            .refused(Refusal(refusal.reason, at: "\(member).\(refusal.place)", offset: refusal.offset, refusal.detail))
        case .indeterminate(let indeterminacy):
            .indeterminate(Indeterminacy(indeterminacy.reason, at: "\(member).\(indeterminacy.place)", indeterminacy.detail))
        }
    }
}

/// The reason for which a verification is indeterminate, and the part of the data that the reason concerns.
///
/// Two values are equal when their reasons and places are equal. The detail is for people, and is not compared.
public struct Indeterminacy: Error, Sendable {
    /// The reason for which a required fact is unavailable.
    public let reason: Reason
    /// The path of the part of the data that the reason concerns, such as `header.x5c[0]`.
    public let place: String
    /// A sentence that adds to the reason, and that contains none of the verified data; empty when there is nothing to add.
    public let detail: String

    /// Creates an indeterminacy, which a custom check can throw as ``VerificationOutcome/indeterminate(_:)``.
    ///
    /// - Parameters:
    ///   - reason: The reason for which a required fact is unavailable; ``Reason/custom(_:)`` when no other reason fits.
    ///   - place: The path of the part of the data that the reason concerns, such as `payload.appAccountToken`.
    ///   - detail: A sentence that adds to the reason; empty for none. Include none of the verified data, because the indeterminacy can
    ///     become public.
    public init(_ reason: Reason, at place: String, _ detail: String = "") {
        self.reason = reason
        self.place = place
        self.detail = detail
    }

    /// The reasons for which a fact that a verification requires is unavailable.
    public enum Reason: Hashable, Sendable {
        /// The OCSP responder could not be reached, or did not respond in time.
        case responderUnreachable
        /// The OCSP responder returned an error, or the status *unknown*.
        case responderFailed
        /// The OCSP response is malformed, is not signed correctly, is out of date, or concerns another certificate.
        case responseInvalid
        /// The certificate names no OCSP responder.
        case noResponder
        /// The certificate has expired, and OCSP responders do not keep the status of expired certificates.
        case certificateExpired
        /// A fact that a custom check depends on is unavailable; the value is the code that the check defines.
        case custom(String)

        /// A stable identifier of the reason, such as `no_responder`, for scripts.
        public var code: String {
            switch self {
            case .responderUnreachable: "responder_unreachable"
            case .responderFailed: "responder_failed"
            case .responseInvalid: "response_invalid"
            case .noResponder: "no_responder"
            case .certificateExpired: "certificate_expired"
            case .custom(let code): code
            }
        }

        /// The reason as a sentence, for developers.
        public var message: String {
            switch self {
            case .responderUnreachable: "The revocation status is unavailable: the OCSP responder did not respond."
            case .responderFailed: "The revocation status is unavailable: the OCSP responder returned an error or the status unknown."
            case .responseInvalid: "The revocation status is unavailable: the OCSP response is invalid."
            case .noResponder: "The revocation status is unavailable: the certificate names no OCSP responder."
            case .certificateExpired: "The revocation status is unavailable: the certificate has expired."
            case .custom(let code): "The custom check \(code) is indeterminate: a fact that it requires is unavailable."
            }
        }
    }

    /// The reason, the detail and the place as text, for developers.
    public var message: String {
        detail.isEmpty ? "\(reason.message) (\(place))" : "\(reason.message) \(detail) (\(place))"
    }
}

extension Indeterminacy: Hashable {
    /// Returns whether two indeterminacies have the same reason and place.
    public static func == (one: Indeterminacy, other: Indeterminacy) -> Bool {
        one.reason == other.reason && one.place == other.place
    }

    /// Hashes the reason and the place.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(reason)
        hasher.combine(place)
    }
}
