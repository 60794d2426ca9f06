import Foundation
public import PurchaseModel

/// Verifies signed data: transactions, renewal information, app transactions, notifications and real-time requests.
///
/// A verification has five steps. The verifier parses the header and the payload, verifies the certificate chain of the header, verifies
/// the signature, requests the revocation status if required, and runs the checks. A verification suspends only to verify a chain that is
/// not in the verified-chain cache, and to request a revocation status that is not cached.
///
/// The chain is verified at the time of signing and for the environment that the payload states, as by Apple's App Store Server libraries
/// without online checks. Unlike those libraries, which verify a payload without a time of signing at the current time, this verifier
/// refuses such a payload: the result would change when the certificates expire.
public struct SignedDataVerifier: Sendable {
    private let roots: TrustedRoots
    private let revocation: Revocation
    private let checks: [any SignedDataCheck]
    /// The app and the environment of data that does not state them; nil for none.
    private var assumed: (bundleID: BundleID?, environment: AppEnvironment?) = (nil, nil)

    /// Creates a verifier that accepts signed data for one app.
    ///
    /// - Parameters:
    ///   - roots: The root certificates to trust.
    ///   - revocation: Whether the verifier requests the revocation status of the certificates, and whether it requires the status.
    ///   - bundleID: The bundle identifier of the app; a ``BundleCheck`` refuses data for other apps.
    ///   - environments: The environments to accept; an ``EnvironmentCheck`` refuses data from other environments.
    ///   - checks: Additional checks, which run in their order after the checks of the bundle identifier and of the environment.
    public init(
        roots: TrustedRoots, revocation: Revocation = .off, bundleID: BundleID, environments: Set<AppEnvironment>,
        checks: [any SignedDataCheck] = []
    ) {
        self.init(roots: roots, revocation: revocation, BundleCheck(bundleID), and: [EnvironmentCheck(environments)] + checks)
    }

    /// Creates a verifier with the given checks.
    ///
    /// The first check is a separate parameter, so that every verifier has at least one check.
    ///
    /// - Parameters:
    ///   - roots: The root certificates to trust.
    ///   - revocation: Whether the verifier requests the revocation status of the certificates, and whether it requires the status.
    ///   - first: The check that runs first.
    ///   - rest: The checks that run after the first check, in their order.
    public init(
        roots: TrustedRoots, revocation: Revocation = .off, _ first: any SignedDataCheck, _ rest: any SignedDataCheck...
    ) {
        self.init(roots: roots, revocation: revocation, first, and: rest)
    }

    /// Creates a verifier with a first check and an array of further checks, which run in their order.
    ///
    /// The first check is a separate parameter, so that every verifier has at least one check.
    public init(
        roots: TrustedRoots, revocation: Revocation = .off, _ first: any SignedDataCheck, and rest: [any SignedDataCheck]
    ) {
        self.roots = roots
        self.revocation = revocation
        checks = [first] + rest
    }

    /// Returns a verifier that uses values of the caller for data that does not state its app or its environment.
    ///
    /// Data that the App Store signed in 2021 has no `environment`. Without a value, it is verified, and its environment is unknown:
    /// ``Verified/environment`` is nil. A transaction without `bundleId` is refused with ``Refusal/Reason/missingMember(_:)``.
    ///
    /// Use this method where the source of the data states what the data lacks. The App Store Server API answers requests with a token of
    /// one app about that app and one environment. An app or a file states nothing reliable. The payload remains as it was signed.
    ///
    /// - Parameters:
    ///   - bundleID: The app of transactions without `bundleId`; nil to refuse these transactions.
    ///   - environment: The environment of data without `environment`; nil for an unknown environment.
    public func assuming(bundleID: BundleID? = nil, environment: AppEnvironment? = nil) -> SignedDataVerifier {
        var copy = self
        copy.assumed = (bundleID ?? assumed.bundleID, environment ?? assumed.environment)
        return copy
    }

