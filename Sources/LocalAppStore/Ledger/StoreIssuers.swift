import PurchaseIssuing
import PurchaseModel
import Synchronization

/// A store's certificate authority and its signing keys, which change together when the store's address changes.
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

    /// Sets the OCSP responder's URL in new certificates.
    ///
    /// An authority of an earlier version has no key for new certificates, so its existing certificates stay in use.
    func setOCSPURL(_ ocspURL: String) {
        state.withLock { state in
            guard let authority = try? state.authority.replacingOCSPURL(with: ocspURL) else { return }
            state = State(authority)
        }
    }

    /// The OCSP response to an OCSP request, both in DER.
    func respond(to request: [UInt8], at now: Timestamp) throws -> [UInt8] {
        let responder = try state.withLock { state in
            let responder = try state.responder ?? OCSPResponder(authority: state.authority)
            state.responder = responder
            return responder
        }
        return try responder.respond(to: request, at: now)
    }
}
