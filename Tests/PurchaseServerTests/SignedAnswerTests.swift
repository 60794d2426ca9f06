import Foundation
import HTTPTypes
import MessageSignatures
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Synchronization
import Testing
import Wire

@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of signed answers, leases and the encryption of secrets.
@Suite struct SignedAnswerTests {
    private static let path = "/v1/customer/balances"

    private static func signed(_ shop: Shop, _ nonce: RequestNonce, path: String = path) async throws -> Answer {
        var headers: HTTPFields = [.authorization: "Bearer \(shop.keys.publishable)"]
        headers[.customerToken] = shop.customerToken
        headers[.nonce] = nonce.rawValue
        return try await shop.get(path, headers)
    }

    private static func keys(_ shop: Shop) throws -> VerificationKeySet {
        try VerificationKeySet(jwks: [UInt8](try #require(shop.server.verificationKeys(of: .test))))
    }

    /// Verifies an answer as an app does.
    private static func verify(
        _ answer: Answer, body: Data? = nil, path: String = path, nonce: RequestNonce, _ shop: Shop
    ) throws -> VerifiedResponse {
        let request = try #require(HTTPRequestMessage(method: "GET", target: path))
        let fields = HTTPMessageFields(answer.headers.map { (name: $0.name.rawName, value: $0.value) })
        let response = HTTPResponseMessage(status: answer.status.code, fields: fields, content: [UInt8](body ?? answer.body))
        return try ResponseVerifier(keys: keys(shop)).verify(response, to: request, nonce: nonce, at: shop.clock.now)
    }

    @Test func `an answer to a request with a nonce is signed, and a change on the way is detected`() async throws {
        try await Shop.open { shop async throws in
            try await shop.record(.creditSale)
            let nonce = RequestNonce()
            let answer = try await Self.signed(shop, nonce)
            #expect(try Self.verify(answer, nonce: nonce, shop).content == [UInt8](answer.body))
            let richer = Data(String(decoding: answer.body, as: UTF8.self).replacing(":5,", with: ":900000,").utf8)
            #expect(richer != answer.body)
            #expect(throws: MessageSignatureError.self) { try Self.verify(answer, body: richer, nonce: nonce, shop) }
            // The answer to another request or with another nonce is no answer to this request.
            #expect(throws: MessageSignatureError.self) { try Self.verify(answer, nonce: RequestNonce(), shop) }
            #expect(throws: MessageSignatureError.self) { try Self.verify(answer, path: "/v1/customer", nonce: nonce, shop) }
        }
    }

    @Test func `a signed answer states the digest of the customer for whom the request asked, and the signature covers it`() async throws {
        try await Shop.open { shop async throws in
            let field = ServerHeader.customerDigest
            let name = "account-42"
            for (header, value, key) in [
                (HTTPField.Name.customerToken, shop.customerToken, shop.keys.publishable), (.customer, name, shop.keys.secret),
            ] {
                let nonce = RequestNonce()
                let answer = try await shop.get(Self.path, [.authorization: "Bearer \(key)", header: value, .nonce: nonce.rawValue])
                let expected = ContentDigest(of: Data(value.utf8)).fieldValue
                #expect(try Self.verify(answer, nonce: nonce, shop).fields[field] == expected)
                var headers = answer.headers
                headers[.customerDigest] = ContentDigest(of: Data("account-43".utf8)).fieldValue
                let changed = Answer(status: answer.status, headers: headers, body: answer.body)
                #expect(throws: MessageSignatureError.signature) { try Self.verify(changed, nonce: nonce, shop) }
            }
        }
    }

    @Test func `a lease of long names has as many entitlements as fit and all balances, and the reply states that it lacks some`()
        async throws
    {
        let suffix = String(repeating: "x", count: 190)
        let currencies = (10..<30).map { CurrencyID("c\($0)\(suffix.prefix(90))") }
        try await Shop.open(change: Shop.Change { $0.currencies = currencies }) { shop async throws in
            let now = shop.clock.now
            for currency in currencies {
                let grant = DebitRequest(idempotencyKey: "a", amount: 3, currency: currency)
                #expect(try await shop.call(ServerEndpoints.creditGrant, grant).status == .ok)
            }
            try await shop.server.storage.write(.test) { records in
                for number in 1...256 {
                    let name = EntitlementName("e\(1_000 + number)\(suffix)")
                    try records.put(
                        EntitlementGrant(customer: Shop.customer, entitlement: name, grantedAt: now, until: nil, reason: ""))
                }
            }
            let device = try P256SigningKey(newWithID: "device").verificationKey.thumbprint
            let answer = try await shop.call(ServerEndpoints.lease, LeaseRequest(deviceKey: device.rawValue), by: shop.app)
            let reply = try answer.value(LeaseReply.self)
            #expect(reply.isTruncated == true)
            let verifier = LeaseVerifier(keys: try Self.keys(shop), issuer: LeaseController.issuer, bundleID: .test)
            let lease = try verifier.verify(SignedLease(reply.lease), deviceKey: device, at: now).payload
            #expect((128..<256).contains(lease.entitlements.count))
            #expect(lease.balances?.map(\.currency) == currencies)
            #expect(lease.entitlements.first?.name == "e1001\(suffix)")
        }
    }

    @Test func `a refusal is signed, too`() async throws {
        try await Shop.open { shop async throws in
            let nonce = RequestNonce()
            let path = "/v1/customer/statement?limit=0"
            let answer = try await Self.signed(shop, nonce, path: path)
            #expect(answer.code == "statement.page")
            #expect(try Self.verify(answer, path: path, nonce: nonce, shop).status == 400)
        }
    }

    @Test(arguments: [nil, "", "short", String(repeating: "a", count: 129), "a b c d e f g h i j"])
    func `a request without a valid nonce receives an unsigned answer`(_ nonce: String?) async throws {
        try await Shop.open { shop async throws in
            var headers: HTTPFields = [.authorization: "Bearer \(shop.keys.publishable)"]
            headers[.customerToken] = shop.customerToken
            headers[.nonce] = nonce
            let answer = try await shop.get(Self.path, headers)
            #expect(answer.status == .ok && answer.headers[.signature] == nil)
        }
    }

    @Test func `the verification keys are published and survive a restart`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.file("server.sqlite").path()
            let keys = Mutex<Data?>(nil)
            for _ in 1...2 {
                try await Shop.open(database: .file(path)) { shop async throws in
                    let answer = try await shop.call(ServerEndpoints.verificationKeys, Empty(), by: .app(nil))
                    #expect(answer.headers[.contentType] == "application/jwk-set+json")
                    #expect(answer.body == shop.server.verificationKeys(of: .test))
                    let first = keys.withLock { first in
                        first = first ?? answer.body
                        return first
                    }
                    #expect(first == answer.body)
                }
            }
        }
    }

