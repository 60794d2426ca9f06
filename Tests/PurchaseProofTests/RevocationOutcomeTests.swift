import PurchaseModel
import PurchaseTestSupport
import Synchronization
import Testing

@testable import PurchaseIssuing
@testable import PurchaseProof

@Suite struct RevocationOutcomeTests {
    @Test(arguments: TrustChain.Kind.allCases)
    func `good certificates pass, strictly and leniently`(kind: TrustChain.Kind) async throws {
        let harness = try await RevocationHarness(kind)
        let judged = await harness.judged()
        #expect(judged == (nil, nil))
        #expect(harness.transport.questions == 2)
    }

    @Test(arguments: TrustChain.Kind.allCases)
    func `a revoked certificate is refused in either mode, and so is what it had signed before`(kind: TrustChain.Kind) async throws {
        for (index, certificate) in [(0, \RevocationHarness.leaf), (1, \RevocationHarness.intermediate)] {
            let harness = try await RevocationHarness(kind)
            harness.transport.set(try harness.revoking(harness[keyPath: certificate]))
            let refusal = Unproven.refused(.revoked, at: "x[\(index)]")
            let judged = await harness.judged()
            #expect(judged == (refusal, refusal))
        }
    }

    /// What a responder can do wrong, and what it leaves us with.
    static let faults: [(name: String, change: @Sendable (inout OCSPResponder) -> Void, reason: Doubt.Reason?)] = [
        ("does not know it", { $0.statuses[.signedDataLeaf] = .unknown }, .responderFailed),
        ("answers late", { $0.oddities = .stale }, .responderNotBelieved),
        ("answers early", { $0.oddities = .fromTheFuture }, .responderNotBelieved),
        ("does not say until when", { $0.oddities = .noNextUpdate }, .responderNotBelieved),
        ("answers something else", { $0.oddities = .aboutAnother }, .responderNotBelieved),
        ("is a stranger", { $0.oddities = .strangersSignature }, .responderNotBelieved),
        ("is the leaf", { $0.oddities = .leafsSignature }, .responderNotBelieved),
        ("has a damaged signature", { $0.oddities = .damagedSignature }, .responderNotBelieved),
        ("repeats another question's number", { $0.oddities = .otherNonce }, .responderNotBelieved),
        ("does not show its certificate", { $0.oddities = .noCertificate }, .responderNotBelieved),
        ("gives its name", { $0.oddities = .namedResponder }, nil),
        ("does not repeat the question's number", { $0.oddities = .noNonce }, nil),
    ]

    @Test(arguments: faults.indices)
    func `a responder's fault is neither a yes nor a no`(index: Int) async throws {
        let fault = Self.faults[index]
        let harness = try await RevocationHarness()
        harness.transport.set(.responder(try harness.responder(fault.change)))
        let judged = await harness.judged()
        let doubt = fault.reason.map { Unproven.unknown($0, at: "x[0]") }
        #expect(judged.hard == doubt, "The responder \(fault.name).")
        #expect(judged.soft == nil, "The responder \(fault.name).")
    }

    @Test(arguments: [
        (OCSPOddities.strangersSignature, false), (.leafsSignature, false), (.damagedSignature, false), (.aboutAnother, false),
        (.otherNonce, false), (.noCertificate, false), (.noNonce, true), (.namedResponder, true),
    ])
    func `a revocation counts only when the answer is to be believed`(oddity: OCSPOddities, isBelieved: Bool) async throws {
        let harness = try await RevocationHarness()
        let responder = try harness.responder {
            $0.statuses[.signedDataLeaf] = .revoked(at: .testStart, reason: nil)
            $0.oddities = oddity
        }
        harness.transport.set(.responder(responder))
        let judged = await harness.judged()
        let refusal = Unproven.refused(.revoked, at: "x[0]")
        #expect(judged.hard == (isBelieved ? refusal : .unknown(.responderNotBelieved, at: "x[0]")))
        #expect(judged.soft == (isBelieved ? refusal : nil))
    }

    @Test(arguments: OCSPRefusal.allCases)
    func `a responder that refuses to answer has failed`(refusal: OCSPRefusal) async throws {
        let harness = try await RevocationHarness()
        harness.transport.set(.responder(try harness.responder { $0.refusal = refusal }))
        let judged = await harness.judged()
        #expect(judged == (.unknown(.responderFailed, at: "x[0]"), nil))
    }

    @Test func `a fault about the intermediate is one at its place`() async throws {
        let harness = try await RevocationHarness()
        harness.transport.set(.responder(try harness.responder { $0.statuses[.signedDataIntermediate] = .unknown }))
        let judged = await harness.judged()
        #expect(judged == (.unknown(.responderFailed, at: "x[1]"), nil))
    }

    @Test func `nobody there is nobody to be asked`() async throws {
        let harness = try await RevocationHarness()
        harness.transport.set(.error)
        let judged = await harness.judged()
        #expect(judged == (.unknown(.responderUnreachable, at: "x[0]"), nil))
    }

