import AsyncHTTPClient
import Foundation
import FoundationExtras
import GRDB
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import NIOSSL
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing

@testable import LocalAppStore

@Suite struct TLSTests {
    private func host() async throws -> StoreHost {
        StoreHost(singleStore: try await LocalAppStore(configuration: .test(), logger: .silent))
    }

    /// A client that resolves `names` to this machine and trusts only one root.
    private func client(trusting root: String, names: [String]) throws -> HTTPClient {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(root.utf8)))
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.dnsOverride = Dictionary(uniqueKeysWithValues: names.map { ($0, "127.0.0.1") })
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    private func status(at url: String, _ client: HTTPClient) async throws -> VerifyReceiptStatus {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.body = .bytes(ByteBuffer(string: "{}"))
        let response = try await client.execute(request, timeout: .seconds(20))
        let body = try await response.body.collect(upTo: 1 << 20)
        return try WireJSON.decode(VerifyReceiptResponse.self, from: Data(buffer: body)).status
    }

    /// Runs the host with TLS on a free port.
    private func run(_ host: StoreHost, _ body: @escaping @Sendable (Int) async throws -> Void) async throws {
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let application = try host.tlsApplication(hostname: "127.0.0.1", port: 0, onServerRunning: { port.yield($0) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            for await port in ports {
                defer { group.cancelAll() }
                try await body(port)
                break
            }
        }
    }

    @Test func `a client with fixed host names connects to the store if it trusts the store's root`() async throws {
        let host = try await host()
        let names = ["buy.itunes.apple.com", "sandbox.itunes.apple.com", "localhost"]
        let trusting = try client(trusting: host.defaultStore.rootsPEM, names: names)
        let untrusting = try client(trusting: try TestStores.authority().rootsPEM, names: names)
        try await run(host) { port async throws -> Void in
            for name in names + ["127.0.0.1"] {
                #expect(try await status(at: "https://\(name):\(port)/verifyReceipt", trusting) == .malformed)
                await #expect(throws: (any Error).self) { try await status(at: "https://\(name):\(port)/verifyReceipt", untrusting) }
            }
        }
        try await trusting.shutdown()
        try await untrusting.shutdown()
    }

    @Test func `certificates are cached by host name, up to a limit`() async throws {
        let clock = ManualClock()
        let certificates = ServerCertificates(issuers: try await host().defaultStore.context.signer.issuers, clock: clock)
        _ = try certificates.override(for: "a.example")
        _ = try certificates.override(for: "A.EXAMPLE")
        #expect(certificates.count == 1)
        _ = try certificates.override(for: "not a host name")
        _ = try certificates.override(for: nil)
        #expect(certificates.count == 2)
        for number in 0..<300 { _ = try certificates.override(for: "\(number).example") }
        #expect(certificates.count <= 256)
    }

    @Test func `certificates name the store's OCSP responder, which answers good, or revoked if a fault is enabled`() async throws {
        let host = try await host()
        try await host.application(hostname: "127.0.0.1", port: 0).test(.live) { client async throws -> Void in
            let base = "http://127.0.0.1:\(try #require(client.port))"
            _ = try await host.createStore(CreateStoreRequest(name: "other"))
            for (prefix, store) in [("", host.defaultStore), ("/stores/other", try #require(host.store(named: "other")))] {
                let verifier = SignedDataVerifier(
                    roots: try .apple(and: store.rootsPEM, in: [.sandbox]),
                    revocation: .hard(
                        RevocationChecker(
                            transport: SingleAddressTransport(address: base + prefix + "/ocsp"), deadline: .seconds(10), retry: .zero)),
                    bundleID: store.context.apps.defaultBundleID, environments: [.sandbox]
                )
                let request = TriggerRequest(type: "ONE_TIME_CHARGE")
                for fault in [nil, SigningFault.revokedLeaf] {
                    if let fault { _ = try await store.storeServices.faults.enable(Fault(.signing(fault: fault.rawValue))) }
                    let uuid = try await store.storeServices.triggers.trigger(request).notificationUUID
                    let row = try await store.context.read { db in try NotificationRecord.fetchOne(db, key: uuid) }
                    let signed = try #require(row).signedPayload
                    var outcome = await verifier.outcome(of: signed)
                    // On a busy machine the verifier can time out before the response.
                    for _ in 0..<10 {
                        guard case .indeterminate = outcome else { break }
                        outcome = await verifier.outcome(of: signed)
                    }
                    switch outcome {
                    case .verified: #expect(fault == nil)
                    case .refused(let refusal): #expect(fault == .revokedLeaf && refusal.reason == .revoked)
                    case .indeterminate: Issue.record("The revocation status is unavailable.")
                    }
                }
            }
        }
    }
}

/// A transport for one URL that sends each request with POST and with GET and compares the responses.
private struct SingleAddressTransport: OCSPTransport {
    struct UnexpectedAddress: Error {}

    let address: String

    func response(to request: [UInt8], from address: String) async throws -> [UInt8] {
        guard address == self.address else { throw UnexpectedAddress() }
        var post = HTTPClientRequest(url: address)
        post.method = .POST
        post.headers.add(name: "Content-Type", value: "application/ocsp-request")
        post.body = .bytes(ByteBuffer(bytes: request))
        let posted = try await collect(post)
        let path = Data(request).base64EncodedString().addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let got = try await collect(HTTPClientRequest(url: "\(address)/\(path)"))
        // The responses differ only in their signatures, so their lengths are similar.
        guard got.count > 500, abs(got.count - posted.count) < 8 else { throw UnexpectedAddress() }
        return posted
    }

    private func collect(_ request: HTTPClientRequest) async throws -> [UInt8] {
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(20))
        guard response.status == .ok, response.headers.first(name: "Content-Type") == "application/ocsp-response" else {
            throw UnexpectedAddress()
        }
        return Array(buffer: try await response.body.collect(upTo: 1 << 16))
    }
}
