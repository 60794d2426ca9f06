import PurchaseModel
import PurchaseTestSupport
import Synchronization
import Testing

@testable import PurchaseIssuing
@testable import PurchaseProof

@Suite struct RevocationOutcomeTests {
    @Test(arguments: TrustChain.Kind.allCases)
    func `good certificates pass in hard and in soft mode`(kind: TrustChain.Kind) async throws {
        let harness = try await RevocationHarness(kind)
        let failures = await harness.failures()
        #expect(failures == (nil, nil))
        #expect(harness.transport.requests == 2)
    }

    @Test(arguments: TrustChain.Kind.allCases)
    func `a revoked certificate is refused in either mode, also for data that it signed before`(kind: TrustChain.Kind) async throws {
        for (index, certificate) in [(0, \RevocationHarness.leaf), (1, \RevocationHarness.intermediate)] {
            let harness = try await RevocationHarness(kind)
            harness.transport.set(try harness.revoking(harness[keyPath: certificate]))
            let refusal = VerificationFailure.refused(.revoked, at: "x[\(index)]")
            let failures = await harness.failures()
            #expect(failures == (refusal, refusal))
        }
    }

    /// Defects of a responder, each with the reason for an indeterminate result.
    static let faults: [(name: String, change: @Sendable (inout OCSPResponder) -> Void, reason: Indeterminacy.Reason?)] = [
        ("does not know the certificate", { $0.statuses[.signedDataLeaf] = .unknown }, .responderFailed),
        ("sends a stale response", { $0.anomalies = .stale }, .responseInvalid),
        ("sends a response with a future thisUpdate", { $0.anomalies = .futureThisUpdate }, .responseInvalid),
        ("omits nextUpdate", { $0.anomalies = .noNextUpdate }, .responseInvalid),
        ("responds for another certificate", { $0.anomalies = .otherCertificate }, .responseInvalid),
        ("has an unknown certificate", { $0.anomalies = .unknownResponder }, .responseInvalid),
        ("signs with the leaf's key", { $0.anomalies = .signedByLeaf }, .responseInvalid),
        ("has a damaged signature", { $0.anomalies = .invalidSignature }, .responseInvalid),
        ("repeats another request's nonce", { $0.anomalies = .wrongNonce }, .responseInvalid),
        ("omits its certificate", { $0.anomalies = .noCertificate }, .responseInvalid),
        ("is identified by name", { $0.anomalies = .responderByName }, nil),
        ("does not repeat the request's nonce", { $0.anomalies = .noNonce }, nil),
    ]

    @Test(arguments: faults.indices)
    func `a responder's defect makes the status unavailable`(index: Int) async throws {
        let fault = Self.faults[index]
        let harness = try await RevocationHarness()
        harness.transport.set(.responder(try harness.responder(fault.change)))
        let failures = await harness.failures()
        let failure = fault.reason.map { VerificationFailure.indeterminate($0, at: "x[0]") }
        #expect(failures.hard == failure, "The responder \(fault.name).")
        #expect(failures.soft == nil, "The responder \(fault.name).")
    }

    @Test(arguments: [
        (OCSPAnomalies.unknownResponder, false), (.signedByLeaf, false), (.invalidSignature, false), (.otherCertificate, false),
        (.wrongNonce, false), (.noCertificate, false), (.noNonce, true), (.responderByName, true),
    ])
    func `a revocation counts only when its response is valid`(anomaly: OCSPAnomalies, isValid: Bool) async throws {
        let harness = try await RevocationHarness()
        let responder = try harness.responder {
            $0.statuses[.signedDataLeaf] = .revoked(at: .testStart, reason: nil)
            $0.anomalies = anomaly
        }
        harness.transport.set(.responder(responder))
        let failures = await harness.failures()
        let refusal = VerificationFailure.refused(.revoked, at: "x[0]")
        #expect(failures.hard == (isValid ? refusal : .indeterminate(.responseInvalid, at: "x[0]")))
        #expect(failures.soft == (isValid ? refusal : nil))
    }

    @Test(arguments: OCSPErrorStatus.allCases)
    func `a responder that returns an error has failed`(errorStatus: OCSPErrorStatus) async throws {
        let harness = try await RevocationHarness()
        harness.transport.set(.responder(try harness.responder { $0.errorStatus = errorStatus }))
        let failures = await harness.failures()
        #expect(failures == (.indeterminate(.responderFailed, at: "x[0]"), nil))
    }

    @Test func `a defect in the intermediate's status has the intermediate's place`() async throws {
        let harness = try await RevocationHarness()
        harness.transport.set(.responder(try harness.responder { $0.statuses[.signedDataIntermediate] = .unknown }))
        let failures = await harness.failures()
        #expect(failures == (.indeterminate(.responderFailed, at: "x[1]"), nil))
    }

    @Test func `a responder that does not respond is unreachable`() async throws {
        let harness = try await RevocationHarness()
        harness.transport.set(.error)
        let failures = await harness.failures()
        #expect(failures == (.indeterminate(.responderUnreachable, at: "x[0]"), nil))
    }

