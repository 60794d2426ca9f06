import PurchaseModel
import PurchaseProof

/// The verifier of JWS that a command's options describe.
struct SignedDataVerification: Sendable {
    let verifier: SignedDataVerifier

    init(roots: TrustedRoots, revocation: Revocation, _ checks: CheckOptions, _ own: SignedDataCheckOptions) {
        var rest: [any SignedDataCheck] = []
        if let check = checks.bundleCheck { rest.append(check) }
        if let appAppleID = own.appID { rest.append(AppAppleIDCheck(appAppleID)) }
        if let identifier = own.deviceVerificationID { rest.append(DeviceVerificationCheck(identifier)) }
        if let age = checks.maxAge { rest.append(AgeCheck(seconds: age.seconds, clock: SystemWallClock())) }
        verifier = SignedDataVerifier(roots: roots, revocation: revocation, checks.environmentCheck, and: rest)
    }

    /// Verifies a JWS and, for a notification, each nested JWS on its own.
    ///
    /// - Parameter isExplained: Whether the report contains the steps, which takes several times as long.
    func report(on compact: String, isExplained: Bool) async -> Report {
        let found = isExplained ? await verifier.explainAny(compact) : await verifier.verifyAny(compact)
        let payload = found.payload.flatMap { JSONReader.read($0) }
        let content = JWSReport(kind: found.kind, payload: payload, jws: try? UnverifiedJWS(compact))
        var report = Report(explanation: found.explanation, members: content.members, sections: content.sections)
        if payload != nil {
            report.members.insert(JSONValue.Member("verified", .bool(found.explanation.result == .verified)), at: 1)
        }

        var inner: [JSONValue.Member] = []
        for part in InnerPart.parts(of: payload) {
            let found = await verifier.verifyAny(part.compact)
            let payload = found.payload.flatMap { JSONReader.read($0) }
            let content = JWSReport(kind: found.kind, payload: payload, jws: nil)
            inner.append(JSONValue.Member(part.name, .object(found.explanation.members + content.members)))
            report.sections += content.sections.map { section in
                Report.Section(title: "Nested, \(found.explanation.result.rawValue): \(section.title)", table: section.table)
            }
        }
        if !inner.isEmpty { report.members.append(JSONValue.Member("inner", .object(inner))) }
        return report
    }
}
