import PurchaseModel
import PurchaseProof

/// The verifier of JWS that a command's options ask for.
struct SignedDataJudge: Sendable {
    let verifier: SignedDataVerifier

    init(roots: TrustedRoots, revocation: Revocation, _ checks: CheckOptions, _ own: SignedDataCheckOptions) {
        var rest: [any SignedDataCheck] = []
        if let check = checks.bundleCheck { rest.append(check) }
        if let number = own.appID { rest.append(AppNumberCheck(number)) }
        if let identifier = own.deviceVerificationID { rest.append(DeviceVerificationCheck(identifier)) }
        if let age = checks.maxAge { rest.append(AgeCheck(seconds: age.seconds, clock: SystemWallClock())) }
        verifier = SignedDataVerifier(roots: roots, revocation: revocation, checks.environmentCheck, and: rest)
    }

    /// What a JWS is worth, and how that was found out; for a notification also what is worth what lies in it.
    func report(on compact: String) async -> Report {
        let found = await verifier.explainAny(compact)
        let payload = found.payload.flatMap { JSONReader.read($0) }
        var report = Report(judgement: Judgement(found.verdict), explanation: found.explanation)
        let shown = JWSReport(kind: found.kind, payload: payload, jws: try? UnverifiedJWS(compact))
        report.members = shown.members
        if payload != nil { report.members.insert(JSONValue.Member("proven", .bool(report.judgement == .verified)), at: 1) }
        report.sections = shown.sections

        var inner: [JSONValue.Member] = []
        for part in InnerPart.parts(of: payload) {
            let found = await verifier.judgeAny(part.compact)
            let judgement = Judgement(found.verdict)
            let payload = found.payload.flatMap { JSONReader.read($0) }
            let shown = JWSReport(kind: found.kind, payload: payload, jws: nil)
            inner.append(JSONValue.Member(part.name, .object(judgement.members + shown.members)))
            report.sections += shown.sections.map { section in
                Report.Section(title: "Inside, \(judgement.word.rawValue): \(section.title)", table: section.table)
            }
        }
        if !inner.isEmpty { report.members.append(JSONValue.Member("inner", .object(inner))) }
        return report
    }
}