    @Test func `a lease states the balances of the customer`() async throws {
        try await Shop.open { shop async throws in
            try await shop.record(.creditSale)
            let device = try P256SigningKey(newWithID: "device").verificationKey.thumbprint
            let reply: LeaseReply = try await shop.call(
                ServerEndpoints.lease, LeaseRequest(deviceKey: device.rawValue), by: shop.app
            ).value()
            let verifier = LeaseVerifier(keys: try Self.keys(shop), issuer: LeaseController.issuer, bundleID: .test)
            let balances: BalancesReply = try await shop.call(ServerEndpoints.balances, Empty(), by: shop.app).value()
            #expect(!balances.balances.isEmpty)
            let lease = try verifier.verify(SignedLease(reply.lease), deviceKey: device, at: shop.clock.now).payload
            #expect(lease.balances == balances.balances.map { LeasedBalance($0.currency, amount: $0.amount) })
        }
    }

    @Test func `a lease states the active entitlements, and is bound to the key of the device`() async throws {
        try await Shop.open { shop async throws in
            try await shop.record(.bookSale)
            let end = Timestamp.testStart.adding(days: 30)
            try await shop.record(.sale(.magazine, .autoRenewable, id: "3000", expires: end))
            let device = try P256SigningKey(newWithID: "device").verificationKey.thumbprint
            let reply: LeaseReply = try await shop.call(
                ServerEndpoints.lease, LeaseRequest(deviceKey: device.rawValue), by: shop.app
            ).value()
            #expect(reply.expires == .testStart.adding(days: 3))
            let verifier = LeaseVerifier(keys: try Self.keys(shop), issuer: LeaseController.issuer, bundleID: .test)
            let lease = try verifier.verify(SignedLease(reply.lease), deviceKey: device, at: shop.clock.now).payload
            #expect(lease.customer == Shop.customer)
            #expect(
                lease.entitlements == [
                    LeasedEntitlement(ProductID.book.rawValue), LeasedEntitlement(ProductID.magazine.rawValue, until: end),
                ])
            let stranger = try P256SigningKey(newWithID: "device").verificationKey.thumbprint
            #expect(throws: LeaseError.self) { try verifier.verify(SignedLease(reply.lease), deviceKey: stranger, at: shop.clock.now) }
            #expect(throws: LeaseError.self) {
                // The tolerated difference of the clocks is a minute.
                try verifier.verify(SignedLease(reply.lease), deviceKey: device, at: reply.expires.adding(seconds: 61))
            }
            let refused = try await shop.call(ServerEndpoints.lease, LeaseRequest(deviceKey: "none"), by: shop.app)
            #expect(refused.code == "lease.device-key")
        }
    }

    @Test(arguments: [256, 257])
    func `a lease has at most 256 entitlements, and the reply states that it has not all of them`(_ count: Int) async throws {
        try await Shop.open { shop async throws in
            let now = shop.clock.now
            try await shop.server.storage.write(.test) { records in
                for number in 1...count {
                    let name = EntitlementName("e\(1_000 + number)")
                    try records.put(
                        EntitlementGrant(customer: Shop.customer, entitlement: name, grantedAt: now, until: nil, reason: ""))
                }
            }
            let device = try P256SigningKey(newWithID: "device").verificationKey.thumbprint
            let answer = try await shop.call(ServerEndpoints.lease, LeaseRequest(deviceKey: device.rawValue), by: shop.app)
            let members = try #require(try JSONSerialization.jsonObject(with: answer.body) as? [String: Any])
            #expect(members["isTruncated"] as? Bool == (count > LeasePayload.maximumEntitlements ? true : nil))
            let verifier = LeaseVerifier(keys: try Self.keys(shop), issuer: LeaseController.issuer, bundleID: .test)
            let lease = try verifier.verify(SignedLease(try answer.value(LeaseReply.self).lease), deviceKey: device, at: now).payload
            #expect(lease.entitlements.count == LeasePayload.maximumEntitlements)
            #expect(lease.entitlements.last?.name == "e1256")
        }
    }

    @Test func `secrets are encrypted in the database, and a rotation changes the key and nothing else`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.file("server.sqlite").path()
            let keyFile = path + ".key"
            var configuration = try Shop.configuration(contentFolder: folder.url.path())
            configuration.database = .file(path)
            func open() async throws -> PurchaseServer {
                try await PurchaseServer(configuration: configuration, clock: ManualClock(), logger: .silent)
            }
            let server = try await open()
            let running = try await open()
            let keys = try #require(server.verificationKeys(of: .test))
            let before = try Data(contentsOf: URL(filePath: keyFile))
            let stored = try await server.storage.read(.test) { records in
                try records.secretNames().map { try records.secret($0) ?? Data() }
            }
            #expect(stored.count == 2)
            #expect(!stored.contains { String(decoding: $0, as: UTF8.self).contains("PRIVATE KEY") })
            let attributes = try FileManager.default.attributesOfItem(atPath: keyFile)
            #expect((attributes[.posixPermissions] as? Int) == 0o600)

            #expect(try await server.rotateSecretKey() == SecretRotation(encryptedSecrets: 2, earlierKeys: 1))
            let after = try Data(contentsOf: URL(filePath: keyFile))
            #expect(after.count == 2 * before.count && after.suffix(before.count) == before)
            #expect(try await open().verificationKeys(of: .test) == keys)
            // A server that was running during the rotation reads the new key.
            #expect(try await running.rotateSecretKey().encryptedSecrets == 2)
            #expect(try await open().verificationKeys(of: .test) == keys)

            try before.write(to: URL(filePath: keyFile))
            await #expect(throws: ConfigurationError.secretKeyFile(path: keyFile)) { try await open() }
            try Data("no key\n".utf8).write(to: URL(filePath: keyFile))
            await #expect(throws: ConfigurationError.secretKeyFile(path: keyFile)) { try await open() }
        }
    }

    @Test func `two processes that start at the same time have the same key`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.file("server.key").path()
            let ciphers = try await withThrowingTaskGroup(of: SecretCipher.self) { group in
                for _ in 0..<8 { group.addTask { try SecretCipher(path: path) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let sealed = try ciphers.map { try $0.seal(Data([1]), named: "a", of: .test) }
            let later = try SecretCipher(path: path)
            for secret in sealed { #expect(try later.open(secret, named: "a", of: .test) == Data([1])) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path()) == ["server.key"])
        }
    }

    @Test func `a secret can't take the place of another one`() throws {
        let cipher = try SecretCipher(path: nil)
        let sealed = try cipher.seal(Data([1, 2, 3]), named: "a", of: .test)
        #expect(try cipher.open(sealed, named: "a", of: .test) == Data([1, 2, 3]))
        #expect(throws: SecretError.damaged) { try cipher.open(sealed, named: "b", of: .test) }
        #expect(throws: SecretError.damaged) { try cipher.open(sealed, named: "a", of: "com.example.other") }
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(throws: SecretError.self) { try cipher.open(changed, named: "a", of: .test) }
        }
        for length in 0..<sealed.count {
            #expect(throws: SecretError.self) { try cipher.open(sealed.prefix(length), named: "a", of: .test) }
        }
    }
}
