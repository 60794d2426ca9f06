import Crypto
import Foundation
package import PurchaseModel

extension PromotionalOffer {
    /// Says what is wrong with a signature of this offer; nothing when all is well.
    ///
    /// When the signature does not fit, the usual mistakes are tried until one fits, which is then named. Cost: up to 6,000
    /// signature checks, a fifth of a second.
    package func check(_ signature: String, with key: BackendPublicKey, now: Timestamp) -> [SigningFinding] {
        var findings: [SigningFinding] = []
        if let id = key.id, id != keyID { findings.append(.wrongKeyID(keyID)) }
        if IdentifierText.uuid(nonce) == nil { findings.append(.wrong(Field.nonce.rawValue)) }
        findings += dateFindings(now: now)
        guard let read = Self.read(signature) else { return findings + [.malformed("signature")] }
        findings += read.findings
        if !key.signed(text.utf8, read.signature) { findings += mistakes(read.signature, key) }
        return findings
    }

    /// In seconds, every timestamp of this century is below this; in milliseconds, none since 1973 is.
    private static let secondsBelow: Int64 = 100_000_000_000

    private func dateFindings(now: Timestamp) -> [SigningFinding] {
        guard timestamp >= Self.secondsBelow else { return [.seconds(Field.timestamp.rawValue)] }
        let signed = Timestamp(milliseconds: timestamp)
        let end = signed.adding(seconds: Self.lifetime)
        if end <= now { return [.expired(end)] }
        return signed > now.adding(seconds: 60) ? [.future(signed)] : []
    }

    /// Reads a signature in whichever form it comes.
    private static func read(_ text: String) -> (signature: P256.Signing.ECDSASignature, findings: [SigningFinding])? {
        var findings: [SigningFinding] = []
        guard var bytes = LooseBase64.decode(text) else { return nil }
        if Data(base64Encoded: text) == nil { findings.append(.wrongBase64("signature")) }
        if let inner = LooseBase64.decode(String(decoding: bytes, as: UTF8.self)) {
            findings.append(.doubleBase64("signature"))
            bytes = inner
        }
        if let signature = try? P256.Signing.ECDSASignature(derRepresentation: bytes) { return (signature, findings) }
        guard bytes.count == 64, let signature = try? P256.Signing.ECDSASignature(rawRepresentation: bytes) else { return nil }
        return (signature, findings + [.rawSignature])
    }

    /// The mistakes that explain a signature which does not fit.
    private func mistakes(_ signature: P256.Signing.ECDSASignature, _ key: BackendPublicKey) -> [SigningFinding] {
        if key.signed(SHA256.hash(data: Data(text.utf8)), signature) { return [.otherText("The SHA-256 of the text")] }
        for spelling in Spelling.all where key.signed(spelling.text(of: self, Field.allCases).utf8, signature) {
            return spelling.findings(of: self)
        }
        let found = Self.firstOrder { order in key.signed(Spelling.proper.text(of: self, order).utf8, signature) }
        return found.map { [.fieldOrder($0)] } ?? [.wrongKey]
    }

    /// The first order of the fields that is sought, of all 5,040.
    private static func firstOrder(where isSought: ([Field]) -> Bool) -> [Field]? {
        func search(_ order: [Field], _ rest: [Field]) -> [Field]? {
            guard !rest.isEmpty else { return isSought(order) ? order : nil }
            for (index, field) in rest.enumerated() {
                var others = rest
                others.remove(at: index)
                if let found = search(order + [field], others) { return found }
            }
            return nil
        }
        return search([], Field.allCases)
    }
}
