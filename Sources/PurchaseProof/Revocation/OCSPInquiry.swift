import PurchaseModel
import SwiftASN1
@_spi(DisableValidityCheck) @_spi(FixedExpiryValidationTime) import X509

/// Asks about the certificates of one chain, once.
///
/// The certificate library asks and judges the answers, but it only says yes or no, and its no has many reasons. It has a strict
/// mode, in which a yes means that every answer was good (or that nobody answered, which the recorder sees), and a lenient one,
/// in which a no means that a certificate was revoked and nothing else. So the strict one is asked first. Where its no comes with
/// an answer that *reads* "revoked", the lenient one is asked whether that is to be believed, with questions of its own, because
/// answers repeat a number that is drawn for each question. Every other no is a doubt, whose reason is read off the record.
struct OCSPInquiry {
    /// What is asked about; not alone.
    let chain: ProvenChain
    let transport: any OCSPTransport
    /// The current time.
    let now: Timestamp
    /// How long an answer is believed at most, in seconds.
    let maximumAge: Int64

    /// How far in the future an answer may begin, in seconds, for clocks that differ; the library allows 75 minutes.
    private static let skew: Int64 = 300

    /// Asks.
    func run() async -> RevocationFinding {
        for (index, certificate) in chain.certificates.dropLast().enumerated() where !namesResponder(certificate) {
            return .doubt(.noResponder, index: index)
        }
        // The library says no to a chain with such a root, in either mode.
        if let root = chain.certificates.last, namesResponder(root) { return .doubt(.noResponder, index: chain.certificates.count - 1) }

        let recorder = OCSPRecorder(transport)
        let isAccepted = await ask(.hard, recorder)
        let exchanges = recorder.exchanges
        if let last = exchanges.last, !isAccepted, isRevoked(last) {
            let second = OCSPRecorder(transport)
            if await !ask(.soft, second) { return .revoked(index: second.exchanges.count - 1) }
            if let silent = second.exchanges.firstIndex(where: { $0.answer == nil }) { return .doubt(.responderUnreachable, index: silent) }
            return .doubt(.responderNotBelieved, index: exchanges.count - 1)
        }
        if let silent = exchanges.firstIndex(where: { $0.answer == nil }) { return .doubt(.responderUnreachable, index: silent) }
        guard isAccepted, exchanges.count == chain.certificates.count - 1 else {
            return .doubt(exchanges.last.map(reason) ?? .responderNotBelieved, index: max(exchanges.count - 1, 0))
        }
        var until = now.adding(seconds: maximumAge)
        for (index, exchange) in exchanges.enumerated() {
            guard case .status(.good, let thisUpdate, let nextUpdate?)? = reading(exchange), thisUpdate <= now.adding(seconds: Self.skew),
                nextUpdate > now
            else { return .doubt(.responderNotBelieved, index: index) }
            until = min(until, nextUpdate)
        }
        return .good(until: until)
    }

    /// Whether the library accepts what it is answered.
    private func ask(_ mode: OCSPFailureMode, _ recorder: OCSPRecorder) async -> Bool {
        guard let leaf = chain.certificates.first, let root = chain.certificates.last else { return false }
        var verifier = Verifier(rootCertificates: CertificateStore([root])) {
            // The chain is proven; this is here to know its critical extensions.
            RFC5280Policy.withValidityCheckDisabled()
            OCSPVerifierPolicy(failureMode: mode, requester: recorder, fixedExpiryValidationTime: now.date)
        }
        let others = CertificateStore(chain.certificates.dropFirst().dropLast())
        if case .validCertificate = await verifier.validate(leaf: leaf, intermediates: others) { return true }
        return false
    }

    private func namesResponder(_ certificate: Certificate) -> Bool {
        guard let access = try? certificate.extensions.authorityInformationAccess else { return false }
        return access.contains { description in
            guard description.method == .ocspServer, case .uniformResourceIdentifier = description.location else { return false }
            return true
        }
    }

    private func reading(_ exchange: OCSPRecorder.Exchange) -> OCSPReading? {
        exchange.answer.flatMap { OCSPReading($0, to: exchange.request) }
    }

    private func isRevoked(_ exchange: OCSPRecorder.Exchange) -> Bool {
        if case .status(.revoked, _, _)? = reading(exchange) { true } else { false }
    }

    /// Why an answer that is not good was not accepted.
    private func reason(_ exchange: OCSPRecorder.Exchange) -> Doubt.Reason {
        switch reading(exchange) {
        case .refusal, .status(.unknown, _, _): .responderFailed
        case .status(.good, _, _), .status(.revoked, _, _), nil: .responderNotBelieved
        }
    }
}
