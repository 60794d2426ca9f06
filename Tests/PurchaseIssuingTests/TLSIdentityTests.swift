import Foundation
import PurchaseModel
import PurchaseTestSupport
import SwiftASN1
import Testing
import X509

@testable import PurchaseIssuing

/// Tests of a store's TLS certificates with the openssl command.
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

    @Test func `a client that trusts the root accepts the server only at its names and addresses`() throws {
        _ = try identity("buy.itunes.example", "*.shop.example", "127.0.0.1", "::1")
        for name in ["buy.itunes.example", "a.shop.example"] { #expect(try accepts("-verify_hostname", name)) }
        for address in ["127.0.0.1", "::1"] { #expect(try accepts("-verify_ip", address)) }
        #expect(try !accepts("-verify_hostname", "other.example"))
        #expect(try !accepts("-verify_ip", "127.0.0.2"))
        try openssl.write(Array(TestStores.authority().rootsPEM.utf8), to: "root.pem")
        #expect(try !accepts("-verify_hostname", "buy.itunes.example"))
    }

    @Test func `the private key matches the certificate`() throws {
        let certificate = try Certificate(pemEncoded: identity("localhost").certificateChainPEM)
        let key = try Certificate.PrivateKey(pemEncoded: String(decoding: openssl.read("key.pem"), as: UTF8.self))
        #expect(key.publicKey == certificate.publicKey)
    }

    @Test func `a TLS certificate is valid from a day ago for 396 days`() throws {
        let certificate = try Certificate(pemEncoded: identity("localhost").certificateChainPEM)
        #expect(Timestamp(certificate.notValidBefore) == now.adding(days: -1))
        #expect(Timestamp(certificate.notValidAfter) == now.adding(days: 395))
        #expect(try certificate.extensions.extendedKeyUsage == ExtendedKeyUsage([.serverAuth]))
    }

    @Test(arguments: [[], [""], ["kaufhaus.münchen"], ["localhost", "a b"], [String(repeating: "a", count: 254)]])
    func `an invalid host is refused`(hosts: [String]) {
        #expect(throws: IssuingError.invalidHost) { try authority.tlsIdentity(for: hosts, now: now) }
    }

    @Test func `an authority with two roots has no TLS identity`() {
        #expect(throws: IssuingError.missingKey) { try TestAuthority.shared.authority.tlsIdentity(for: ["localhost"], now: now) }
    }
}