    @Test(arguments: [[], [0x30], [0x30, 0x03, 0x0A, 0x01, 0x00], [0x30, 0x03, 0x0A, 0x01, 0x09], Array("<html>".utf8)] as [[UInt8]])
    func `bytes that are not a response are invalid`(bytes: [UInt8]) async throws {
        let harness = try await RevocationHarness()
        harness.transport.set(.bytes(bytes))
        let failures = await harness.failures()
        let isRefusal = bytes.last == 0x09
        #expect(failures == (.indeterminate(isRefusal ? .responderFailed : .responseInvalid, at: "x[0]"), nil))
    }

    @Test func `a response above the size limit is not parsed`() async throws {
        let harness = try await RevocationHarness()
        for (length, isRead) in [(RevocationChecker.maximumResponse, true), (RevocationChecker.maximumResponse + 1, false)] {
            let response = [UInt8](repeating: 0x30, count: length)
            harness.transport.set(.bytes(response))
            let recorder = OCSPRecorder(harness.transport)
            _ = await recorder.query(request: [], uri: RevocationHarness.address)
            #expect(recorder.exchanges.map(\.response) == [isRead ? response : []])
        }
    }

    @Test(arguments: [UInt64(1), 2, 3, 4, 5])
    func `a damaged response never traps and never passes`(seed: UInt64) async throws {
        let harness = try await RevocationHarness()
        let damaged = DamagingTransport(transport: harness.transport, seed: seed)
        for _ in 0..<100 {
            let request = OCSPStatusRequest(chain: harness.chain, transport: damaged, now: harness.clock.now, maximumAge: 60)
            let status = await request.run()
            #expect(status == .unavailable(.responseInvalid, index: 0) || status == .unavailable(.responderFailed, index: 0))
        }
    }

    @Test func `the status of certificates without a responder is unavailable, and no request is sent`() async throws {
        let harness = try await RevocationHarness(of: TestAuthority.shared.defective([]).authority)
        let failures = await harness.failures()
        #expect(failures == (.indeterminate(.noResponder, at: "x[0]"), nil))
        #expect(harness.transport.requests == 0)
    }

    @Test func `no status of expired certificates is requested, and a revocation remains`() async throws {
        let fresh = try await RevocationHarness()
        fresh.clock.set(.testStart.adding(days: 20 * 365))
        let failures = await fresh.failures()
        #expect(failures == (.indeterminate(.certificateExpired, at: "x[0]"), nil))
        #expect(fresh.transport.requests == 0)

        let revoked = try await RevocationHarness()
        revoked.transport.set(try revoked.revoking(.signedDataLeaf))
        let refusal = VerificationFailure.refused(.revoked, at: "x[0]")
        for time in [Timestamp.testStart, .testStart.adding(days: 20 * 365)] {
            revoked.clock.set(time)
            let failures = await revoked.failures()
            #expect(failures == (refusal, refusal))
        }
    }

    @Test func `the status of Xcode's self-signed certificate is not requested`() async throws {
        let harness = try await RevocationHarness()
        let xcode = try XcodeAuthority(now: .testStart)
        let roots = try TrustedRoots.apple(and: xcode.signedDataCertificatePEM, in: [.xcode])
        let certificate = try xcode.signedDataCertificate.derBytes
        let chain = try await roots.verifyChain(certificate, through: [], in: .xcode, at: .testStart, place: "x", trace: nil)
        try await Revocation.hard(harness.checker).verify(chain, place: "x", trace: nil)
        #expect(harness.transport.requests == 0)
    }

    @Test func `an explanation states the status, or that it is unavailable`() async throws {
        let harness = try await RevocationHarness()
        let good = Trace()
        try await Revocation.hard(harness.checker).verify(harness.chain, place: "x", trace: good)
        #expect(good.steps.map(\.status) == [.passed])
        #expect(good.steps[0].observed.contains("2025-01-31T13:34:56Z"))

        let silent = try await RevocationHarness()
        silent.transport.set(.error)
        let soft = Trace()
        try await Revocation.soft(silent.checker).verify(silent.chain, place: "x", trace: soft)
        #expect(soft.steps.map(\.status) == [.indeterminate])
        #expect(soft.steps[0].observed.contains("did not respond"))

        let off = Trace()
        try await Revocation.off.verify(silent.chain, place: "x", trace: off)
        #expect(off.steps.map(\.status) == [.skipped])
    }
}

/// Changes one byte of every response, in the signed part or in the signature, or truncates it.
private final class DamagingTransport: OCSPTransport {
    private let transport: TestResponder
    private let random: Mutex<SeededRandom>

    init(transport: TestResponder, seed: UInt64) {
        self.transport = transport
        random = Mutex(SeededRandom(seed: seed))
    }

    func response(to request: [UInt8], from address: String) async throws -> [UInt8] {
        var response = try await transport.response(to: request, from: address)
        return random.withLock { random in
            // The certificate of the responder is at the end, after the signed part and the signature.
            let place = Int.random(in: 0..<250, using: &random)
            if Bool.random(using: &random) { return Array(response.prefix(place)) }
            response[place] ^= UInt8.random(in: 1...255, using: &random)
            return response
        }
    }
}
