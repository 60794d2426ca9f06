import Foundation
import MessageSignatures
import PurchaseModel
import PurchaseTestSupport
import Testing

/// The examples in the documentation of the module's types.
@Suite struct ExampleTests {
    @Test(arguments: ["Signatures/ResponseSigner.swift", "Signatures/ResponseVerifier.swift", "Leases/LeaseVerifier.swift"])
    func `the example of the documentation is the tested one`(_ path: String) throws {
        let tests = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        let source = tests.appending(path: "../../../Sources/MessageSignatures/\(path)").standardizedFileURL
        let documentation = try String(contentsOf: source, encoding: .utf8).split(separator: "\n").compactMap { line in
            line.hasPrefix("///") ? String(line.dropFirst(line.hasPrefix("/// ") ? 4 : 3)) : nil
        }.joined(separator: "\n")
        let blocks = documentation.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
        let examples = try String(contentsOf: tests.appending(path: "Examples.swift"), encoding: .utf8).replacing("\n\n", with: "\n")
        #expect(blocks.count == 1)
        for block in blocks { #expect(examples.contains(block), "\(block)") }
    }

    @Test func `an app receives what its server signed, and nothing that a proxy changed`() async throws {
        let key = try Sample.key()
        let clock = ManualClock()
        let signer = ResponseSigner(key: key)
        let verifier = ResponseVerifier(keys: try Sample.keys(key))
        let url: HTTPURL = "https://shop.example.com/v1/access?product=book"

        /// Responds as a server behind a proxy, which knows the target of the request only.
        func respond(to sent: HTTPRequestMessage) throws -> HTTPResponseMessage {
            let received = try #require(
                HTTPRequestMessage(method: sent.method, target: "/v1/access?product=book", fields: sent.fields))
            return try signed(Sample.response(), to: received, by: signer, clock: clock)
        }

        let received = try await content(of: url, by: verifier, clock: clock) { try respond(to: $0) }
        #expect(received == Sample.body)
        await #expect(throws: MessageSignatureError.content(.mismatch(.sha256))) {
            try await content(of: url, by: verifier, clock: clock) { request in
                var response = try respond(to: request)
                response.content = Array(#"{"state":"owned"}"#.utf8)
                return response
            }
        }
        await #expect(throws: MessageSignatureError.missingField("Signature-Input")) {
            try await content(of: url, by: verifier, clock: clock) { request in
                var request = request
                request.fields[RequestNonce.fieldName] = nil
                return try respond(to: request)
            }
        }
        let recorded = try await recordedResponse { try respond(to: $0) }
        await #expect(throws: MessageSignatureError.nonce) {
            try await content(of: url, by: verifier, clock: clock) { _ in recorded }
        }
    }

    private func recordedResponse(_ respond: (HTTPRequestMessage) throws -> HTTPResponseMessage) async throws -> HTTPResponseMessage {
        let fields: HTTPMessageFields = [RequestNonce.fieldName: RequestNonce().rawValue]
        return try respond(#require(HTTPRequestMessage(method: "GET", target: "/v1/access?product=book", fields: fields)))
    }

    @Test func `a device is entitled until its lease expires`() throws {
        let key = try Sample.key()
        let device = try P256SigningKey(newWithID: "device").verificationKey.thumbprint
        let clock = ManualClock()
        let lease = try LeaseIssuer(key: key).issue(
            LeasePayload(
                issuer: "https://shop.example.com", customer: LeaseTests.customer, bundleID: .test, issuedAt: clock.now,
                expires: clock.now.adding(days: 7), id: "1", deviceKey: device, entitlements: [LeasedEntitlement("book")]))
        let verifier = LeaseVerifier(keys: try Sample.keys(key), issuer: "https://shop.example.com", bundleID: .test)
        #expect(isEntitled(to: "book", by: lease, with: verifier, deviceKey: device, clock: clock))
        #expect(!isEntitled(to: "coins", by: lease, with: verifier, deviceKey: device, clock: clock))
        #expect(!isEntitled(to: "book", by: lease, with: verifier, deviceKey: key.verificationKey.thumbprint, clock: clock))
        clock.advance(seconds: 7 * 86_400)
        #expect(!isEntitled(to: "book", by: lease, with: verifier, deviceKey: device, clock: clock))
    }
}