    /// Verifies the certificate chain, the signature and the revocation status of a parsed JWS, and runs the checks.
    ///
    /// - Parameters:
    ///   - jws: The parsed JWS.
    ///   - payload: The decoded payload, for the checks.
    ///   - claims: The claims of the payload.
    ///   - compact: The text of the JWS, for the checks.
    ///   - trace: Records the steps for an explanation; nil for a verification without an explanation.
    /// - Returns: The environment of the data; nil when it is unknown.
    /// - Throws: A ``VerificationFailure`` when a step or a check fails.
    func verify(
        _ jws: CompactJWS, _ payload: any Hashable & Sendable, _ claims: SignedDataClaims, _ compact: String, trace: Trace?
    ) async throws(VerificationFailure) -> AppEnvironment? {
        let environment: DataEnvironment
        if claims.environment.isEmpty {
            environment = assumed.environment.map(DataEnvironment.known) ?? .unknown
        } else if let stated = AppEnvironment(rawValue: claims.environment) {
            environment = .known(stated)
        } else {
            throw .refused(Refusal(.untrustedRoot, at: Self.certificates, "No root is trusted in the environment that the payload states."))
        }
        guard !jws.hasSingleCertificate || environment == .known(.xcode) else {
            throw .refused(
                Refusal(
                    .chain, at: Self.certificates,
                    "A single certificate is accepted in Xcode's environment only; data from the App Store has three."))
        }
        let chain = try await chain(of: jws, in: environment, at: claims.signedDate, trace: trace)
        guard jws.isSigned(by: chain.key) else { throw .refused(Refusal(.signature, at: "signature")) }
        trace?.passed("signature", "64 bytes", rule: "The leaf's key must have signed the header and the payload with ES256.")
        try await revocation.verify(chain, place: Self.certificates, trace: trace)
        var claims = claims
        if let member = claims.missingMember {
            guard let bundleID = assumed.bundleID else {
                throw .refused(Refusal(.missingMember(member), at: "\(claims.appPlace).\(member)"))
            }
            claims.bundleID = bundleID
        }
        let known = roots.environment(of: chain, in: environment)
        let signature = SignatureInfo(chain, environment: known, signedDate: claims.signedDate, certificatesPlace: Self.certificates)
        let authentic = AuthenticSignedData(
            claims: claims, payload: payload, json: jws.payload, signature: signature, original: compact
        )
        for check in checks {
            try check.examine(authentic)
            trace?.passed(check.name, check.observed(in: authentic), rule: check.rule)
        }
        return known
    }

    private func chain(
        of jws: CompactJWS, in environment: DataEnvironment, at time: Timestamp, trace: Trace?
    ) async throws(VerificationFailure) -> VerifiedChain {
        // With a trace, the chain is verified again, because an explanation shows the steps that the cache skips.
        if trace == nil, let chain = roots.cachedChain(in: environment, at: time, where: jws.carries) { return chain }
        let encoded: [[UInt8]]
        do { encoded = try jws.encodedCertificates() } catch { throw .refused(error) }
        return try await roots.verifyChain(
            encoded[0], through: Array(encoded.dropFirst()), in: environment, at: time, place: Self.certificates, trace: trace
        )
    }

    private static let certificates = "header.x5c"
}

extension SignedDataVerifier {
    /// Verifies a signed transaction, renewal information, an app transaction or a real-time request.
    ///
    /// The text may come from an attacker: invalid input throws and never traps. When the certificate chain is in the verified-chain cache,
    /// the method takes little longer than the verification of one P-256 signature.
    ///
    /// - Throws: A ``VerificationFailure`` when the signed data is refused, or when the verification is indeterminate.
    public func verify<Payload>(
        _ signed: Signed<Payload>
    ) async throws(VerificationFailure) -> Verified<Payload> where Payload: SignedPayload {
        try await verify(CompactForm.read(signed.compact), signed, trace: nil)
    }

    /// Verifies signed data, and returns the outcome instead of throwing a failure.
    public func outcome<Payload>(
        of signed: Signed<Payload>
    ) async -> VerificationOutcome<Verified<Payload>> where Payload: SignedPayload {
        do { return .verified(try await verify(signed)) } catch { return VerificationOutcome(error) }
    }

    /// Verifies signed data, and returns the outcome with an explanation of each step.
    ///
    /// The method verifies the certificate chain even if it is in the verified-chain cache, so it takes several times as long as `verify`.
    public func explain<Payload>(
        _ signed: Signed<Payload>
    ) async -> (outcome: VerificationOutcome<Verified<Payload>>, explanation: VerificationExplanation) where Payload: SignedPayload {
        await Trace.explain { trace throws(VerificationFailure) in
            try await verify(CompactForm.read(signed.compact), signed, trace: trace)
        }
    }

    func verify<Payload: SignedPayload>(
        _ form: CompactForm, _ signed: Signed<Payload>, trace: Trace?
    ) async throws(VerificationFailure) -> Verified<Payload> {
        let (jws, payload) = try read(form, as: Payload.self, trace: trace)
        do throws(Refusal) { try payload.validate() } catch { throw .refused(error) }
        let claims = payload.claims
        trace?.payload(claims)
        let environment = try await verify(jws, payload, claims, signed.compact, trace: trace)
        return Verified(payload: payload, environment: environment, original: signed)
    }

