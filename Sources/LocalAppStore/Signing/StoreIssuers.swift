import PurchaseIssuing
import PurchaseModel
import Synchronization

/// A store's certificate authority and the issuers that sign with its certificates.
///
/// The issuers are replaced together when the URL of the store's OCSP responder changes.
final class StoreIssuers: Sendable {
    private struct State {
        var authority: CertificateAuthority
        var data: SignedDataIssuer
        var receipts: ReceiptIssuer
        var responder: OCSPResponder?

        init(_ authority: CertificateAuthority) {
            self.authority = authority
            data = SignedDataIssuer(authority: authority)
            receipts = ReceiptIssuer(authority: authority)
        }
    }

    private let state: Mutex<State>

    init(_ authority: CertificateAuthority) {
        state = Mutex(State(authority))
    }

    var authority: CertificateAuthority { state.withLock { $0.authority } }
    var data: SignedDataIssuer { state.withLock { $0.data } }
    var receipts: ReceiptIssuer { state.withLock { $0.receipts } }

    /// Replaces the signing certificates by new ones that name the URL of the store's OCSP responder.
    ///
    /// A certificate authority that an earlier version created has no key for new certificates; it keeps its certificates and their URL.
    func setOCSPURL(_ ocspURL: String) {
        state.withLock { state in
            guard let authority = try? state.authority.replacingOCSPURL(with: ocspURL) else { return }
            state = State(authority)
        }
    }

    /// Returns the signed response to an OCSP request, both encoded in DER.
    func respond(to request: [UInt8], at now: Timestamp) throws -> [UInt8] {
        let responder = try state.withLock { state in
            let responder = try state.responder ?? OCSPResponder(authority: state.authority)
            state.responder = responder
            return responder
        }
        return try responder.respond(to: request, at: now)
    }
}
