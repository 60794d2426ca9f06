import Foundation
import PurchaseModel
import SwiftASN1
import Synchronization
import X509

/// Requests the revocation status of the certificates of one chain.
///
/// The certificate library sends the requests and verifies the responses. It only accepts or rejects the chain, and a rejection has
/// many causes. In hard mode, the library accepts the chain when every response is good, or when no responder responds, which the
/// recorder shows. In soft mode, the library rejects the chain only when a certificate is revoked.
///
/// The first attempt uses hard mode. When the library rejects a response that *reads* "revoked", a second attempt in soft mode
/// verifies the status. It sends new requests, because a response repeats the nonce of its request. After every other rejection the
/// status is unavailable, and the recorded response shows the reason.
struct OCSPStatusRequest {
    /// The chain, which has an issuer for its leaf.
    let chain: VerifiedChain
    let transport: any OCSPTransport
    /// The current time.
    let now: Timestamp
    /// The maximum age of a response in seconds.
    let maximumAge: Int64

    /// The tolerance for a response that begins in the future, in seconds, because clocks differ; the library allows 75 minutes.
    private static let skew: Int64 = 300

    /// Sends the requests.
    func run() async -> RevocationStatus {
        for (index, certificate) in chain.certificates.dropLast().enumerated() where !namesResponder(certificate) {
            return .unavailable(.noResponder, index: index)
        }
        // The library rejects a chain with such a root in both modes.
        if let root = chain.certificates.last, namesResponder(root) {
            return .unavailable(.noResponder, index: chain.certificates.count - 1)
        }

        let recorder = OCSPRecorder(transport)
        let isAccepted = await accepts(.hard, recorder)
        let exchanges = recorder.exchanges
        if let last = exchanges.last, !isAccepted, isRevoked(last) {
            let second = OCSPRecorder(transport)
            if await !accepts(.soft, second) { return .revoked(index: second.exchanges.count - 1) }
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

    /// Whether the library accepts the chain with the responses that it gets.
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

    /// The reason for rejecting a response whose status is not good.
    private func reason(_ exchange: OCSPRecorder.Exchange) -> Indeterminacy.Reason {
        switch response(exchange) {
        case .error, .status(.unknown, _, _): .responderFailed
        case .status(.good, _, _), .status(.revoked, _, _), nil: .responseInvalid
        }
    }
}

/// Sends the certificate library's requests by a transport and records requests and responses.
final class OCSPRecorder: OCSPRequester {
    /// A request and its response; nil when there was none.
    struct Exchange: Sendable {
        let request: [UInt8]
        let response: [UInt8]?
    }

    private let transport: any OCSPTransport
    private let recorded = Mutex<[Exchange]>([])

    init(_ transport: any OCSPTransport) {
        self.transport = transport
    }

    /// One for each requested certificate, the leaf first.
    var exchanges: [Exchange] { recorded.withLock { $0 } }

    func query(request: [UInt8], uri: String) async -> OCSPRequesterQueryResult {
        do {
            let response = try await transport.response(to: request, from: uri)
            // A response that is too long is not parsed, and therefore invalid.
            let accepted = response.count <= RevocationChecker.maximumResponse ? response : []
            recorded.withLock { $0.append(Exchange(request: request, response: accepted)) }
            return .response(accepted)
        } catch {
            recorded.withLock { $0.append(Exchange(request: request, response: nil)) }
            // The library then continues as if the response were good. The record shows that there was no response.
            return .nonTerminalError(error)
        }
    }
}

/// The content of an OCSP response (RFC 6960, 4.2.1), for the fields that the certificate library does not expose.
///
/// The parser does not verify the signature. It reads the validity of a response that the library has accepted, and the reason for a
/// rejection.
enum OCSPResponse: Equatable {
    /// The responder returns an error.
    case error
    /// The status of the requested certificate.
    case status(Status, thisUpdate: Timestamp, nextUpdate: Timestamp?)

    /// The status of a certificate.
    enum Status: UInt {
        case good = 0
        case revoked = 1
        case unknown = 2
    }

    /// Parses a response; nil when it is malformed or contains no status for the request.
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

    /// The statuses of a BasicOCSPResponse.
    private static func singles(_ basic: ASN1Node) throws -> [Single] {
        try DER.sequence(basic, identifier: .sequence) { fields in
            let data = try fields.next() ?? missing()
            while fields.next() != nil {}
            return try DER.sequence(data, identifier: .sequence) { fields in
                // Only the list has this tag: not the version, responder and date before it, nor the extensions after it.
                var singles: [Single] = []
                while let field = fields.next() {
                    if field.identifier == .sequence { singles = try DER.sequence(of: Single.self, identifier: .sequence, rootNode: field) }
                }
                return singles
            }
        }
    }

    /// The certificate of a request.
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
        throw ASN1Error.invalidASN1Object(reason: "A field is missing.")
    }

    /// A CertID: issuer and serial number, as digests.
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

    /// A SingleResponse.
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
