import Foundation
import FoundationExtras
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import Synchronization

extension ForgeryFactory {
    /// Receipts and JWS whose certificates were revoked, or of which nobody can say.
    func revocations() async throws -> [Forgery] {
        let places = (receipt: "SignedData.certificates", jws: "header.x5c")
        let receipt = try receipt(by: revocable)
        let jws = try sign(transaction(), by: revocable)
        let requests = try await OCSPRequests(of: self, receipt: receipt, jws: SignedTransaction(jws))

        func receiptCase(
            _ name: String, _ expected: Forgery.Expectation, what: String, why: String, mode: String = "hard",
            _ change: ((inout OCSPResponder) -> Void)?
        ) throws -> Forgery {
            var files: [String: [UInt8]] = [:]
            var answers: [ForgeryManifest.Revocation.Answer] = []
            if let change {
                (answers, files) = try recorded(requests.receipt, "receipt-\(name)", of: receiptChain(revocable), change)
            }
            var forgery = try Forgery.receipt(
                name, expected, what: what, why: why
            ) { receipt }.withVerification { ($0.time, $0.revocation) = (Self.now.description, .init(mode: mode, answers: answers)) }
            forgery.furtherFiles = files
            return forgery
        }
        func jwsCase(
            _ name: String, _ expected: Forgery.Expectation, what: String, why: String, _ change: ((inout OCSPResponder) -> Void)?
        ) throws -> Forgery {
            var files: [String: [UInt8]] = [:]
            var answers: [ForgeryManifest.Revocation.Answer] = []
            if let change { (answers, files) = try recorded(requests.jws, "jws-\(name)", of: signedDataChain(revocable), change) }
            var forgery = try Forgery.jws(
                name, .transaction, expected, what: what, why: why
            ) { jws }.withVerification { ($0.time, $0.revocation) = (Self.now.description, .init(mode: "hard", answers: answers)) }
            forgery.furtherFiles = files
            return forgery
        }
        let revoked = CertificateStatus.revoked(at: Self.now.adding(days: -1), reason: .keyCompromise)
        return [
            try receiptCase(
                "genuine-not-revoked", .verified, what: "The certificates name a responder, which has the status good for each.",
                why: "The counterpart of the revoked certificates."
            ) { _ in },
            try receiptCase(
                "revoked-leaf", .refused(.revoked, at: "\(places.receipt)[0]"),
                what: "The leaf was revoked the day before, because its key was stolen.",
                why: "An attacker with a stolen key can sign and backdate any data."
            ) { $0.statuses[.receiptLeaf] = revoked },
            try receiptCase(
                "revoked-intermediate", .refused(.revoked, at: "\(places.receipt)[1]"),
                what: "The intermediate was revoked, and the leaf was not.",
                why: "An attacker with the intermediate's key can issue leaves that are not revoked."
            ) { $0.statuses[.receiptIntermediate] = revoked },
            try receiptCase(
                "revocation-unanswered", .indeterminate(.responderUnreachable, at: "\(places.receipt)[0]"),
                what: "The responder does not respond for the leaf.",
                why: "A failing responder must neither verify forgeries nor refuse customers. The result is indeterminate.", nil
            ),
            try .receipt(
                "revocation-certificate-expired", .indeterminate(.certificateExpired, at: "\(places.receipt)[0]"),
                what: "The leaf has expired at the verifier's date, but was valid when it signed.",
                why: "Responders drop expired certificates, so that the absence of a revocation proves nothing."
            ) { receipt }.withVerification {
                $0.time = Self.now.adding(days: 30 * 365).description
                $0.revocation = .init(mode: "hard", answers: [])
            },
            try .receipt(
                "changed-and-unanswered", .refused(.signature, at: "SignerInfo.signature"),
                what: "A product was replaced after signing, and the responder does not respond for the leaf.",
                why: "A forgery is refused without a revocation status. An indeterminate result would invite retries."
            ) { receipt.replacing("credits5", with: "credits9") }.withVerification {
                ($0.time, $0.revocation) = (Self.now.description, .init(mode: "hard", answers: []))
            },
            try receiptCase(
                "genuine-revocation-unanswered", .verified, what: "The responder does not respond, and the revocation mode is soft.",
                why: "Apple's responder has been unavailable for hours. The soft mode accepts a missing status.", mode: "soft", nil
            ),
            try receiptCase(
                "revocation-strangers-answer", .indeterminate(.responseInvalid, at: "\(places.receipt)[0]"),
                what: "A foreign responder, whose certificate names the issuer, has the status good for each certificate.",
                why: "OCSP is not encrypted, so that an attacker in the network can respond."
            ) { $0.anomalies.insert(.unknownResponder) },
            try receiptCase(
                "revocation-stale-answer", .indeterminate(.responseInvalid, at: "\(places.receipt)[0]"),
                what: "The response is genuine and has the status good, but expired yesterday.",
                why: "An attacker can replay a response from before the theft of the key."
            ) { $0.anomalies.insert(.stale) },
            try receiptCase(
                "revocation-unknown", .indeterminate(.responderFailed, at: "\(places.receipt)[0]"),
                what: "The responder has the status unknown for the leaf.",
                why: "Unknown is not good: forged certificates have the status unknown, too."
            ) { $0.statuses[.receiptLeaf] = .unknown },
            try jwsCase(
                "genuine-not-revoked", .verified, what: "The certificates name a responder, which has the status good for each.",
                why: "The counterpart of the revoked certificate."
            ) { _ in },
            try jwsCase(
                "revoked-leaf", .refused(.revoked, at: "\(places.jws)[0]"),
                what: "The leaf was revoked the day before, because its key was stolen.",
                why: "An attacker with a stolen key can sign and backdate any data."
            ) { $0.statuses[.signedDataLeaf] = revoked },
            try jwsCase(
                "revocation-unanswered", .indeterminate(.responderUnreachable, at: "\(places.jws)[0]"),
                what: "The responder does not respond for the leaf.",
                why: "A failing responder must neither verify forgeries nor refuse customers. The result is indeterminate.", nil
            ),
            try .jws(
                "revocation-no-responder", .transaction, .indeterminate(.noResponder, at: "\(places.jws)[0]"),
                what: "The leaf names no responder.", why: "Omitting the responder must not bypass the revocation check."
            ) { try sign(transaction()) }.withVerification {
                ($0.time, $0.revocation) = (Self.now.description, .init(mode: "hard", answers: []))
            },
        ]
    }

