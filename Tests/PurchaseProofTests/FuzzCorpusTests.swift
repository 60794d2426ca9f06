import Foundation
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import Testing

/// Tests of inputs that fuzzing found.
///
/// No input may terminate the process, and genuine inputs are verified.
@Suite struct FuzzCorpusTests {
    private let roots: TrustedRoots
    private let environments: Set<AppEnvironment> = [.sandbox, .xcode]

    init() throws {
        roots = try FuzzCorpus.roots
    }

    @Test(arguments: try FuzzCorpus.inputs("cms"))
    func `verifying a receipt returns a value or an error`(input: FuzzCorpus.Input) async {
        let unverified = try? UnverifiedReceipt(input.bytes)
        let outcome = await ReceiptVerifier(roots: roots, BundleCheck(.test), EnvironmentCheck(environments)).outcome(of: input.bytes)
        if input.isGenuine {
            #expect(unverified != nil)
            #expect((try? outcome.get()) != nil)
        }
    }

    @Test(arguments: try FuzzCorpus.inputs("payload"))
    func `parsing the payload of a receipt returns a value or an error, signed or not`(input: FuzzCorpus.Input) async throws {
        let bytes = try ContainerBuilder(payload: input.bytes).build()
        let unverified = try? UnverifiedReceipt(bytes)
        let outcome = try await TestAuthority.shared.receiptVerifier().outcome(of: bytes)
        #expect(unverified != nil || (try? outcome.get()) == nil)
        if input.isGenuine { #expect(unverified != nil) }
    }

    @Test(arguments: try FuzzCorpus.inputs("plist"))
    func `verifying a transaction receipt returns a value or an error`(input: FuzzCorpus.Input) {
        let unverified = try? UnverifiedTransactionReceipt(input.bytes)
        let outcome = TransactionReceiptVerifier(roots: roots, bundleID: .test, environments: environments).outcome(of: input.bytes)
        if input.isGenuine {
            #expect(unverified != nil)
            #expect((try? outcome.get()) != nil)
        }
    }

    @Test(arguments: try FuzzCorpus.inputs("jws"))
    func `verifying a JWS returns a value or an error`(input: FuzzCorpus.Input) async {
        let text = String(decoding: input.bytes, as: UTF8.self)
        let unverified = try? UnverifiedJWS(text)
        let outcome = await SignedDataVerifier(roots: roots, bundleID: .test, environments: environments).verifyAny(text).outcome
        if input.isGenuine {
            #expect(unverified != nil)
            #expect((try? outcome.get()) != nil)
        }
    }

    @Test(arguments: try FuzzCorpus.inputs("x509"))
    func `a JWS with other certificates in the header is not verified`(input: FuzzCorpus.Input) async throws {
        var token = try TokenBuilder(.sample() as TransactionPayload)
        token.certificates = Self.values(in: input.bytes).map { Data($0).base64EncodedString() }
        // The key of the signature does not match these certificates.
        await #expect(throws: VerificationFailure.self) {
            try await SignedDataVerifier(roots: roots, bundleID: .test, environments: environments)
                .verify(SignedTransaction(token.build()))
        }
    }

    /// Returns the consecutive DER values in `bytes`, up to the first invalid one.
    private static func values(in bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var values: [ArraySlice<UInt8>] = []
        var rest = bytes[...]
        while rest.count >= 2 {
            let first = Int(rest[rest.startIndex + 1])
            let header = rest.prefix(2 + (first < 0x80 ? 0 : first & 0x7F))
            let count = header.count + (first < 0x80 ? first : header.dropFirst(2).suffix(4).reduce(0) { $0 << 8 | Int($1) })
            guard count <= rest.count else { break }
            values.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        return values
    }
}
