import Foundation
import PurchaseModel
import SwiftASN1
import Synchronization
import X509

/// Requests the revocation status of the certificates of one chain.
///
/// swift-certificates creates the requests and verifies the responses. It accepts or rejects the chain, without a reason. In its hard mode,
/// it accepts the chain when every certificate is good, or when no responder responds; ``OCSPRecorder`` shows whether one responded. In its
/// soft mode, it rejects the chain only when a certificate is revoked.
///
/// The first attempt uses the hard mode. If swift-certificates rejects the chain, and the last response states that a certificate is
/// revoked, a second attempt in the soft mode verifies that response. The second attempt sends new requests, because a response is valid
/// only for the nonce of its request. After any other rejection, the status is unavailable, and the recorded response shows the reason.
struct OCSPStatusRequest {
    /// The chain whose status is requested; it has at least two certificates.
    let chain: VerifiedChain
    let transport: any OCSPTransport
    /// The time with which the validity of responses is compared.
    let now: Timestamp
    /// The maximum time in seconds for which a good status is used.
    let maximumAge: Int64

    /// The time in seconds by which the clock of a responder may be ahead; swift-certificates itself allows 75 minutes.
    private static let skew: Int64 = 300

    /// Requests the status of the leaf and of the intermediate, and returns the status of the chain.
    func run() async -> RevocationStatus {
        for (index, certificate) in chain.certificates.dropLast().enumerated() where !namesResponder(certificate) {
            return .unavailable(.noResponder, index: index)
        }
        // swift-certificates rejects a chain whose root names a responder in both modes, whatever the status of the other certificates.
        if let root = chain.certificates.last, namesResponder(root) {
            return .unavailable(.noResponder, index: chain.certificates.count - 1)
        }

        let recorder = OCSPRecorder(transport)
        let isAccepted = await accepts(.hard, recorder)
        let exchanges = recorder.exchanges
        if let last = exchanges.last, !isAccepted, isRevoked(last) {
            let second = OCSPRecorder(transport)
            if await !accepts(.soft, second), let index = second.exchanges.indices.last { return .revoked(index: index) }
            if let silent = second.exchanges.firstIndex(where: { $0.response == nil }) {
                return .unavailable(.responderUnreachable, index: silent)
            }
            return .unavailable(.responseInvalid, index: exchanges.count - 1)
        }
        if let silent = exchanges.firstIndex(where: { $0.response == nil }) { return .unavailable(.responderUnreachable, index: silent) }
        guard isAccepted, exchanges.count == chain.certificates.count - 1 else {
            return .unavailable(exchanges.last.map(reason) ?? .responseInvalid, index: max(exchanges.count - 1, 0))
        }
        var until = now.adding(seconds: maximumAge)
        for (index, exchange) in exchanges.enumerated() {
            guard case .status(.good, let thisUpdate, let nextUpdate?)? = response(exchange), thisUpdate <= now.adding(seconds: Self.skew),
                nextUpdate > now
            else { return .unavailable(.responseInvalid, index: index) }
            until = min(until, nextUpdate)
        }
        return .good(until: until)
    }

