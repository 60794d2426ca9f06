/// The outcome of a verification.
///
/// An outcome is *indeterminate* when a revocation status, or another fact that the verification depends on, was unavailable. An
/// indeterminate outcome grants nothing and revokes nothing.
///
/// Verifiers throw the outcomes other than *verified* as ``VerificationFailure``.
public enum VerificationOutcome<Value: Sendable>: Sendable {
    /// The data is authentic and passes every check.
    case verified(Value)
    /// The data is invalid, or not for this app. Verifying the same data again gives the same outcome.
    case refused(Refusal)
    /// The outcome depends on a fact that is unavailable. Verify again later.
    case indeterminate(Indeterminacy)

    /// Creates the outcome of a failure.
    public init(_ failure: VerificationFailure) {
        self =
            switch failure {
            case .refused(let refusal): .refused(refusal)
            case .indeterminate(let indeterminacy): .indeterminate(indeterminacy)
            }
    }

    /// Returns the verified value.
    ///
    /// - Throws: The same outcome as a ``VerificationFailure`` when the data is not verified.
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

/// The outcome of a verification that did not verify the data: refused or indeterminate.
public typealias VerificationFailure = VerificationOutcome<Never>

extension VerificationOutcome: Error where Value == Never {}

extension VerificationOutcome where Value == Never {
    /// The reason for the failure, as a sentence for developers.
    ///
    /// It contains no data except names.
    public var message: String {
        switch self {
        case .refused(let refusal): refusal.message
        case .indeterminate(let indeterminacy): indeterminacy.message
        }
    }

    /// The same failure of data that is nested in other data.
    func nested(in member: String) -> VerificationFailure {
        switch self {
        case .refused(let refusal):
            .refused(Refusal(refusal.reason, at: "\(member).\(refusal.place)", offset: refusal.offset, refusal.detail))
        case .indeterminate(let indeterminacy):
            .indeterminate(Indeterminacy(indeterminacy.reason, at: "\(member).\(indeterminacy.place)", indeterminacy.detail))
        }
    }
}

/// The reason for an indeterminate verification, and the part of the data that the reason concerns.
///
/// Two values are equal when their reasons and places are equal; the detail is for people.
public struct Indeterminacy: Error, Sendable {
    /// The fact that is unavailable.
    public let reason: Reason
    /// The part of the data that the reason concerns, such as `header.x5c[0]`.
    public let place: String
    /// Additional information as a sentence that contains no data; may be empty.
    public let detail: String

    /// Creates a value, for custom checks.
    ///
    /// - Parameters:
    ///   - reason: The reason; ``Reason/custom(_:)`` when no other fits.
    ///   - place: The part of the data that the reason concerns, in the notation of other places.
    ///   - detail: Additional information. Include no data, because the value can become public.
    public init(_ reason: Reason, at place: String, _ detail: String = "") {
        self.reason = reason
        self.place = place
        self.detail = detail
    }

    /// The facts that can be unavailable.
    public enum Reason: Hashable, Sendable {
        /// The OCSP responder could not be reached, or did not respond in time.
        case responderUnreachable
        /// The OCSP responder returned an error, or the status *unknown*.
        case responderFailed
        /// The OCSP response is not signed correctly, is out of date, or concerns another certificate.
        case responseInvalid
        /// The certificate names no OCSP responder.
        case noResponder
        /// The certificate has expired. Responders do not keep the status of expired certificates.
        case certificateExpired
        /// A fact that a custom check depends on is unavailable, with the code of the check.
        case custom(String)

        /// A stable identifier of the reason, for scripts.
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

        /// The reason as a sentence.
        public var message: String {
            switch self {
            case .responderUnreachable: "The revocation status is unavailable: the OCSP responder did not respond."
            case .responderFailed: "The revocation status is unavailable: the OCSP responder does not know it."
            case .responseInvalid: "The revocation status is unavailable: the OCSP response is invalid."
            case .noResponder: "The revocation status is unavailable: the certificate names no OCSP responder."
            case .certificateExpired: "The revocation status is unavailable: the certificate has expired."
            case .custom(let code): "The check \(code) is indeterminate."
            }
        }
    }

    /// The unavailable fact, as a sentence.
    public var message: String {
        detail.isEmpty ? "\(reason.message) (\(place))" : "\(reason.message) \(detail) (\(place))"
    }
}

extension Indeterminacy: Hashable {
    /// Compares reason and place.
    public static func == (one: Indeterminacy, other: Indeterminacy) -> Bool {
        one.reason == other.reason && one.place == other.place
    }

    /// Hashes reason and place.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(reason)
        hasher.combine(place)
    }
}