    func read<Payload: Decodable>(
        _ form: CompactForm, as type: Payload.Type, trace: Trace?
    ) throws(VerificationFailure) -> (CompactJWS, Payload) {
        do {
            let jws = try CompactJWS(form)
            trace?.passed(
                "compact form", "ES256, \(jws.hasSingleCertificate ? "one certificate" : "three certificates")",
                rule: "The JWS must have three parts of base64url. Header and payload must be JSON objects without duplicate members."
            )
            return (jws, try PayloadDecoder.decode(type, from: form.payloadMembers))
        } catch let refusal as Refusal {
            throw .refused(refusal)
        } catch let error as DecodingError {
            throw .refused(Refusal(.malformed, at: error.place, error.isMissingMember ? "The member is missing." : ""))
        } catch {
            throw .refused(Refusal(.malformed, at: "payload"))
        }
    }
}

extension Verified where Payload: SignedPayload {
    /// Creates signed data that was verified before, and that nobody can have changed since.
    ///
    /// No signature and no certificate is verified. Only data of an authenticated file may be passed.
    package init(payload: Payload, verifiedBefore original: Signed<Payload>) {
        self.init(payload: payload, environment: AppEnvironment(rawValue: payload.claims.environment), original: original)
    }
}

extension SignedPayload {
    /// Decodes the JSON of a payload that was verified before, and that nobody can have changed since.
    ///
    /// - Throws: A refusal when the JSON can't be decoded.
    package init(verifiedBefore json: [UInt8]) throws(Refusal) {
        let scanner: JSONScanner
        do { scanner = try JSONScanner(json) } catch { throw error.refusal(in: "payload") }
        self = try PayloadDecoder.decode(Self.self, from: scanner, in: "payload")
    }
}

extension CompactForm {
    /// Parses a compact JWS into its parts.
    ///
    /// - Throws: A refusal when the text is not a compact JWS.
    static func read(_ compact: String) throws(VerificationFailure) -> CompactForm {
        do { return try CompactForm(compact) } catch { throw .refused(error) }
    }
}

extension Trace {
    /// Records the step in which the payload was decoded.
    func payload(_ claims: SignedDataClaims) {
        passed(
            "payload",
            "\(claims.kind.rawValue), \(claims.environment.isEmpty ? "no environment" : "\(claims.environment.prefix(20))"), "
                + "signed \(claims.signedDate)",
            rule: "The payload must state the time of signing, and should state the environment, for which the chain is verified."
        )
    }
}

extension SignedDataVerifier {
    /// Verifies an App Store Server Notification and each JWS that is nested in it.
    ///
    /// The notification and each nested JWS carry their own signatures, and each is verified in full. A nested JWS must be for the app of
    /// the notification and from its environment.
    ///
    /// - Throws: A ``VerificationFailure`` when the notification or a nested JWS is refused, or when a verification is indeterminate.
    public func verify(_ signed: SignedNotification) async throws(VerificationFailure) -> VerifiedNotification {
        try await verify(CompactForm.read(signed.compact), signed, trace: nil)
    }

    /// Verifies a notification and each JWS that is nested in it, and returns the outcome instead of throwing a failure.
    public func outcome(of signed: SignedNotification) async -> VerificationOutcome<VerifiedNotification> {
        do { return .verified(try await verify(signed)) } catch { return VerificationOutcome(error) }
    }

    /// Verifies a notification and each JWS that is nested in it, and returns the outcome with an explanation of each step.
    public func explain(
        _ signed: SignedNotification
    ) async -> (outcome: VerificationOutcome<VerifiedNotification>, explanation: VerificationExplanation) {
        await Trace.explain { trace throws(VerificationFailure) in
            try await verify(CompactForm.read(signed.compact), signed, trace: trace)
        }
    }

    func verify(
        _ form: CompactForm, _ signed: SignedNotification, trace: Trace?
    ) async throws(VerificationFailure) -> VerifiedNotification {
        let (jws, payload) = try read(form, as: NotificationPayload.self, trace: trace)
        let claims = payload.claims
        trace?.payload(claims)
        let environment = try await verify(jws, payload, claims, signed.compact, trace: trace)
        let notification = Verified(payload: payload, environment: environment, original: signed)
        // A notification and its JWS can be of different ages, and one of them can state what the other lacks.
        let nested = assuming(environment: environment)
        switch payload.subject {
        case .data(let data):
            return VerifiedNotification(
                notification: notification,
                transaction: try await nested.verify(
                    data.signedTransactionInfo, "data.signedTransactionInfo", in: claims, environment, trace: trace),
                renewalInfo: try await nested.verify(
                    data.signedRenewalInfo, "data.signedRenewalInfo", in: claims, environment, trace: trace)
            )
        case .appData(let data):
            return VerifiedNotification(
                notification: notification,
                appTransaction: try await nested.verify(
                    data.signedAppTransactionInfo, "appData.signedAppTransactionInfo", in: claims, environment, trace: trace
                )
            )
        case .summary, .externalPurchaseToken, .unknown:
            return VerifiedNotification(notification: notification)
        }
    }

