import Foundation
import PurchaseModel
import PurchaseTestSupport
import SwiftASN1
import Testing
import X509

@testable import PurchaseIssuing

/// What a store gives its TLS servers, judged by openssl as a client would.
@Suite struct TLSIdentityTests {
    private let openssl: OpenSSL
    private let authority: CertificateAuthority
    private let now = Timestamp(Date.now).wholeSeconds

    init() throws {
        openssl = try OpenSSL()
        authority = try TestStores.authority()
        try openssl.write(Array(authority.rootsPEM.utf8), to: "root.pem")
    }

    private func identity(_ hosts: String...) throws -> TLSIdentity {
        let identity = try authority.tlsIdentity(for: hosts, now: now)
        try openssl.write(Array(identity.certificateChainPEM.utf8), to: "server.pem")
        try openssl.write(Array(identity.privateKeyPEM.utf8), to: "key.pem")
        return identity
    }

    private func accepts(_ option: String, _ host: String) throws -> Bool {
        try openssl.run("verify", "-purpose", "sslserver", "-x509_strict", "-CAfile", "root.pem", option, host, "server.pem").isSuccess
    }

    @Test func `a client that trusts the root accepts the server at its names and addresses, and at no other`() throws {
        _ = try identity("buy.itunes.example", "*.shop.example", "127.0.0.1", "::1")
        for name in ["buy.itunes.example", "a.shop.example"] { #expect(try accepts("-verify_hostname", name)) }
        for address in ["127.0.0.1", "::1"] { #expect(try accepts("-verify_ip", address)) }
        #expect(try !accepts("-verify_hostname", "other.example"))
        #expect(try !accepts("-verify_ip", "127.0.0.2"))
        try openssl.write(Array(TestStores.authority().rootsPEM.utf8), to: "root.pem")
        #expect(try !accepts("-verify_hostname", "buy.itunes.example"))
    }

    @Test func `the key is the certificate's`() throws {
        let certificate = try Certificate(pemEncoded: identity("localhost").certificateChainPEM)
        let key = try Certificate.PrivateKey(pemEncoded: String(decoding: openssl.read("key.pem"), as: UTF8.self))
        #expect(key.publicKey == certificate.publicKey)
    }

    @Test func `it is good from a day before for no longer than clients accept`() throws {
        let certificate = try Certificate(pemEncoded: identity("localhost").certificateChainPEM)
        #expect(Timestamp(certificate.notValidBefore) == now.adding(days: -1))
        #expect(Timestamp(certificate.notValidAfter) == now.adding(days: 395))
        #expect(try certificate.extensions.extendedKeyUsage == ExtendedKeyUsage([.serverAuth]))
    }

    @Test(arguments: [[], [""], ["kaufhaus.münchen"], ["localhost", "a b"], [String(repeating: "a", count: 254)]])
    func `what is no host gets nothing`(hosts: [String]) {
        #expect(throws: IssuingError.notAHost) { try authority.tlsIdentity(for: hosts, now: now) }
    }

    @Test func `an authority of two roots has no key for it`() {
        #expect(throws: IssuingError.noKey) { try TestAuthority.shared.authority.tlsIdentity(for: ["localhost"], now: now) }
    }
}