    /// The answers to the questions about leaf and intermediate, and the files that hold them.
    private func recorded(
        _ requests: [[UInt8]], _ name: String, of chain: [[UInt8]], _ change: (inout OCSPResponder) -> Void
    ) throws -> (answers: [ForgeryManifest.Revocation.Answer], files: [String: [UInt8]]) {
        var responder = try OCSPResponder(authority: revocable)
        // What is recorded can't repeat the number of a later question.
        responder.anomalies = .noNonce
        change(&responder)
        var answers: [ForgeryManifest.Revocation.Answer] = []
        var files: [String: [UInt8]] = [:]
        for (request, (certificate, role)) in zip(requests, zip(chain, ["leaf", "intermediate"])) {
            let file = "ocsp/\(name)-\(role).der"
            let serial = Hexadecimal.encode(try issuerAndSerial(of: certificate).serial)
            answers.append(.init(serial: serial, file: file))
            files[file] = try responder.respond(to: request, at: Self.now)
        }
        return (answers, files)
    }
}

/// What a verifier asks about the certificates of a receipt and of a JWS: leaf first, then intermediate.
private struct OCSPRequests {
    let receipt: [[UInt8]]
    let jws: [[UInt8]]

    init(of factory: ForgeryFactory, receipt: [UInt8], jws: SignedTransaction) async throws {
        let roots = try TrustedRoots.apple(and: factory.store.rootsPEM, in: [.sandbox])
        let (first, second) = try (RecordingTransport(factory.revocable), RecordingTransport(factory.revocable))
        let clock = ManualClock(ForgeryFactory.now)
        _ = try await ReceiptVerifier(
            roots: roots, revocation: .hard(RevocationChecker(transport: first, clock: clock)), BundleCheck(.test)
        ).verify(receipt)
        _ = try await SignedDataVerifier(
            roots: roots, revocation: .hard(RevocationChecker(transport: second, clock: clock)), BundleCheck(.test)
        ).verify(jws)
        (self.receipt, self.jws) = (first.requests.withLock { $0 }, second.requests.withLock { $0 })
    }
}

/// Answers questions and keeps them.
private final class RecordingTransport: OCSPTransport {
    let requests = Mutex<[[UInt8]]>([])
    private let responder: OCSPResponder

    init(_ authority: CertificateAuthority) throws {
        responder = try OCSPResponder(authority: authority)
    }

    func response(to request: [UInt8], from address: String) async throws -> [UInt8] {
        requests.withLock { $0.append(request) }
        return try responder.respond(to: request, at: ForgeryFactory.now)
    }
}