    /// Verifies a JWS that is nested in a notification; returns nil when the notification does not contain the JWS.
    ///
    /// - Parameters:
    ///   - signed: The nested JWS; nil when the notification does not contain it.
    ///   - member: The path of the nested JWS in the notification, for the place of a failure.
    ///   - outer: The claims of the notification, whose app the nested JWS must state, too.
    ///   - environment: The environment of the notification, from which the nested JWS must be, too; nil when it is unknown.
    ///   - trace: Records the steps for an explanation; nil for a verification without an explanation.
    /// - Throws: A ``VerificationFailure`` when the nested JWS is refused, or when its verification is indeterminate.
    private func verify<Payload: SignedPayload>(
        _ signed: Signed<Payload>?, _ member: String, in outer: SignedDataClaims, _ environment: AppEnvironment?, trace: Trace?
    ) async throws(VerificationFailure) -> Verified<Payload>? {
        guard let signed else { return nil }
        trace?.passed(member, "present", rule: "A nested JWS carries its own signature and is verified in full.")
        do throws(VerificationFailure) {
            let verified = try await verify(CompactForm.read(signed.compact), signed, trace: trace)
            let inner = verified.payload.claims
            if let environment, let found = verified.environment, found != environment {
                throw .refused(Refusal(.foreignEnvironment(found.rawValue), at: inner.environmentPlace))
            }
            if let bundle = inner.bundleID, bundle != outer.bundleID {
                throw .refused(Refusal(.foreignBundle(bundle), at: "\(inner.appPlace).bundleId"))
            }
            return verified
        } catch { throw error.nested(in: member) }
    }
}

extension SignedDataVerifier {
    /// Detects the kind of signed data, such as a transaction or a notification, and verifies the data.
    public func verifyAny(_ compact: String) async -> SignedDataReport {
        await report(compact, trace: nil)
    }

    /// Detects the kind of signed data, verifies the data, and explains each step.
    ///
    /// The method verifies the certificate chain even if it is in the verified-chain cache, so it takes several times as long as
    /// ``verifyAny(_:)``.
    public func explainAny(_ compact: String) async -> SignedDataReport {
        await report(compact, trace: Trace())
    }

    private func report(_ compact: String, trace: Trace?) async -> SignedDataReport {
        var kind: SignedDataKind?
        var payload: [UInt8]?
        let outcome: VerificationOutcome<VerifiedSignedData>
        do throws(VerificationFailure) {
            let form = try CompactForm.read(compact)
            (kind, payload) = (form.kind, form.payload)
            outcome = .verified(try await verify(form, compact, trace: trace))
        } catch {
            trace?.recordFailure(error)
            outcome = VerificationOutcome(error)
        }
        let explanation = VerificationExplanation(outcome, steps: trace?.steps ?? [])
        return SignedDataReport(kind: kind, outcome: outcome, payload: payload, explanation: explanation)
    }

    private func verify(
        _ form: CompactForm, _ compact: String, trace: Trace?
    ) async throws(VerificationFailure) -> VerifiedSignedData {
        switch form.kind {
        case .transaction: .transaction(try await verify(form, SignedTransaction(compact), trace: trace))
        case .renewalInfo: .renewalInfo(try await verify(form, SignedRenewalInfo(compact), trace: trace))
        case .appTransaction: .appTransaction(try await verify(form, SignedAppTransaction(compact), trace: trace))
        case .notification: .notification(try await verify(form, SignedNotification(compact), trace: trace))
        case .realtimeRequest: .realtimeRequest(try await verify(form, SignedRealtimeRequest(compact), trace: trace))
        case .other: .other(try await verify(form, SignedOther(compact), trace: trace))
        case nil:
            throw .refused(Refusal(.malformed, at: "payload", "The payload does not have the members of a known kind of signed data."))
        }
    }
}

extension CompactForm {
    /// The kind of signed data, derived from the names of the payload's members; nil for data of no known kind.
    var kind: SignedDataKind? {
        SignedDataKind(members: Set(payloadMembers.members.map { payloadMembers.text($0.name) }))
    }
}

/// The result of verifying signed data whose kind was not known before.
public struct SignedDataReport: Sendable {
    /// The kind of the signed data; nil when the data is malformed or of no known kind.
    public let kind: SignedDataKind?
    /// The outcome of the verification.
    public let outcome: VerificationOutcome<VerifiedSignedData>
    /// The payload as JSON, in the bytes that were signed; nil when the data is malformed.
    ///
    /// The payload is authentic only when the outcome is *verified*.
    public let payload: [UInt8]?
    /// The explanation of the outcome; it contains steps only if ``SignedDataVerifier/explainAny(_:)`` created the report.
    public let explanation: VerificationExplanation
}
