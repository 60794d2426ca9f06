import Foundation
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import Testing

@testable import AppStoreServerAPI

@Suite struct TokenSourceTests {
    static let now = Timestamp.testStart

    static func source(lifetime: Duration = .seconds(300)) throws -> TokenSource {
        var configuration = try TestClient.configuration()
        configuration.tokenLifetime = lifetime
        return TokenSource(configuration)
    }

    @Test func `a token is valid for the App Store`() throws {
        var source = try Self.source()
        let token = try source.token(at: Self.now).token.text
        let findings = APIToken.check(
            token, with: TestClient.key.publicKey, issuerID: TestClient.issuer, bundleID: .test, now: Self.now)
        #expect(findings == [])
    }

    /// Seconds after the signature, and whether the token is reused then.
    @Test(arguments: [(0, true), (1, true), (269, true), (270, false), (300, false), (86_400, false), (-60, true), (-61, false)])
    func `a token is reused until shortly before it expires`(_ seconds: Int64, _ isReused: Bool) throws {
        var source = try Self.source()
        let first = try source.token(at: Self.now)
        let second = try source.token(at: Self.now.adding(seconds: seconds))
        #expect(first.isNew)
        #expect(second.isNew != isReused)
        #expect((first.token.text == second.token.text) == isReused)
    }

    static let lifetimes: [(Duration, Int64)] = [
        (.zero, 60), (.seconds(-5), 60), (.milliseconds(90_500), 90), (.seconds(3600), 3600), (.seconds(Int64.max), 3600),
    ]

    @Test(arguments: lifetimes) func `the lifetime is between a minute and an hour`(_ lifetime: Duration, _ seconds: Int64) throws {
        var source = try Self.source(lifetime: lifetime)
        let token = try source.token(at: Self.now).token
        #expect(token.expires == token.issuedAt.adding(seconds: seconds))
        #expect(APIToken.check(token.text, with: TestClient.key.publicKey, now: Self.now) == [])
    }

    @Test(arguments: [Timestamp(milliseconds: .min), Timestamp(milliseconds: .max), Timestamp(milliseconds: 0)])
    func `an extreme local time does not trap`(_ now: Timestamp) throws {
        var source = try Self.source()
        let token = try source.token(at: now).token
        _ = source.renew(token, isNew: true, serverTime: Timestamp(milliseconds: .max), now: now)
        _ = source.renew(try source.token(at: now).token, isNew: true, serverTime: Timestamp(milliseconds: .min), now: now)
        _ = try source.token(at: Self.now)
    }

    /// Seconds by which the server's clock is ahead (nil without a date), whether the refused token was new, the correction in seconds,
    /// and whether another token is worth an attempt.
    static let renewals: [(Int64?, Bool, Int64, Bool)] = [
        (nil, true, 0, false), (nil, false, 0, true), (0, true, 0, false), (0, false, 0, true), (60, true, 0, false), (-60, true, 0, false),
        (61, true, 61, true), (-61, true, -61, true), (7200, true, 7200, true), (-86_400, true, -86_400, true), (86_401, true, 0, false),
        (86_401, false, 0, true), (1_000_000_000, true, 0, false),
    ]

    @Test(arguments: renewals) func `a refused token is renewed in the server's time`(
        _ ahead: Int64?, _ isNew: Bool, _ correction: Int64, _ canRenew: Bool
    ) throws {
        var source = try Self.source()
        let refused = try source.token(at: Self.now).token
        let renewed = source.renew(refused, isNew: isNew, serverTime: ahead.map { Self.now.adding(seconds: $0) }, now: Self.now)
        #expect(renewed == canRenew)
        #expect(source.correction == correction * 1000)
        let next = try source.token(at: Self.now)
        #expect(next.isNew)
        #expect(next.token.issuedAt == Self.now.adding(seconds: correction))
    }

    @Test func `a correction ends when the clocks agree again`() throws {
        var source = try Self.source()
        let (first, corrected) = (try source.token(at: Self.now).token, Self.now.adding(seconds: 600))
        let isCorrected = source.renew(first, isNew: true, serverTime: corrected, now: Self.now)
        let second = try source.token(at: corrected).token
        let isReset = source.renew(second, isNew: true, serverTime: corrected, now: corrected)
        #expect(isCorrected && isReset)
        #expect(source.correction == 0)
    }

    @Test func `a token that another call renewed is not discarded`() throws {
        var source = try Self.source()
        let old = try source.token(at: Self.now).token
        let isCorrected = source.renew(old, isNew: true, serverTime: Self.now.adding(seconds: 600), now: Self.now)
        let new = try source.token(at: Self.now).token
        let isRenewed = source.renew(old, isNew: false, serverTime: nil, now: Self.now)
        let current = try source.token(at: Self.now)
        #expect(isCorrected && isRenewed && !current.isNew)
        #expect(current.token.text == new.text)
    }
}
