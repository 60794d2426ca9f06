import AppStoreServerAPI
import Foundation
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport

/// A client with a scripted transport and manual clocks.
struct TestClient {
    static let key = BackendKey(newWithID: "ABC1234567")
    static let issuer = "57246542-96fe-1a63-e053-0824d011072a"

    let client: AppStoreServerAPIClient
    let transport: ScriptedTransport
    let clock = ManualClock()
    let timer: InstantTimer

    init(_ answers: ServerAPITransportResponse..., change: (inout AppStoreServerAPIConfiguration) -> Void = { _ in }) throws {
        try self.init(ScriptedTransport(answers.map { .success($0) }), change: change)
    }

    init(_ transport: ScriptedTransport, change: (inout AppStoreServerAPIConfiguration) -> Void = { _ in }) throws {
        var configuration = try Self.configuration()
        change(&configuration)
        self.transport = transport
        timer = InstantTimer(clock)
        client = AppStoreServerAPIClient(
            configuration, transport: transport, clock: clock, timer: timer, random: SeededRandom(seed: 1))
    }

    static func configuration(
        _ environment: AppEnvironment = .sandbox, baseURL: HTTPURL? = nil
    ) throws(AppStoreServerAPIConfigurationError) -> AppStoreServerAPIConfiguration {
        try AppStoreServerAPIConfiguration(
            issuerID: issuer, keyID: key.id, privateKey: key.pem, bundleID: .test, environment: environment, baseURL: baseURL)
    }

    /// Requests a transaction, and returns the error of the call.
    func failure() async -> AppStoreServerAPIError? {
        do throws(AppStoreServerAPIError) {
            _ = try await client.getTransactionInfo(transactionId: "1")
            return nil
        } catch {
            return error
        }
    }

    /// The `Date` header of a server whose clock is ahead of the client's clock.
    func date(ahead seconds: Int64 = 0) -> String {
        HTTPDateText.text(clock.now.adding(seconds: seconds))
    }
}

/// Formats dates of HTTP headers with Foundation, as a check of the client's parser.
enum HTTPDateText {
    static func text(_ timestamp: Timestamp) -> String {
        let style = Date.VerbatimFormatStyle(
            format: """
                \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .padded(4)) \
                \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) GMT
                """,
            locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt, calendar: Calendar(identifier: .gregorian))
        return timestamp.date.formatted(style)
    }
}
