import Foundation
import FoundationExtras
import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import PurchaseServer
@testable import PurchaseStorage

/// The rules of webhooks that need no server: signatures, addresses and dates of attempts.
@Suite struct WebhookRuleTests {
    @Test func `a message is signed as the example of the Standard Webhooks libraries`() throws {
        let secret = try #require(Data(base64Encoded: "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let json = Data(#"{"current":"\#(secret.base64EncodedString())","earlier":[]}"#.utf8)
        let secrets = try WireJSON.decode(WebhookSecrets.self, from: json)
        #expect(secrets.text == "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        let signature = secrets.signatures(
            of: "msg_p5jXN8AQM9LWM0D4loKWxJek", Array(#"{"test": 2432232314}"#.utf8), at: Timestamp(milliseconds: 1_614_265_330_000))
        #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    @Test func `a replaced secret signs until the end of the overlap`() {
        var secrets = WebhookSecrets()
        let old = secrets.signatures(of: "m", [1], at: .testStart)
        secrets.rotate(until: .testStart.adding(seconds: 60), at: .testStart)
        let both = secrets.signatures(of: "m", [1], at: .testStart).split(separator: " ").map(String.init)
        #expect(both.count == 2 && both.last == old && both.first != old)
        let later = Timestamp.testStart.adding(seconds: 60)
        #expect(!secrets.signatures(of: "m", [1], at: later).contains(" "))
    }

    @Test(arguments: [
        ("93.184.216.34", true), ("8.8.8.8", true), ("2606:2800:220:1:248:1893:25c8:1946", true), ("172.32.0.1", true),
        ("127.0.0.1", false), ("127.9.9.9", false), ("0.0.0.0", false), ("10.1.2.3", false), ("172.16.0.1", false),
        ("172.31.255.255", false), ("192.168.1.1", false), ("169.254.169.254", false), ("100.64.0.1", false), ("192.0.0.8", false),
        ("198.18.0.1", false), ("224.0.0.1", false), ("255.255.255.255", false), ("::1", false), ("::", false), ("fe80::1", false),
        ("fc00::1", false), ("fd00:ec2::254", false), ("ff02::1", false), ("::ffff:127.0.0.1", false), ("::ffff:10.0.0.1", false),
        ("::ffff:8.8.8.8", true), ("::7f00:1", false), ("64:ff9b::7f00:1", false), ("2002:7f00:1::", false), ("2001::1", false),
        ("2001:db8::1", false),
    ])
    func `an address of a private, local or special range is not public`(_ text: String, _ isPublic: Bool) throws {
        #expect(try #require(IPAddress(text)).isPublic == isPublic)
    }

    @Test(
        arguments: [
            ("https://receiver.example/hook", nil), ("https://93.184.216.34/hook", nil), ("http://receiver.example/hook", .insecure),
            ("https://127.0.0.1/", .forbidden), ("https://[::1]/", .forbidden), ("https://[::ffff:169.254.169.254]/", .forbidden),
            ("https://inside.example/", .forbidden), ("https://both.example/", .forbidden), ("https://zone.example/", .forbidden),
            ("https://2130706433/", .forbidden), ("https://0x7f.1/", .forbidden), ("https://unknown.example/", .unknownHost),
        ] as [(String, WebhookAddressError?)])
    func `the server connects to public addresses over HTTPS only`(_ text: String, _ error: WebhookAddressError?) async throws {
        let resolver = FakeResolver(all: [
            "receiver.example": ["93.184.216.34"], "inside.example": ["10.0.0.7"], "both.example": ["93.184.216.34", "::1"],
            "zone.example": ["fe80::1%eth0"], "2130706433": ["127.0.0.1"], "0x7f.1": ["127.0.0.1"],
        ])
        let hosts = WebhookHosts(.public, resolver: resolver, clock: ManualClock())
        let url = try #require(WebhookURL(text))
        var refusal: WebhookAddressError?
        do { _ = try await hosts.address(of: url) } catch { refusal = error }
        #expect(refusal == error)
    }

    @Test func `a development server connects to any address`() async throws {
        let hosts = WebhookHosts(.any, resolver: FakeResolver(all: ["inside.example": ["10.0.0.7"]]), clock: ManualClock())
        let url = try #require(WebhookURL("http://inside.example:8080/"))
        #expect(try await hosts.address(of: url) == IPAddress("10.0.0.7"))
    }

    @Test(arguments: ["", "ftp://a.example/", "https://user@a.example/", "https://a.example/#x", "https://%31.example/", "https://"])
    func `a URL that an HTTP client can't open is refused`(_ text: String) {
        #expect(WebhookURL(text) == nil)
    }

    private static let now = Timestamp.testStart
    private static func delivery(_ attempts: Int, age: Int64 = 0) -> WebhookDelivery {
        WebhookDelivery(
            endpoint: "we_1", lane: "1", position: 1, message: "evt_1", type: "t", enqueuedAt: now.adding(seconds: -age), attempts: attempts
        )
    }

    @Test(
        arguments: [
            (.status(200), 0, 0, nil, .acknowledge), (.status(299), 7, WebhookSchedule.lifetime, nil, .acknowledge),
            (.status(302), 1, 0, nil, .retry(at: now.adding(seconds: 5))), (.timeout, 2, 0, nil, .retry(at: now.adding(seconds: 10))),
            (nil, 40, 0, nil, .retry(at: now.adding(seconds: 21_600))),
            (.status(503, retryAfter: 90), 1, 0, nil, .retry(at: now.adding(seconds: 90))),
            (.status(429, retryAfter: .max), 1, 0, nil, .retry(at: now.adding(seconds: 3_600))),
            (.status(500), 20, WebhookSchedule.lifetime, nil, .bury),
            (.status(500), 20, WebhookSchedule.lifetime - 1, nil, .retry(at: now.adding(seconds: 21_600))),
        ] as [(WebhookResponse?, Int, Int64, Timestamp?, WebhookStep)])
    func `an attempt is followed by a retry, with growing pauses, for three days`(
        _ response: WebhookResponse?, _ attempts: Int, _ age: Int64, _ failing: Timestamp?, _ step: WebhookStep
    ) {
        let result = WebhookSchedule.step(
            after: response, Self.delivery(attempts, age: age), failingSince: failing, at: Self.now, jitter: 1)
        #expect(result == step)
    }

    @Test func `an endpoint that is down receives one message at a time, with growing pauses, until it acknowledges one`() {
        let (traffic, now) = (WebhookTraffic(), Timestamp.testStart)
        for _ in 0..<4 { traffic.note(isAcknowledged: false, "we_1", at: now) }
        #expect(traffic.begin(to: "we_1", at: now) == WebhookTraffic.limit)
        #expect(traffic.begin(to: "we_1", at: now) == 0 && traffic.begin(to: "we_2", at: now) == WebhookTraffic.limit)
        traffic.end(WebhookTraffic.limit, to: "we_1")
        traffic.note(isAcknowledged: false, "we_1", at: now)
        #expect(traffic.begin(to: "we_1", at: now) == 0 && traffic.begin(to: "we_1", at: now.adding(seconds: 1)) == 1)
        traffic.end(1, to: "we_1")
        for _ in 0..<100 { traffic.note(isAcknowledged: false, "we_1", at: now) }
        #expect(traffic.begin(to: "we_1", at: now.adding(seconds: 59)) == 0)
        traffic.note(isAcknowledged: true, "we_1", at: now)
        #expect(traffic.begin(to: "we_1", at: now) == WebhookTraffic.limit)
    }
}
