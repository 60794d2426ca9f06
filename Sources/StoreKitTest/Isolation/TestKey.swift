import Foundation
import Testing

/// The test of Swift Testing that runs here, one case of it where it has many.
struct TestKey: Hashable, Sendable {
    private let test: Test.ID
    private let arguments: String?

    /// Whether all tests share one device, as `OPENSTOREKIT_ONE_TEST_DEVICE` wants it.
    private static let isIgnored = hasOneDevice(ProcessInfo.processInfo.environment)

    /// What an environment says of it.
    static func hasOneDevice(_ environment: [String: String]) -> Bool {
        environment["OPENSTOREKIT_ONE_TEST_DEVICE"] == "1"
    }

    /// Nil where none runs: in XCTest, in programs, and in detached tasks.
    static var current: TestKey? {
        guard !isIgnored, let test = Test.current else { return nil }
        // A case has no name; what it is made with tells it from the others of its test.
        let arguments = test.isParameterized ? Test.Case.current.map { String(describing: $0) } : nil
        return TestKey(test: test.id, arguments: arguments)
    }
}