    @Test(arguments: [[], [0x30], [0x30, 0x03, 0x0A, 0x01, 0x00], [0x30, 0x03, 0x0A, 0x01, 0x09], Array("<html>".utf8)] as [[UInt8]])
    func `what is no answer is not believed`(bytes: [UInt8]) async throws {
        let harness = try await RevocationHarness()
        harness.transport.set(.bytes(bytes))
        let judged = await harness.judged()
        let isRefusal = bytes.last == 0x09
        #expect(judged == (.unknown(isRefusal ? .responderFailed : .responderNotBelieved, at: "x[0]"), nil))
    }

    @Test func `an answer of endless length is not read`() async throws {
        let harness = try await RevocationHarness()
        for (length, isRead) in [(RevocationChecker.maximumAnswer, true), (RevocationChecker.maximumAnswer + 1, false)] {
            let answer = [UInt8](repeating: 0x30, count: length)
            harness.transport.set(.bytes(answer))
            let recorder = OCSPRecorder(harness.transport)
            _ = await recorder.query(request: [], uri: RevocationHarness.address)
            #expect(recorder.exchanges.map(\.answer) == [isRead ? answer : []])
        }
    }

    @Test(arguments: [UInt64(1), 2, 3, 4, 5])
    func `a broken answer never traps and never passes`(seed: UInt64) async throws {
        let harness = try await RevocationHarness()
        let damaged = DamagingTransport(transport: harness.transport, seed: seed)
        for _ in 0..<100 {
            let inquiry = OCSPInquiry(chain: harness.chain, transport: damaged, now: harness.clock.now, maximumAge: 60)
            let finding = await inquiry.run()
            #expect(finding == .doubt(.responderNotBelieved, index: 0) || finding == .doubt(.responderFailed, index: 0))
        }
    }

    @Test func `certificates that name nobody to ask stay in doubt, and nobody is asked`() async throws {
        let harness = try await RevocationHarness(of: TestAuthority.shared.flawed([]).authority)
        let judged = await harness.judged()
        #expect(judged == (.unknown(.noResponder, at: "x[0]"), nil))
        #expect(harness.transport.questions == 0)
    }

    @Test func `about expired certificates nobody is asked, but what was revoked stays so`() async throws {
        let fresh = try await RevocationHarness()
        fresh.clock.set(.testStart.adding(days: 20 * 365))
        let judged = await fresh.judged()
        #expect(judged == (.unknown(.certificateExpired, at: "x[0]"), nil))
        #expect(fresh.transport.questions == 0)

        let revoked = try await RevocationHarness()
        revoked.transport.set(try revoked.revoking(.signedDataLeaf))
        let refusal = Unproven.refused(.revoked, at: "x[0]")
        for time in [Timestamp.testStart, .testStart.adding(days: 20 * 365)] {
            revoked.clock.set(time)
            let judged = await revoked.judged()
            #expect(judged == (refusal, refusal))
        }
    }

    @Test func `Xcode's certificate has nobody who could revoke it`() async throws {
        let harness = try await RevocationHarness()
        let xcode = try XcodeAuthority(now: .testStart)
        let roots = try TrustedRoots.apple(and: xcode.signedDataCertificatePEM, in: [.xcode])
        let certificate = try xcode.signedDataCertificate.derBytes
        let chain = try await roots.prove(certificate, through: [], in: .xcode, at: .testStart, place: "x", trace: nil)
        try await Revocation.hard(harness.checker).judge(chain, place: "x", trace: nil)
        #expect(harness.transport.questions == 0)
    }

    @Test func `the story says what was found, and what was not`() async throws {
        let harness = try await RevocationHarness()
        let good = Trace()
        try await Revocation.hard(harness.checker).judge(harness.chain, place: "x", trace: good)
        #expect(good.explanation.steps.map(\.outcome) == [.passed])
        #expect(good.explanation.steps[0].saw.contains("2025-01-31T13:34:56Z"))

        let silent = try await RevocationHarness()
        silent.transport.set(.error)
        let soft = Trace()
        try await Revocation.soft(silent.checker).judge(silent.chain, place: "x", trace: soft)
        #expect(soft.explanation.steps.map(\.outcome) == [.unknown])
        #expect(soft.explanation.steps[0].saw.contains("nobody answered"))

        let off = Trace()
        try await Revocation.off.judge(silent.chain, place: "x", trace: off)
        #expect(off.explanation.steps.map(\.outcome) == [.skipped])
    }
}

/// Changes one byte of every answer, in what is signed or in the signature, or cuts it off.
private final class DamagingTransport: OCSPTransport {
    private let transport: TestResponder
    private let random: Mutex<SeededRandom>

    init(transport: TestResponder, seed: UInt64) {
        self.transport = transport
        random = Mutex(SeededRandom(seed: seed))
    }

    func answer(to request: [UInt8], from address: String) async throws -> [UInt8] {
        var answer = try await transport.answer(to: request, from: address)
        return random.withLock { random in
            // The certificate of the responder lies at the end; before it is what counts.
            let place = Int.random(in: 0..<250, using: &random)
            if Bool.random(using: &random) { return Array(answer.prefix(place)) }
            answer[place] ^= UInt8.random(in: 1...255, using: &random)
            return answer
        }
    }
}
