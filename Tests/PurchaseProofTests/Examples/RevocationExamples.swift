import PurchaseModel
import PurchaseProof

struct Responders: OCSPTransport {
    let post: @Sendable (_ body: [UInt8], _ address: String) async throws -> (status: Int, body: [UInt8])

    struct Failed: Error {}

    func response(to request: [UInt8], from address: String) async throws -> [UInt8] {
        let (status, body) = try await post(request, address)
        guard status == 200, body.count <= RevocationChecker.maximumResponse else { throw Failed() }
        return body
    }
}

func signedDataVerifier(
    using checker: RevocationChecker, trusting roots: TrustedRoots = .apple, in environments: Set<AppEnvironment> = [.production]
) -> SignedDataVerifier {
    SignedDataVerifier(
        roots: roots, revocation: .hard(checker), bundleID: "com.example.monkeyshop", environments: environments
    )
}

func serve(refreshing checker: RevocationChecker, _ requests: @escaping @Sendable () async -> Void) async {
    await withTaskGroup { group in
        group.addTask { await checker.run() }
        group.addTask { await requests() }
        await group.next()
        group.cancelAll()
    }
}
