import Foundation
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import Synchronization

extension Workshop {
    /// Receipts and JWS whose certificates were revoked, or of which nobody can say.
    func revocations() async throws -> [Forgery] {
        let places = (receipt: "SignedData.certificates", jws: "header.x5c")
        let receipt = try receipt(by: revocable)
        let jws = try sign(transaction(), by: revocable)
        let questions = try await Questions(of: self, receipt: receipt, jws: SignedTransaction(jws))

        func receiptCase(
            _ name: String, _ expected: Forgery.Expectation, what: String, why: String, mode: String = "hard",
            _ change: ((inout OCSPResponder) -> Void)?
        ) throws -> Forgery {
            var files: [String: [UInt8]] = [:]
            var answers: [ForgeryManifest.Revocation.Answer] = []
            if let change {
                (answers, files) = try recorded(questions.receipt, "receipt-\(name)", of: receiptChain(revocable), change)
            }
            var forgery = try Forgery.receipt(
                name, expected, what: what, why: why
            ) { receipt }.asking { ($0.time, $0.revocation) = (Self.now.description, .init(mode: mode, answers: answers)) }
            forgery.furtherFiles = files
            return forgery
        }
        func jwsCase(
            _ name: String, _ expected: Forgery.Expectation, what: String, why: String, _ change: ((inout OCSPResponder) -> Void)?
        ) throws -> Forgery {
            var files: [String: [UInt8]] = [:]
            var answers: [ForgeryManifest.Revocation.Answer] = []
            if let change { (answers, files) = try recorded(questions.jws, "jws-\(name)", of: signedDataChain(revocable), change) }
            var forgery = try Forgery.jws(
                name, .transaction, expected, what: what, why: why
            ) { jws }.asking { ($0.time, $0.revocation) = (Self.now.description, .init(mode: "hard", answers: answers)) }
            forgery.furtherFiles = files
            return forgery
        }
        let revoked = CertificateStatus.revoked(at: Self.now.adding(days: -1), reason: .keyCompromise)
        return [
            try receiptCase(
                "genuine-not-revoked", .verified, what: "Certificates name a responder, which says that they were not revoked.",
                why: "The twin of the revoked ones."
            ) { _ in },
            try receiptCase(
                "revoked-leaf", .refused(.revoked, at: "\(places.receipt)[0]"),
                what: "The leaf was revoked the day before, its key was stolen.",
                why: "The thief signs what he likes, and dates it back as he likes."
            ) { $0.statuses[.receiptLeaf] = revoked },
            try receiptCase(
                "revoked-intermediate", .refused(.revoked, at: "\(places.receipt)[1]"),
                what: "The intermediate was revoked; the leaf was not.",
                why: "Whoever has the intermediate's key makes leaves, for which the responder knows nothing bad."
            ) { $0.statuses[.receiptIntermediate] = revoked },
            try receiptCase(
                "revocation-unanswered", .indeterminate(.responderUnreachable, at: "\(places.receipt)[0]"),
                what: "Nobody answers about the leaf.",
                why: "A failing responder must not make forgeries good, nor customers thieves: the result is indeterminate.", nil
            ),
            try .receipt(
                "revocation-certificate-expired", .indeterminate(.certificateExpired, at: "\(places.receipt)[0]"),
                what: "The leaf has expired by the verifier's clock, though not when it signed.",
                why: "Responders forget what has expired: that it is not on their list says nothing any more."
            ) { receipt }.asking {
                $0.time = Self.now.adding(days: 30 * 365).description
                $0.revocation = .init(mode: "hard", answers: [])
            },
            try .receipt(
                "changed-and-unanswered", .refused(.signature, at: "SignerInfo.signature"),
                what: "A product was replaced after signing, and nobody answers about the leaf.",
                why: "What is forged is forged, whether or not anybody answers; unknown would be an invitation to try again."
            ) { receipt.replacing("credits5", with: "credits9") }.asking {
                ($0.time, $0.revocation) = (Self.now.description, .init(mode: "hard", answers: []))
            },
            try receiptCase(
                "genuine-revocation-unanswered", .verified, what: "The same, where an answer is wanted and not demanded.",
                why: "Apple's responder has failed for hours; who can't afford that asks softly.", mode: "soft", nil
            ),
            try receiptCase(
                "revocation-strangers-answer", .indeterminate(.responseInvalid, at: "\(places.receipt)[0]"),
                what: "A stranger, whose certificate claims to be appointed by the issuer, says that nothing was revoked.",
                why: "OCSP travels without encryption: whoever sits on the line can answer."
            ) { $0.anomalies.insert(.strangersSignature) },
            try receiptCase(
                "revocation-stale-answer", .indeterminate(.responseInvalid, at: "\(places.receipt)[0]"),
                what: "The answer is genuine and says not revoked; it ended yesterday.",
                why: "Answers from before the theft are kept and shown again."
            ) { $0.anomalies.insert(.stale) },
            try receiptCase(
                "revocation-unknown", .indeterminate(.responderFailed, at: "\(places.receipt)[0]"),
                what: "The responder does not know the leaf.",
                why: "Unknown is not good; forged certificates are unknown to everybody."
            ) { $0.statuses[.receiptLeaf] = .unknown },
            try jwsCase(
                "genuine-not-revoked", .verified, what: "Certificates name a responder, which says that they were not revoked.",
                why: "The twin of the revoked one."
            ) { _ in },
            try jwsCase(
                "revoked-leaf", .refused(.revoked, at: "\(places.jws)[0]"),
                what: "The leaf was revoked the day before, its key was stolen.",
                why: "The thief signs what he likes, and dates it back as he likes."
            ) { $0.statuses[.signedDataLeaf] = revoked },
            try jwsCase(
                "revocation-unanswered", .indeterminate(.responderUnreachable, at: "\(places.jws)[0]"),
                what: "Nobody answers about the leaf.",
                why: "A failing responder must not make forgeries good, nor customers thieves: the result is indeterminate.", nil
            ),
            try .jws(
                "revocation-no-responder", .transaction, .indeterminate(.noResponder, at: "\(places.jws)[0]"),
                what: "The leaf names nobody who could be asked.", why: "Leaving the address out must not be a way around the question."
            ) { try sign(transaction()) }.asking { ($0.time, $0.revocation) = (Self.now.description, .init(mode: "hard", answers: [])) },
        ]
    }