    /// Returns whether swift-certificates accepts the chain with the OCSP responses that it receives in the given mode.
    private func accepts(_ mode: OCSPFailureMode, _ recorder: OCSPRecorder) async -> Bool {
        guard let leaf = chain.certificates.first, let root = chain.certificates.last else { return false }
        var verifier = Verifier(rootCertificates: CertificateStore([root])) {
            VerifiedChainPolicy()
            OCSPVerifierPolicy.at(now, failureMode: mode, requester: recorder)
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

    private func response(_ exchange: OCSPRecorder.Exchange) -> OCSPResponse? {
        exchange.response.flatMap { OCSPResponse($0, to: exchange.request) }
    }

    private func isRevoked(_ exchange: OCSPRecorder.Exchange) -> Bool {
        if case .status(.revoked, _, _)? = response(exchange) { true } else { false }
    }

    /// Returns the reason for which a response that was rejected leaves the status unavailable.
    private func reason(_ exchange: OCSPRecorder.Exchange) -> Indeterminacy.Reason {
        switch response(exchange) {
        case .error, .status(.unknown, _, _): .responderFailed
        case .status(.good, _, _), .status(.revoked, _, _), nil: .responseInvalid
        }
    }
}

/// Sends the OCSP requests of swift-certificates through a transport, and records the requests and responses.
final class OCSPRecorder: OCSPRequester {
    /// An OCSP request and its response in DER; the response is nil when the responder did not respond.
    struct Exchange: Sendable {
        let request: [UInt8]
        let response: [UInt8]?
    }

    private let transport: any OCSPTransport
    private let recorded = Mutex<[Exchange]>([])

    init(_ transport: any OCSPTransport) {
        self.transport = transport
    }

    /// The requests in the order in which they were sent, with their responses: one for each certificate, beginning with the leaf.
    var exchanges: [Exchange] { recorded.withLock { $0 } }

    func query(request: [UInt8], uri: String) async -> OCSPRequesterQueryResult {
        do {
            let response = try await transport.response(to: request, from: uri)
            // A response that is too long is replaced with an empty response, which is invalid.
            let accepted = response.count <= RevocationChecker.maximumResponse ? response : []
            recorded.withLock { $0.append(Exchange(request: request, response: accepted)) }
            return .response(accepted)
        } catch {
            recorded.withLock { $0.append(Exchange(request: request, response: nil)) }
            // swift-certificates then continues as if the certificate were good. The record shows that the responder did not respond.
            return .nonTerminalError(error)
        }
    }
}

/// The content of an OCSP response (RFC 6960, 4.2.1) that swift-certificates does not expose.
///
/// The parser does not verify the signature of the response. Its callers read the validity of a response that swift-certificates has
/// accepted, and the reason for which it rejected a response.
enum OCSPResponse: Equatable {
    /// The responder returned an error instead of a status.
    case error
    /// The status of the requested certificate, and the period in which the status is valid; `nextUpdate` is nil for an open end.
    case status(Status, thisUpdate: Timestamp, nextUpdate: Timestamp?)

    /// The revocation status of a certificate in an OCSP response.
    enum Status: UInt {
        case good = 0
        case revoked = 1
        case unknown = 2
    }

    /// Parses an OCSP response; nil when it is malformed, or contains no status for the first certificate of the request.
    init?(_ response: [UInt8], to request: [UInt8]) {
        guard let response = try? Self.parse(response, to: request) else { return nil }
        self = response
    }

    private static func parse(_ response: [UInt8], to request: [UInt8]) throws -> OCSPResponse? {
        let (code, bytes) = try DER.sequence(DER.parse(response), identifier: .sequence) { fields in
            let code = try Int(derEncoded: fields.next() ?? missing(), withIdentifier: .enumerated)
            let bytes = try DER.optionalExplicitlyTagged(&fields, tagNumber: 0, tagClass: .contextSpecific) { node in
                try DER.sequence(node, identifier: .sequence) { fields in
                    _ = fields.next()
                    return try ASN1OctetString(derEncoded: &fields).bytes
                }
            }
            return (code, bytes)
        }
        guard code == 0 else { return .error }
        guard let bytes else { return nil }
        let requested = try subject(of: request)
        for single in try singles(DER.parse(bytes)) where single.subject == requested { return single.response }
        return nil
    }

    /// Returns the statuses that a BasicOCSPResponse contains, each with its certificate.
    private static func singles(_ basic: ASN1Node) throws -> [Single] {
        try DER.sequence(basic, identifier: .sequence) { fields in
            let data = try fields.next() ?? missing()
            while fields.next() != nil {}
            return try DER.sequence(data, identifier: .sequence) { fields in
                // The list of statuses is the only field with the tag of a SEQUENCE. The version, the responder, the date and the
                // extensions have other tags.
                var singles: [Single] = []
                while let field = fields.next() {
                    if field.identifier == .sequence { singles = try DER.sequence(of: Single.self, identifier: .sequence, rootNode: field) }
                }
                return singles
            }
        }
    }

    /// Returns the identifier of the first certificate in an OCSP request.
    private static func subject(of request: [UInt8]) throws -> Subject {
        try DER.sequence(DER.parse(request), identifier: .sequence) { fields in
            let signed = try fields.next() ?? missing()
            while fields.next() != nil {}
            return try DER.sequence(signed, identifier: .sequence) { fields in
                var list: ASN1Node?
                while let field = fields.next() { if field.identifier == .sequence { list = field } }
                guard case .constructed(let requests)? = list?.content, let first = requests.first(where: { _ in true }) else {
                    return try missing()
                }
                return try DER.sequence(first, identifier: .sequence) { fields in
                    let subject = try Subject(derEncoded: fields.next() ?? missing())
                    while fields.next() != nil {}
                    return subject
                }
            }
        }
    }

    private static func timestamp(_ time: GeneralizedTime) throws -> Timestamp {
        let components = DateComponents(
            timeZone: .gmt, year: time.year, month: time.month, day: time.day, hour: time.hours, minute: time.minutes, second: time.seconds
        )
        return try Timestamp(Calendar(identifier: .gregorian).date(from: components) ?? missing())
    }

    private static func missing<Part>() throws -> Part {
        throw ASN1Error.invalidASN1Object(reason: "A required field of the OCSP request or response is missing.")
    }

    /// The identifier of a certificate in OCSP (CertID): digests of the issuer's name and key, and the serial number.
    private struct Subject: Equatable {
        let digest: ASN1ObjectIdentifier
        let name: ArraySlice<UInt8>
        let key: ArraySlice<UInt8>
        let serial: ArraySlice<UInt8>

        init(derEncoded node: ASN1Node) throws {
            self = try DER.sequence(node, identifier: .sequence) { fields in
                let digest = try DER.sequence(fields.next() ?? missing(), identifier: .sequence) { fields in
                    let digest = try ASN1ObjectIdentifier(derEncoded: &fields)
                    while fields.next() != nil {}
                    return digest
                }
                return try Subject(
                    digest: digest, name: ASN1OctetString(derEncoded: &fields).bytes, key: ASN1OctetString(derEncoded: &fields).bytes,
                    serial: ArraySlice<UInt8>(derEncoded: &fields)
                )
            }
        }

        private init(digest: ASN1ObjectIdentifier, name: ArraySlice<UInt8>, key: ArraySlice<UInt8>, serial: ArraySlice<UInt8>) {
            (self.digest, self.name, self.key, self.serial) = (digest, name, key, serial)
        }
    }

    /// The status of one certificate in an OCSP response (SingleResponse).
    private struct Single: DERParseable {
        let subject: Subject
        let response: OCSPResponse

        init(derEncoded node: ASN1Node) throws {
            (subject, response) = try DER.sequence(node, identifier: .sequence) { fields in
                let subject = try Subject(derEncoded: fields.next() ?? missing())
                let tag: ASN1Identifier = try (fields.next() ?? missing()).identifier
                guard tag.tagClass == .contextSpecific, let status = Status(rawValue: tag.tagNumber) else { return try missing() }
                let thisUpdate = try GeneralizedTime(derEncoded: &fields)
                let nextUpdate = try DER.optionalExplicitlyTagged(&fields, tagNumber: 0, tagClass: .contextSpecific) { node in
                    try GeneralizedTime(derEncoded: node)
                }
                while fields.next() != nil {}
                return try (subject, .status(status, thisUpdate: timestamp(thisUpdate), nextUpdate: nextUpdate.map(timestamp)))
            }
        }
    }
}