    /// The answers to the questions about leaf and intermediate, and the files that hold them.
    private func recorded(
        _ questions: [[UInt8]], _ name: String, of chain: [[UInt8]], _ change: (inout OCSPResponder) -> Void
    ) throws -> (answers: [ForgeryManifest.Revocation.Answer], files: [String: [UInt8]]) {
        var responder = try OCSPResponder(authority: revocable)
        // What is recorded can't repeat the number of a later question.
        responder.anomalies = .noNonce
        change(&responder)
        var answers: [ForgeryManifest.Revocation.Answer] = []
        var files: [String: [UInt8]] = [:]
        for (question, (certificate, role)) in zip(questions, zip(chain, ["leaf", "intermediate"])) {
            let file = "ocsp/\(name)-\(role).der"
            let serial = try issuerAndSerial(of: certificate).serial.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            answers.append(.init(serial: serial, file: file))
            files[file] = try responder.respond(to: question, at: Self.now)
        }
        return (answers, files)
    }
}

/// What a verifier asks about the certificates of a receipt and of a JWS: leaf first, then intermediate.
private struct Questions {
    let receipt: [[UInt8]]
    let jws: [[UInt8]]

    init(of workshop: Workshop, receipt: [UInt8], jws: SignedTransaction) async throws {
        let roots = try TrustedRoots.apple(and: workshop.store.rootsPEM, in: [.sandbox])
        let (first, second) = try (Recorder(workshop.revocable), Recorder(workshop.revocable))
        let clock = ManualClock(Workshop.now)
        _ = try await ReceiptVerifier(
            roots: roots, revocation: .hard(RevocationChecker(transport: first, clock: clock)), BundleCheck(.test)
        ).verify(receipt)
        _ = try await SignedDataVerifier(
            roots: roots, revocation: .hard(RevocationChecker(transport: second, clock: clock)), BundleCheck(.test)
        ).verify(jws)
        (self.receipt, self.jws) = (first.questions.withLock { $0 }, second.questions.withLock { $0 })
    }
}

/// Answers questions and keeps them.
private final class Recorder: OCSPTransport {
    let questions = Mutex<[[UInt8]]>([])
    private let responder: OCSPResponder

    init(_ authority: CertificateAuthority) throws {
        responder = try OCSPResponder(authority: authority)
    }

    func response(to request: [UInt8], from address: String) async throws -> [UInt8] {
        questions.withLock { $0.append(request) }
        return try responder.respond(to: request, at: Workshop.now)
    }
}
